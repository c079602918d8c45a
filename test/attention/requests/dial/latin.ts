// Requests about the dial, and sentences that merely hold their words, in languages of Latin script. One message per
// line, typos included. phrasings.ts says what each list means.
import type { DialPhrasings } from './phrasings.ts';

export const LATIN: Record<string, DialPhrasings> = {
  en: {
    quieter: `
      @nova be quieter here
      Please be quieter, nova
      nova you can be less eager
      nova, be a bit less chatty please
      could you be less eager here, nova?
      @nova answer less often please
      nova please chime in less
      can you talk a little less in this channel, nova?
      nova, don't be so eager
      @nova reply less here
      would you mind being a bit less talkative?
      nova tone it down a bit
      nova: please jump in less often
      try to be quieter in this thread, nova
      @nova you should speak up less
      nova, please don't chime in so often
      hey nova, could you be a little quieter? thanks
      fewer replies please nova
      nova stop chiming in so much
      be more reserved here please, nova
      @nova hold back a bit more in here please
    `,
    keener: `
      @nova speak up more
      nova, chime in more often here
      please chime in more, nova
      nova you can be more eager
      could you speak up more often in this channel?
      @nova feel free to join in more
      nova, be more active here please
      @nova answer more often
      I'd like you to participate more, nova
      nova don't be so shy
      nova, jump in more often please
      be a bit more talkative, nova
      you can chime in more often @nova
      nova please be less quiet
      nova, contribute more here
      can you be a little more proactive in this thread, nova?
      hey nova, don't hold back so much
      we'd like you to speak up more, nova, thanks
      @nova reply more often in here
      nova, please be more responsive here
    `,
    exists: `
      be quiet please
      nova shut up
      nova, only answer when I mention you
      be quieter unless someone tags you, nova
      stop replying here, nova
      nova, back to normal please
      you can talk again nova
      nova please leave this channel
      please stop replying to every message
    `,
    other: `
      can you make the text smaller, nova?
      nova, tell me more
      say more about that
      nova please write less code
      we should talk more often
      let's talk more tomorrow
      the new fan is quieter
      nova, make the alert quieter
      is the office quieter on Fridays?
      I'd like to speak up more in meetings
      nova, I need more detail here
      can you show me more of these?
      nova why don't people speak up more?
      Anna should chime in more often
      I told Ben to be quieter
      he is less eager than he was
      nova what happens if I say be quieter?
      more tests please, nova
      less is more
      how do I get my team to be more active?
      nova, deploy more often
      did you get quieter, nova?
      nova, answer the customer more quickly
      could you post more pictures of the cat?
      reply more politely to the customer
      our users are less active in winter
    `,
  },
  es: {
    quieter: `
      nova, habla menos por favor
      @nova sé más discreto aquí
      nova, responde menos a menudo
      ¿podrías intervenir menos, nova?
      no respondas tanto, nova
      nova, sé un poco menos entusiasta
      por favor interviene menos en este canal
      @nova participa menos aquí
      nova, no intervengas tanto
      podrías estar un poco más callado, nova?
      nova baja un poco el tono aquí
      puedes hablar un poco menos, gracias
      nova, contesta con menos frecuencia
      @nova deja de intervenir tanto
      sé menos hablador, nova, por favor
    `,
    keener: `
      nova, habla más aquí
      @nova participa más por favor
      nova, interviene más a menudo
      puedes intervenir más, nova
      ¿podrías participar más en este canal?
      nova, no seas tan tímido
      responde más a menudo aquí, nova
      @nova sé más activo por favor
      nova, sé un poco más hablador
      quiero que participes más, nova
      no te cortes tanto, nova
      contesta con más frecuencia aquí, nova
      nova, puedes hablar más a menudo
      anímate a participar más, nova
    `,
    exists: `
      nova, cállate
      nova, responde solo cuando te mencione
      nova, silencio por favor
      vuelve a la normalidad, nova
      nova deja de responder aquí
      nova vete de este canal
    `,
    other: `
      nova, dime más
      cuéntame más sobre eso
      escribe menos código, nova
      el ventilador nuevo hace menos ruido
      mi equipo habla menos que antes
      quiero hablar más con el cliente
      Ana debería participar más
      nova, necesito más detalles
      ¿por qué la gente participa menos?
      le dije a Luis que hablara menos
      más pruebas por favor
      ¿has hablado más con él?
      publica más fotos del gato
      menos mal
      nova, responde más rápido al cliente
      deberíamos hablar más a menudo
      baja un poco el volumen de la alarma
      más o menos
    `,
  },
  fr: {
    quieter: `
      nova, parle moins s'il te plaît
      @nova sois plus discret ici
      nova, réponds moins souvent
      pourrais-tu intervenir moins souvent, nova ?
      ne réponds pas autant, nova
      nova, sois un peu moins bavard
      sois un peu plus calme ici, nova
      @nova participe moins dans ce canal
      nova, n'interviens pas autant
      tu peux être moins bavarde, nova
      nova, tu peux parler un peu moins ?
      interviens moins s'il te plaît, nova
      nova, un peu plus de retenue ici s'il te plaît
      arrête d'intervenir autant, nova
    `,
    keener: `
      nova, parle davantage ici
      @nova participe un peu plus s'il te plaît
      nova, interviens plus souvent
      tu peux intervenir plus souvent, nova
      pourrais-tu participer davantage, nova ?
      ne sois pas si timide, nova
      nova, réponds plus souvent ici
      @nova sois plus actif s'il te plaît
      nova, sois un peu plus bavard
      j'aimerais que tu participes davantage, nova
      n'hésite pas à intervenir plus souvent, nova
      nova, sois plus réactif ici
      tu peux parler davantage ici, nova
      exprime-toi plus souvent, nova
    `,
    exists: `
      nova, tais-toi
      nova, réponds seulement quand je te mentionne
      silence s'il te plaît nova
      nova, reviens à la normale
      nova arrête de répondre
      nova quitte ce canal
    `,
    other: `
      nova, dis-m'en plus
      écris moins de code, nova
      le nouveau ventilateur est plus calme
      mon équipe parle moins qu'avant
      je veux parler plus avec le client
      Anne devrait participer plus
      nova, il me faut plus de détails
      pourquoi les gens participent moins ?
      j'ai dit à Luc de parler moins
      plus de tests s'il te plaît
      as-tu parlé plus longtemps avec lui ?
      publie plus de photos du chat
      plus ou moins
      nova, réponds plus vite au client
      on devrait se parler plus souvent
      baisse un peu le volume de l'alarme
      je ne parle plus ici
      le bureau est moins bruyant le vendredi
    `,
  },
  de: {
    quieter: `
      nova, sei hier bitte ruhiger
      @nova antworte bitte seltener
      nova, rede etwas weniger
      könntest du etwas zurückhaltender sein, nova?
      nova, misch dich weniger ein
      sei weniger eifrig, nova
      antworte hier nicht so oft, nova
      @nova schreib hier bitte weniger
      nova, melde dich seltener
      rede nicht so viel, nova
      du kannst ruhig etwas zurückhaltender sein, nova
      nova, bitte ein bisschen weniger gesprächig
      hör auf, dich so oft einzumischen, nova
      würde es dir was ausmachen, etwas ruhiger zu sein?
      nova, sei nicht so übereifrig
    `,
    keener: `
      nova, melde dich hier öfter
      @nova antworte bitte häufiger
      nova, rede mehr mit
      misch dich ruhig öfter ein, nova
      du darfst dich öfter zu Wort melden, nova
      sei hier aktiver, nova
      nova, sei nicht so schüchtern
      könntest du dich mehr beteiligen, nova?
      @nova beteilige dich hier mehr
      sei etwas gesprächiger, nova
      nova, mach hier öfter mit
      ich möchte, dass du dich öfter einmischst, nova
      nova, sei bitte weniger zurückhaltend
      du kannst hier gern öfter antworten, nova
    `,
    exists: `
      nova, sei still
      nova, antworte nur, wenn ich dich erwähne
      halt die Klappe, nova
      nova, zurück zum Normalmodus
      nova, hör auf zu antworten
      nova, verlass diesen Kanal
    `,
    other: `
      nova, erzähl mir mehr
      schreib weniger Code, nova
      der neue Lüfter ist ruhiger
      mein Team redet weniger als früher
      ich möchte mehr mit dem Kunden reden
      Anna sollte sich öfter melden
      nova, ich brauche mehr Details
      warum melden sich die Leute seltener?
      ich habe Tom gesagt, er soll weniger reden
      mehr Tests bitte
      hast du öfter mit ihm geredet?
      poste mehr Bilder von der Katze
      mehr oder weniger
      nova, antworte dem Kunden schneller
      wir sollten öfter reden
      mach den Alarm etwas leiser, nova
      freitags ist es im Büro ruhiger
      meld dich öfter bei deiner Mutter
    `,
  },
  pt: {
    quieter: `
      nova, fale menos por favor
      @nova seja mais discreto aqui
      nova, responda com menos frequência
      poderia intervir menos, nova?
      não responda tanto, nova
      nova, seja um pouco menos falante
      nova, fica um pouco mais quieto aqui
      @nova participe menos deste canal
      nova, não se intrometa tanto
      você pode falar um pouco menos, nova?
      seja mais contido, nova, por favor
      responda menos aqui, nova
      nova, pare de comentar tanto
      nova, fale um pouco menos neste canal
    `,
    keener: `
      nova, fale mais aqui
      @nova participe mais por favor
      nova, intervenha mais vezes
      você pode participar mais, nova
      poderia falar mais neste canal, nova?
      não seja tão tímido, nova
      nova, responda mais vezes aqui
      @nova seja mais ativo por favor
      nova, seja um pouco mais falante
      quero que você participe mais, nova
      nova, responda com mais frequência
      fique à vontade para participar mais, nova
      pode se manifestar mais, nova
      nova, seja mais participativo
    `,
    exists: `
      nova, cala a boca
      nova, responda só quando eu te mencionar
      nova, silêncio por favor
      nova, volte ao normal
      nova, pare de responder
      nova, saia deste canal
    `,
    other: `
      nova, me conte mais
      escreva menos código, nova
      o ventilador novo é mais silencioso
      minha equipe fala menos do que antes
      quero falar mais com o cliente
      Ana deveria participar mais
      nova, preciso de mais detalhes
      por que as pessoas participam menos?
      eu disse ao Luís para falar menos
      mais testes por favor
      você falou mais com ele?
      publique mais fotos do gato
      mais ou menos
      nova, responda mais rápido ao cliente
      deveríamos falar mais vezes
      abaixe um pouco o volume do alarme
      não falo mais com ele
      o escritório é mais quieto na sexta
    `,
  },
};
