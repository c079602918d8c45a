// Portuguese requests, and sentences that merely contain their words. One message per line, typos included.
// phrasings.ts says what each list means.
import type { Phrasings } from './phrasings.ts';

export const pt: Phrasings = {
  leave: `
    saia por favor
    @nova você pode sair deste canal, por favor? obrigado!
    Nova, você se importaria de sair desta conversa?
    pode ir agora, obrigada
    oi nova, poderia sair do grupo pfv
    não precisamos mais de você aqui, pode ir
    valeu por tudo nova, já pode sair 👋
    sai do canal
    sai daqui
    nos deixe a sós por favor
    nova, deixe esta conversa
    acho que não precisamos mais de você, pode ir embora
    Pode nos deixar sozinhos? Queremos falar em particular.
    por favor, retire-se do canal
    vaza nova
    peço que você saia deste canal
    quero que você saia
    está na hora de você ir, nova
    sai dese canal pf
    Desculpa nova, dá pra sair? Este canal é só para pessoas.
    se importa de sair?
    podes sair, muito obrigado
    é só isso, obrigado. Saia da thread por favor.
    a gente se vira sem você, pode sair da conversa
    vai embora por favor, queremos conversar sozinhos
    nova, faria a gentileza de sair deste canal?
    Bom trabalho. Agora saia do canal, por favor.
    você deveria sair agora
    gostaria que você saísse desta conversa
    cai fora nova
    some daqui
    nova, saia deste tópico porque vamos falar de salários
    você não precisa mais ficar aqui
    não há necessidade de ficar aqui, nova, obrigado
    você tem que sair deste grupo, desculpe
    vá embora nova
    deixa a gente em paz
    preciso que você saia deste chat
  `,
  stop: `
    pare
    @nova para!
    pare de responder aqui por favor
    nova, para de responder tudo
    Você pode parar de responder a cada mensagem, por favor?
    chega nova
    por favor pare, você está fazendo spam
    poderia parar de escrever nesta thread? obrigado
    para pfv
    ok, já chega, obrigada
    não responda mais aqui
    nova não responde mais por favor
    peço que pare de responder
    preciso que você pare de responder neste canal
    para com isso
    para de falar
    Já chega. Pare de nos responder.
    pare de respnder nova 🙏
    se importaria de não responder mais aqui?
    pare de comentar
    já pode parar, obrigado
    pare de me mandar mensagens
    nova, pare de nos interromper
    pára de responder, se faz favor
    Obrigado nova, mas pare de comentar tudo o que dizemos
    quero que você pare
    para de se meter
    chega, nova, já deu
    não não, para
    não escreva mais aqui por favor
    não precisa mais responder, pare
    isso está chato, pare por favor
    pode parar nova
    Chega! Pare de postar aqui.
    deixe de responder, nova
    dá pra parar de responder?
    nova, você poderia parar?
    basta, nova
  `,
  quieter: `
    fique quieto
    nova, responda só quando eu te mencionar
    @nova por favor só responda se for marcado
    silêncio por favor
    você pode falar só quando alguém te mencionar? obrigado
    Não responda a menos que a gente te mencione
    fale menos, nova
    poderia ser um pouco menos falante?
    fica em silêncio por favor, estamos em reunião
    a partir de agora só responda quando te chamarem
    só quando eu te mencionar
    só menções por favor
    shh nova 🤫
    fique calado até a gente te chamar
    prefiro que você só responda quando eu te mencionar
    não precisa responder tudo, só quando a gente perguntar
    seja mais discreto, nova
    cala a boca nova
    Quero que você responda apenas se eu te chamar pelo nome
    não fale se não te mencionarem
    nova, modo só menções
    mantenha o silêncio a não ser que te chamemos
    você fala demais. Responda só se te perguntarem.
    se importaria de ficar quieto um pouco?
    responda somente quando te marcarem
    espere eu te mencionar antes de responder
    não diga nada enquanto não te chamarmos
    um pouco de silêncio nova, por favor
    menos barulho por favor, nova
    responda com menos frequência
    nova, fale apenas quando for perguntado
    dá pra ficar quieto?
    cale-se
    fica quietinho aí nova
    Não precisa reagir a tudo. Só responda se eu te marcar.
    silencie-se, exceto se for mencionado
    favor responder apenas quando mencionado
    fica quieta um pouco nova, estamos trabalhando
  `,
  back: `
    volta
    nova, volte por favor
    @nova já pode falar de novo
    você pode voltar a responder
    pode voltar para este canal?
    volte ao normal pf
    volte para a conversa, nova
    já pode responder normalmente de novo, obrigado por esperar
    se importaria de voltar?
    participe de novo por favor
    a reunião acabou, pode falar de novo
    precisamos de você de novo, volta
    não precisa mais ser mencionado, responda quando quiser
    nova você não precisa mais ficar quieto
    volte ao modo normal
    junte-se a nós de novo
    quero que você volte
    desculpa, foi um erro, volta por favor
    comece a responder de novo
    pode parar de ficar em silêncio
    volta pra cá nova
    modo normal por favor
    pode voltar ao normal, obrigado
    nova, pode participar de novo quando quiser
    você está liberado para falar de novo
    volta pra gente nova 😊
    poderia voltar a responder tudo?
    reative-se, nova
    retome as respostas normais
    Obrigado por ficar quieto, já pode voltar a falar
    vollta nova
    pode voltar a responder todas as mensagens
    nova, fale de novo por favor
    preciso que você volte para esta thread
    responda como antes de novo
    volte aqui, nova
    não é mais necessário ficar em silêncio
    ok nova, pode voltar
  `,
  other: `
    deixe um comentário no PR
    deixa comigo
    pare o deploy
    o ponto de ônibus está fechado
    vamos voltar a isso mais tarde
    você saiu do canal?
    por que você parou?
    não vá embora ainda
    por favor não pare
    isso é para você
    deixe a branch como está
    João disse que vai sair do canal amanhã
    se os testes falharem, pare
    volte com os números pra mim
    volte a rodar os testes
    pare de enviar e-mails ao cliente
    o servidor voltou ao normal
    como eu saio de um canal?
    devo deixar o canal aberto?
    silencie os alertas à noite
    para amanhã por favor
    você pode parar o contêiner e reiniciar?
    vou sair do canal, até mais
    as pessoas saem deste canal por causa do barulho
    a reunião para discutir isso é hoje
    eu não disse para parar de responder
    deixe a luz acesa ao sair
    o bot só responde quando é mencionado, certo?
    quando terminar, saia do editor e salve
    o silêncio da equipe me preocupa
    basta um exemplo na documentação
    você vai voltar ao ticket amanhã?
    preciso sair mais cedo hoje
    a faixa diz "por favor, saia deste canal"
    o trem não para aqui
    fale menos sobre o roadmap no anúncio
    precisamos parar de usar essa biblioteca
    te deixo com a equipe
  `,
};
