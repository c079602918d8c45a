// French requests, and sentences that merely contain their words. One message per line, typos included.
// phrasings.ts says what each list means.
import type { Phrasings } from './phrasings.ts';

export const fr: Phrasings = {
  leave: `
    va-t'en s'il te plaît
    @nova peux-tu quitter ce canal s'il te plaît ? merci !
    Nova, est-ce que ça te dérangerait de quitter ce fil ?
    tu peux partir maintenant, merci
    salut nova, tu pourrais sortir du salon stp
    on n'a plus besoin de toi ici, tu peux y aller
    merci pour tout nova, tu peux nous laisser 👋
    quitte le canal
    sors d'ici
    laisse-nous tranquilles svp
    nova, quitte cette conversation
    Je crois qu'on n'a plus besoin de toi, tu peux partir
    pourrais-tu nous laisser seuls ? On veut parler en privé.
    veuillez quitter ce salon
    dégage nova
    je te demande de quitter ce canal
    je veux que tu partes
    il est temps que tu partes, nova
    qitte ce canal stp
    Désolé nova, tu peux sortir ? Ce canal est réservé aux humains.
    ça te dérange de partir ?
    vous pouvez vous retirer, merci beaucoup
    c'est bon, merci. Quitte le fil s'il te plaît.
    on va se débrouiller sans toi, tu peux quitter la discussion
    pars s'il te plaît, on voudrait parler entre nous
    nova, aurais-tu la gentillesse de quitter ce canal ?
    Beau travail. Maintenant quitte le canal, stp.
    j'aimerais que tu quittes cette conversation
    tu devrais partir maintenant
    merci de quitter ce canal
    allez ouste nova
    fiche le camp
    nova, quitte ce fil parce qu'on va parler des salaires
    tu n'as plus besoin de rester ici
    inutile de rester ici nova, merci
    tu dois quitter ce groupe, désolée
    va-t-en nova stp
    nova laisse nous svp
  `,
  stop: `
    arrête
    @nova stop !
    arrête de répondre ici s'il te plaît
    nova, arrête de répondre à tout
    Peux-tu arrêter de répondre à chaque message ?
    ça suffit nova
    s'il te plaît arrête, tu nous spammes
    pourrais-tu arrêter d'écrire dans ce fil ? merci
    stop stp
    c'est bon, arrête maintenant
    ne réponds plus ici
    nova ne réponds plus stp
    je te demande d'arrêter de répondre
    il faut que tu arrêtes de répondre dans ce canal
    arrête ça
    arrête de parler
    Ça suffit. Arrête de nous répondre.
    arrete de repondre nova 🙏
    ça te dérangerait de ne plus répondre ici ?
    cesse de commenter
    tu peux arrêter maintenant, merci
    arrête de m'envoyer des messages
    nova, arrête de nous interrompre
    arrêtez de répondre svp
    Merci nova, mais arrête de commenter tout ce qu'on dit
    je veux que tu arrêtes
    arrête de t'en mêler
    stop nova, ça suffit maintenant
    non non, arrête
    ne poste plus rien ici s'il te plaît
    plus la peine de répondre, arrête
    c'est pénible, arrête stp
    arrête un peu nova
    Ça suffit ! Arrête de publier ici.
    aretes de répondre
    tu veux bien arrêter de répondre ?
    nova, tu pourrais arrêter ?
    veuillez cesser de répondre
  `,
  quieter: `
    tais-toi
    nova, réponds seulement quand je te mentionne
    @nova ne réponds que si on te tague stp
    silence s'il te plaît
    peux-tu parler uniquement quand quelqu'un te mentionne ? merci
    Ne réponds pas sauf si on te mentionne
    parle moins, nova
    tu pourrais être un peu moins bavard ?
    reste silencieux s'il te plaît, on est en réunion
    à partir de maintenant, ne réponds que lorsqu'on t'appelle
    seulement quand je te mentionne
    mentions uniquement svp
    chut nova 🤫
    reste muet jusqu'à ce qu'on t'appelle
    je préfère que tu ne répondes que quand je te mentionne
    pas besoin de répondre à tout, seulement quand on te le demande
    fais-toi plus discret, nova
    sois plus discrète stp
    J'aimerais que tu ne répondes que si je te cite par ton nom
    n'interviens pas si on ne te mentionne pas
    nova, mode mention uniquement
    garde le silence sauf si on te nomme
    tu parles trop. Réponds seulement si on te pose une question.
    ça te dérangerait de te taire un moment ?
    réponds uniquement quand on te ping
    attends que je te mentionne avant de répondre
    ne dis rien tant qu'on ne t'appelle pas
    un peu de silence nova stp
    moins de bruit s'il te plaît
    réponds moins souvent
    nova, ne parle que si on te le demande
    tu peux te taire ?
    ferme-la nova
    Taisez-vous, s'il vous plaît
    Pas la peine de réagir à tout. Réponds seulement si je te tague.
    mets-toi en sourdine sauf mention
    merci de ne répondre que si on te mentionne
    tais toi un peu nova, on bosse
  `,
  back: `
    reviens
    nova, reviens s'il te plaît
    @nova tu peux reparler maintenant
    tu peux répondre à nouveau
    peux-tu revenir dans ce canal ?
    retour à la normale stp
    reviens dans la conversation, nova
    tu peux de nouveau répondre, merci d'avoir attendu
    ça te dérangerait de revenir ?
    participe à nouveau, s'il te plaît
    la réunion est finie, tu peux parler à nouveau
    on a de nouveau besoin de toi, reviens
    plus besoin de te mentionner, réponds quand tu veux
    nova tu n'as plus besoin de te taire
    repasse en mode normal
    rejoins-nous de nouveau
    je veux que tu reviennes
    désolé, c'était une erreur, reviens stp
    recommence à répondre
    tu peux arrêter de te taire
    revenez s'il vous plaît
    remets-toi en mode normal
    mode normal s'il te plaît
    nova, tu peux intervenir quand tu veux à nouveau
    tu as de nouveau le droit de parler
    reviens parmi nous nova 😊
    pourrais-tu recommencer à répondre à tout le monde ?
    réactive-toi, nova
    reprends tes réponses normalement
    Merci d'être resté silencieux, tu peux reparler
    revien nova
    tu peux répondre à tous les messages comme avant
    nova, parle de nouveau stp
    j'ai besoin que tu reviennes dans ce fil
    réponds de nouveau comme d'habitude
    reviens ici, nova
    tu n'es plus obligé de rester silencieux
    ok nova, reprends la parole
  `,
  other: `
    laisse un commentaire sur la PR
    laisse-moi faire
    arrête le déploiement
    l'arrêt de bus est fermé
    on revient là-dessus plus tard
    tu as quitté le canal ?
    pourquoi tu t'es arrêté ?
    ne pars pas encore
    n'arrête pas s'il te plaît
    je pars en vacances demain
    laisse la branche telle quelle
    Paul a dit qu'il quitterait le canal demain
    si les tests échouent, arrête
    reviens vers moi avec les chiffres
    peux-tu revenir à la version précédente ?
    arrête d'envoyer des mails au client
    le serveur est revenu à la normale
    comment je quitte un canal ?
    est-ce que je dois laisser le canal ouvert ?
    coupe le son des alertes la nuit
    un train sans arrêt jusqu'à Paris
    peux-tu arrêter le conteneur et le relancer ?
    je quitte le canal, à plus
    les gens quittent ce canal à cause du bruit
    tu peux sortir le rapport ?
    je n'ai pas dit d'arrêter de répondre
    laisse la lumière allumée en partant
    le bot ne répond que si on le mentionne, non ?
    quand tu auras fini, quitte l'éditeur et sauvegarde
    le silence de l'équipe m'inquiète
    ça suffit comme exemple pour la doc
    est-ce que tu reviens sur le ticket demain ?
    je dois partir plus tôt aujourd'hui
    la bannière dit « merci de quitter ce canal »
    sors la version 2 lundi
    parle moins de la roadmap dans l'annonce
    il faut qu'on arrête d'utiliser cette lib
    je te laisse avec l'équipe
  `,
};
