// Sentences that came up while the reader was made, and that it must not take for a request: what people say about
// themselves, about others, about systems, and to each other. One message per line.

export const NO_REQUESTS: Record<string, string> = {
  en: `
    good enough
    that's close enough, thanks
    only if needed
    restart it, but only when needed
    run the tests only if asked
    I don't need your help, thanks
    no need to reply
    not urgent, no need to answer
    go there
    please go to the next ticket
    can you go over the list
    please go ahead
    you can go ahead now
    leave it for now
    leave that to bob
    leave us a message
    leave me the logs
    please leave the lights on
    so quiet here today
    it's quiet in here
    please write less in the docs
    don't comment on every line
    stop writing comments in the code
    can you write everything again?
    you can answer him now
    can you reply to bob
    please post it again
    start writing the report
    keep posting the results
    back to the drawing board
    get back to me
    come back with a plan
    please come back tomorrow
    I'm back
    welcome back nova
    can we stop here for today?
    let's stop
    we can stop now
    should we leave?
    we leave at five
    they asked me to leave
    I was told to stop talking
    please stop the music
    make them stop
    stop them
    stop, the build is broken
    stop it from crashing
    when the build fails, stop replying
    if you see an error, be quiet
    tell bob to be quiet
    ask her to leave the channel
    the manual says: leave this channel
    how do I tell you to be quiet?
    what does "stop" do?
    type stop to exit
    I'd like to leave this channel
    I want to stop
    I need to go now
    can I leave this channel?
    may I go?
    could we leave the thread open
    silence the alarm
    mute the notifications please
    unmute the alarm
    follow the instructions
    resume the download
    return to the main page
    return the value
    exit the program
    quit the app please
    answer the question
    please don't answer the phone
    don't reply to the customer
    don't post it yet
    do not respond to phishing mails
    please respond to this
    be back soon
    brb
    stay here
    please stay
    don't go
    nobody asked you to leave
    you were told to leave
    you left the channel
    thanks for leaving the note
    thanks for coming back to me
    no more messages in the queue
    there are no more replies
    stop words are filtered
    the stop button is red
    leave policy for 2026
    who is on leave today?
    maternity leave starts monday
    quiet mode is on
    is there a quiet mode?
    only reply to my emails when I ask
    only answer the first question
    just answer
    answer only the first one
    mention bob when you are done
    tag me when you are done
    wait until the build is green
    wait for me
    don't wait for me
    you don't have to do that
    you don't need to restart it
    no need to restart
    please don't be late
    have you stopped?
    are you leaving?
  `,
  es: `
    no hace falta
    no hace falta, gracias
    no importa
    necesito salir
    quiero salir de este canal
    tengo que irme
    ¿puedo irme?
    ¿puedo salir del grupo?
    me tengo que ir ya
    para nada
    para eso está
    es para hoy
    esto no para de fallar
    deja que lo mire
    déjalo así
    deja el canal abierto
    deja de llover
    vuelve a intentarlo
    vuelve a enviarlo por favor
    vuelve mañana
    ¿vuelves mañana?
    responde a Juan
    responde solo la primera pregunta
    contesta el correo
    no respondas al cliente
    escribe menos código
    sigue este enlace
    sigue con eso
    silencio en la sala durante la demo
    basta de logs
    es suficiente con uno
    alto y claro
    ¿ya puedes hablar?
    sal temprano
    puedes ir empezando
    puedes ir al siguiente
    vete a saber
    anda ya
  `,
  fr: `
    on arrête là pour aujourd'hui
    on s'arrête ?
    je veux partir
    je dois partir
    je peux partir ?
    c'est assez cool
    pas assez
    assez bien
    tu pars quand ?
    tu reviens quand ?
    je reviens
    reviens à la ligne
    reviens à la version 2
    réponds à Paul
    réponds à la première question
    n'oublie pas de répondre
    ne réponds pas au client
    ne pars pas sans sauvegarder
    écris moins de code
    laisse-moi voir
    laisse-moi un message
    laisse tomber
    quitte ou double
    quitte le mode plein écran
    sors la poubelle
    suis le lien
    le mode normal est activé
    silence radio de leur côté
    le calme avant la tempête
    tu peux parler plus fort dans la vidéo ?
    tu peux y aller avec la version 2
    tu peux répondre à Paul
  `,
  de: `
    ich möchte gehen
    ich will jetzt gehen
    kann ich gehen?
    geht klar
    das geht schon
    raus damit
    weg damit
    gut genug
    genug Zeit haben wir
    ist halt so
    dann halt nicht
    geh mit
    geh hin und schau nach
    komm mal her und schau dir das an
    kommst du wieder?
    wann kommst du zurück?
    die Antworten sind falsch
    antworte bitte Bob
    antworte nicht auf die Mail von Bob
    schreib weniger Code
    schreib bitte den Bericht
    du kannst jetzt deployen
    du kannst Bob antworten
    wir brauchen deine Hilfe nicht, danke
    ich brauche keine Hilfe mehr
    hör mal zu
    hör dir das an
    lass das Skript laufen
    lass uns anfangen
    lass uns allein entscheiden, welche Version
    sei vorsichtig
    bleib dran
    sei bitte pünktlich
    Ruhe ist wichtig
    leise Lüfter wären gut
    stopp den Timer bitte
    halt die Stellung
    halt den Server an
    verlass dich drauf
    verlasse den Ordner
    folge dem Link
    zurück auf Anfang
    zurück zum Thema
    wieder normal?
    alles wieder normal seit gestern
  `,
  pt: `
    preciso sair
    quero sair deste canal
    tenho que ir
    posso sair?
    vou sair agora
    não precisa
    não precisa, obrigado
    não faz falta
    estou de volta
    de volta ao trabalho
    para de chover
    isso não para de falhar
    para isso serve
    é para hoje
    bom o suficiente
    volte a tentar
    volta amanhã
    você volta amanhã?
    responda ao João
    responda só a primeira pergunta
    não responda ao cliente
    escreva menos código
    deixa eu ver
    deixe o canal aberto
    sai da frente do código
    saia do modo tela cheia
    some os valores
    siga o link
    pode ir começando
    pode falar com o João?
    pode responder o email?
    pode voltar uma versão?
  `,
  ja: `
    帰っていいですか
    もう帰ります
    抜けてもいいですか？
    退出しました
    退出の方法を教えて
    いらないです
    もう必要ないです
    もう結構なお値段ですね
    十分な時間があります
    まだ十分ではない
    返信ありがとう
    返信を待っています
    返信してください
    お客様に返信してください
    田中さんに答えてください
    もう一度話してください
    もう一度答えて
    また明日話しましょう
    また連絡して
    元に戻して
    前のバージョンに戻って
    最初に戻って
    トップページに戻ってください
    戻ってきたら教えて
    いつ戻りますか
    静かですね
    静かな部屋を予約して
    音を静かにして
    アラームを止めて
    それを止めて
    処理を停止してください
    やめておきます
    やめたほうがいい
    やめるべき？
    黙っていたほうがいいですか
    通知をミュートにして
    ミュートになっています
    参加してください
    会議に参加してください
    返信だけしてください
    最初の質問だけ答えて
    呼んだ時に来て
    メンションしてください
    メンションした人に聞いて
    コメントを減らして
    コードのコメントを減らして
    書き込みを減らす設定にして
    待ってください
    待って、確認します
    続けてください
    始めてください
    再開してください
    話を続けて
    大丈夫です
    いいですよ
    もういいですか
  `,
  ko: `
    나가도 될까요?
    나가도 돼?
    나 이제 나가
    저 먼저 나갈게요
    이제 필요 없어
    필요 없어요
    괜찮아요
    됐나요
    답장 고마워요
    답장해 주세요
    고객에게 답장해 주세요
    민수한테 답해줘
    다시 답해줘
    다시 확인해줘
    다시 시작해줘
    서버를 다시 시작해줘
    다시 보내줘
    돌아가는지 확인해줘
    처음으로 돌아가줘
    이전 단계로 돌아가
    조용하네요
    조용한 방 예약해줘
    알람 꺼줘
    소리 줄여줘
    배포 그만해
    테스트 그만 돌려
    그만할까요?
    그만두고 싶어
    말해줘
    말하지 않아도 알아
    멘션해줘
    멘션할 때 알려줘
    부를 때 와줘
    기다려줘
    글 써줘
    블로그 글 써줘
    메시지 보내줘
    고객한테 메시지 보내지 마
    댓글 달아줘
    충분해요?
    시간은 충분해
    우리끼리 얘기하자
    평소처럼 배포해줘
    정상으로 보여요
    따라가고 있어
    계속해줘
  `,
  zh: `
    我想离开
    我想离开这个频道
    我要走了
    我先走了
    可以走了吗
    我可以退出吗？
    他离开了
    离开了
    走了
    停了
    停车
    停一下服务器
    停止服务
    停止播放
    把它停掉
    别停
    不停地报错
    够了吗
    钱够了
    时间够了
    不需要
    不用了
    不用你管
    不说了
    别说出去
    别发
    别发给客户
    不要发邮件
    不要回复客户
    请回复客户
    请回复
    回复我
    请回答第一个问题
    只回答第一个问题
    再回答一次
    重新回答
    重新开始
    重新部署
    继续
    继续部署
    恢复数据库
    恢复正常了
    回来了
    我回来了
    他什么时候回来
    回到首页
    回到主题
    回家了
    回头再说
    安静的办公室
    这里很安静
    把通知静音
    静音模式在哪里设置
    闭嘴是不礼貌的
    低调奢华
    少写点代码
    少一点注释
    提到你的时候他很开心
    等我一下
    等一下
    等我回来
    等你回复
    你可以开始了
    你可以部署了
    你可以说一下原因吗
    你能说说吗
    说一下
    再说一遍
    参与调查
    加入会议
    关注我
    关注这个问题
  `,
};
