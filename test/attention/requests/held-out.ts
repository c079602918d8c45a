// Phrasings that were written after the rule was done and without looking at its words or at the other lists. They
// measure how well the rule reads what it was not made for.
import type { Meaning } from './phrasings.ts';

export const HELD_OUT: Record<string, Record<Meaning, string>> = {
  english: {
    leave: `nova, we're about to discuss salaries, please drop out of this room
      thanks for everything nova, feel free to head out now
      @nova I'd rather you weren't in this thread, please go
      hi nova! would it be ok if you left the chat? cheers
      ok @nova time to go, bye 👋
      nova pls get out of here
      Could you remove yourself from this conversation, Nova?
      @nova you're not needed in this channel anymore
      nova kindly exit this thread, it's for the hiring team
      I'd like you to leave us, nova. Nothing personal!
      nova plz leve this channel
      you may leave the group now, nova`,
    stop: `nova, stop. just stop.
      @nova enough now, please
      please quit responding to us @nova
      nova can you stop talking for a second
      stop it nova!!
      hey nova, would you please stop posting here, thank you
      nova don't write anything more in here
      @nova STOP
      ok ok that's enough nova, thanks
      nova cut it out
      nova, stop messaging us please, we're in the middle of something
      could you not reply any more, nova?`,
    quieter: `nova, keep quiet unless someone tags you
      @nova please speak only when spoken to
      could you talk a little less, nova?
      nova, only respond if we ping you please
      nova you're a bit noisy today, tone it down please
      @nova from now on answer only when mentioned, ok?
      please be less chatty in this channel nova
      nova hush
      nova, no need to reply to every message
      would you mind staying quiet unless I call you, nova? ty
      nova please stay silent in here until we ask you something
      @nova pipe down a bit, please`,
    back: `nova you can join the conversation again
      @nova please come back, we need you
      ok nova, feel free to speak again
      nova, back to normal mode please
      you're welcome to chime in again nova
      @nova un-mute yourself please
      nova can you start replying here again?
      alright nova, you may talk now
      nova, no need to wait for mentions any more
      we miss you nova, come back to this channel 😢
      @nova please resume answering as usual
      nova would you rejoin us please?`,
    other: `nova leave the ticket open until Friday
      can you stop the nightly job, nova?
      nova, please leave Anna a message that I'm late
      did the bot leave the channel yesterday?
      nova, when does the bus stop running?
      nova stop the music in the lobby
      I told Ben to be quiet during the call, nova
      nova come back to me with the numbers tomorrow
      please leave out the second paragraph, nova
      nova if I say stop, what do you do?
      nova, don't leave yet, I have one more question
      nova why did you stop replying last week?`,
  },
  german: {
    leave: `Nova, bitte geh aus diesem Chat raus
      @nova wir würden gern unter uns reden, könntest du den Kanal verlassen?
      danke dir nova, du kannst jetzt gehen
      Nova, würde es dir etwas ausmachen zu gehen?
      nova raus hier bitte
      @nova wir brauchen dich in diesem Thread nicht mehr
      Verlass bitte die Gruppe, Nova. Danke!
      nova, lass uns bitte allein
      Könnten Sie diesen Raum bitte verlassen, Nova?
      hey nova, zieh dich bitte aus dem Gespräch zurück
      nova du darfst dich jetzt verabschieden
      bitte tritt aus dem Kanal aus, nova`,
    stop: `Nova, stopp!
      nova hör jetzt bitte auf
      @nova schluss jetzt
      nova schreib hier bitte nichts mehr
      Kannst du bitte aufhören zu antworten, Nova?
      nova es reicht jetzt, danke
      hör auf uns zu schreiben, nova
      @nova bitte keine weiteren Nachrichten
      nova lass das
      Nova, bitte nicht mehr antworten
      nova, stop bitte, wir sind mitten in einer Besprechung
      halt mal die Klappe nova`,
    quieter: `Nova, melde dich nur, wenn dich jemand erwähnt
      @nova sei bitte etwas ruhiger
      nova antworte bitte nur noch auf Erwähnungen
      könntest du ein bisschen weniger schreiben, nova?
      Nova, bitte nur antworten, wenn man dich fragt
      psst nova
      nova du musst nicht auf alles antworten
      bitte halte dich hier zurück, nova
      nova rede nur wenn du angesprochen wirst
      @nova ab jetzt bitte still sein
      Nova, sprich bitte nur, wenn ich dich markiere, ok?
      nova etwas leiser bitte`,
    back: `Nova, komm bitte wieder
      @nova du darfst wieder mitreden
      nova du kannst jetzt wieder normal antworten
      bitte wieder in den Normalmodus, nova
      Nova, melde dich gern wieder zu Wort
      nova komm zurück in den Kanal, wir brauchen dich
      @nova antworte hier bitte wieder
      nova, du musst nicht mehr auf eine Erwähnung warten
      alles gut nova, sprich wieder mit uns
      Könntest du wieder mitmachen, Nova?
      nova schreib ruhig wieder
      ok nova, wieder wie früher bitte`,
    other: `Nova, lass die Tür bitte offen
      stopp bitte den Build, nova
      nova wann geht der letzte Bus?
      hast du den Kanal verlassen, nova?
      nova geh bitte die Liste durch
      Nova, hinterlass Anna bitte eine Nachricht
      nova komm bitte später auf das Thema zurück
      nova, geh noch nicht, ich habe noch eine Frage
      hör dir bitte die Aufnahme an, nova
      nova lass den Branch so wie er ist
      warum hast du aufgehört zu antworten, nova?
      nova, halt bitte den Server an`,
  },
  romance: {
    leave: `nova, ¿te importaría salir de este chat?
      @nova ya no te necesitamos en este canal, gracias
      nova por favor abandona el grupo
      nova, puedes marcharte
      nova, tu pourrais quitter la discussion s'il te plaît ?
      merci nova, tu peux y aller maintenant
      @nova laisse-nous entre nous stp
      nova sors de ce canal
      nova, você pode sair do grupo agora
      @nova por favor saia desta conversa, obrigada
      nova, não precisamos mais de você aqui
      nova dá licença e sai do canal, por favor`,
    stop: `nova, para ya por favor
      @nova deja de escribir aquí
      nova basta, gracias
      ¿puedes dejar de contestar, nova?
      nova, arrête s'il te plaît
      @nova n'écris plus ici
      nova ça suffit maintenant
      tu peux arrêter de répondre nova ? merci
      nova, pare por favor
      @nova não responda mais
      nova já chega, obrigado
      para de mandar mensagem, nova`,
    quieter: `nova, habla solo si te preguntan
      @nova responde únicamente cuando te etiquete
      nova, un poco más de silencio por favor
      nova no hace falta que respondas a todo
      nova, ne réponds que si on te le demande
      @nova sois un peu plus discret s'il te plaît
      nova, parle moins stp
      nova pas besoin de répondre à chaque message
      nova, só fale quando alguém te chamar
      @nova fica mais quieto por favor
      nova, responda apenas se for mencionado
      nova não precisa responder tudo`,
    back: `nova, ya puedes hablar otra vez
      @nova vuelve al canal por favor
      nova, regresa, te echamos de menos
      nova modo normal de nuevo
      nova, tu peux revenir dans la discussion
      @nova tu peux parler à nouveau
      nova reviens stp
      nova, reprends comme avant
      nova, pode voltar pra conversa
      @nova volta a responder normalmente
      nova, volte ao canal por favor
      nova você já pode falar de novo`,
    other: `nova, deja un comentario en el ticket
      nova para el servidor de pruebas por favor
      ¿a qué hora sale el tren, nova?
      nova, no te vayas todavía
      nova laisse tomber la première colonne et trie par date
      nova, arrête le conteneur de test
      pourquoi tu as quitté le canal hier, nova ?
      nova reviens vers moi demain avec les chiffres
      nova, deixe a porta aberta
      nova pare o contêiner de testes
      nova, você saiu do canal ontem?
      nova volte a esse assunto na segunda-feira`,
  },
  cjk: {
    leave: `ノバ、このグループから抜けてもらえますか
      @nova もう大丈夫なので退室してください
      nova、ここから出て行って
      nova お疲れさま、もう抜けていいよ
      노바, 이 방에서 나가 줄래?
      @nova 이제 가도 돼요 감사합니다
      nova 이 대화에서 빠져 주세요
      nova 여기서 나가
      nova，麻烦你退出这个群
      @nova 你可以离开了，谢谢
      nova 请从这个聊天里出去
      这里不需要你了，nova`,
    stop: `nova、もうやめてください
      @nova 返事しないで
      nova ストップ！
      nova これ以上書き込まないでください
      노바 그만해
      @nova 이제 그만 좀 해 주세요
      nova 여기에 글 쓰지 마세요
      nova 멈춰 주세요
      nova 别再回复了
      @nova 够了，停
      nova 请不要再发消息了
      nova 住口`,
    quieter: `nova、呼ばれたときだけ答えてください
      @nova 少し静かにしてもらえますか
      nova メンションされない限り黙っていて
      nova 全部に返信しなくていいよ
      노바, 부를 때만 말해 줘
      @nova 좀 조용히 해 주세요
      nova 멘션하지 않으면 대답하지 마세요
      nova 매번 답할 필요 없어요
      nova 请安静一点
      @nova 叫你的时候你再说话
      nova 不用每条消息都回复
      nova 没有人@你的时候请保持安静`,
    back: `nova、戻ってきてください
      @nova また参加していいですよ
      nova もう普通に話していいよ
      nova 通常に戻してください
      노바, 다시 돌아와 줘
      @nova 이제 말해도 돼
      nova 평소처럼 다시 대답해 주세요
      nova 다시 참여해 주세요
      nova，你回来吧
      @nova 现在可以说话了
      nova 恢复正常回复
      nova 请重新加入我们`,
    other: `nova、コメントを残しておいてください
      nova テストサーバーを止めて
      nova まだ行かないで
      nova 昨日チャンネルから退出した？
      노바, 테스트 서버 멈춰 줘
      nova 안나에게 메시지 남겨 줘
      nova 아직 나가지 마
      nova 어제 왜 나갔어?
      nova，把测试服务停掉
      nova 给安娜留个言
      nova 先别走
      nova 你昨天为什么退群？`,
  },
};
