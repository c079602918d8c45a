// Phrasings that were written after the words were done and without looking at them. They measure how well the reader
// does on what it was not made for: what it misses goes to the model, what it takes wrongly moves a dial.
import type { DialPhrasings } from './phrasings.ts';

export const DIAL_HELD_OUT: Record<string, DialPhrasings> = {
  en: {
    quieter: `
      @nova can you dial it back a bit in this channel?
      nova you're a bit much today, please respond less
      nova, a little less eager please
      please try being less active here nova
      @nova no need to weigh in that often
      nova could you keep your replies to a minimum?
      nova, comment less frequently please
      hey @nova, slightly quieter in here please
      nova you don't have to jump in so often`,
    keener: `
      nova, feel free to weigh in more
      @nova you're too quiet, speak up more often please
      nova please get more involved in this channel
      would you mind chiming in a bit more, nova?
      @nova be a little more vocal in here
      nova, respond more frequently please
      we want you to be more engaged here nova
      don't be afraid to jump in, nova
      nova you may participate more`,
    exists: `
      nova, quiet now
      nova, speak only if someone pings you
      nova please be silent until I call you`,
    other: `
      nova, can the build log be less verbose?
      turn it down a bit, the music is loud
      could we hear more from the design team?
      nova what would make people speak up more often?
      please send the digest less often
      nova, be more careful with the migration
      are the fans quieter now, nova?
      nova, include more examples here`,
  },
  es: {
    quieter: `
      nova, intenta hablar menos aquí
      @nova un poco menos activa, por favor
      nova, no comentes tan a menudo
      ¿te importaría intervenir menos, nova?
      nova, prefiero que respondas menos aquí`,
    keener: `
      nova, interviene con más frecuencia
      @nova deberías participar más en este hilo
      ¿puedes ser un poco más activa aquí, nova?
      nova, comenta más a menudo
      nova, me gustaría que hablaras más aquí`,
    exists: `
      nova, calla ya
      nova, habla solo si te llamo`,
    other: `
      nova, pon más ejemplos aquí
      el servidor hace menos ruido ahora
      los clientes participan menos en verano
      ¿hablaste más con Marta?
      nova, envía menos correos al cliente`,
  },
  fr: {
    quieter: `
      nova, essaie d'être un peu moins actif ici
      @nova interviens moins s'il te plaît
      nova, commente moins souvent
      tu pourrais répondre moins souvent, nova ?
      nova, sois moins insistant stp`,
    keener: `
      nova, n'hésite pas à participer davantage
      @nova réagis plus souvent s'il te plaît
      tu peux être un peu plus présent ici, nova ?
      nova, interviens davantage dans ce canal
      nova, sois moins timide`,
    exists: `
      nova, chut
      nova, ne parle que si on te mentionne`,
    other: `
      nova, mets plus d'exemples ici
      le serveur fait moins de bruit maintenant
      les clients participent moins en été
      il parle plus souvent que toi
      nova, envoie moins de mails au client`,
  },
  de: {
    quieter: `
      nova, halt dich hier bitte etwas mehr zurück
      @nova bitte weniger kommentieren
      nova, antworte etwas seltener
      kannst du hier etwas leiser sein, nova?
      nova, du musst dich nicht so oft melden`,
    keener: `
      nova, du kannst dich ruhig mehr einmischen
      @nova schreib hier gern öfter mit
      nova, sei bitte etwas aktiver
      könntest du hier öfter antworten, nova?
      nova, trau dich öfter`,
    exists: `
      nova, Ruhe jetzt
      nova, sprich nur, wenn ich dich tagge`,
    other: `
      nova, schreib mehr Beispiele rein
      der Server ist jetzt leiser
      die Kunden schreiben im Sommer seltener
      hat er öfter angerufen?
      nova, schick dem Kunden weniger Mails`,
  },
  pt: {
    quieter: `
      nova, tente falar menos aqui
      @nova um pouco menos ativa, por favor
      nova, comente menos vezes
      você se importaria de participar menos, nova?
      nova, responda menos neste canal`,
    keener: `
      nova, comente com mais frequência
      @nova você deveria participar mais deste grupo
      pode ser um pouco mais ativa aqui, nova?
      nova, responda mais aqui
      nova, não tenha medo de participar`,
    exists: `
      nova, quieto
      nova, fale só se eu te chamar`,
    other: `
      nova, coloque mais exemplos aqui
      o servidor faz menos barulho agora
      os clientes participam menos no verão
      ele falou mais vezes com você?
      nova, mande menos e-mails ao cliente`,
  },
  ja: {
    quieter: `
      ノバ、コメントをもう少し減らしてもらえますか
      ノバ、ちょっと控えめにお願い
      ここでは返信を少なめにして、ノバ
      ノバ、そんなに何度も答えないでください
      ノバ、少しおとなしくしてください`,
    keener: `
      ノバ、もっと会話に入ってください
      もう少し積極的に返信してください、ノバ
      ノバ、遠慮なく発言してください
      ノバ、このスレッドではもっと答えて
      ノバ、もっと活発にお願いします`,
    exists: `
      ノバ、黙っていて
      ノバ、呼ばれた時だけ答えて`,
    other: `
      ノバ、例をもっと増やして
      サーバーは前より静かです
      夏は参加者が少なめです
      もっと大きな声で話してほしいと言われた
      お客様へのメールを減らして`,
  },
  ko: {
    quieter: `
      노바, 여기서는 조금 덜 대답해줘
      노바, 댓글을 좀 줄여주세요
      노바 너무 자주 나서지 마세요
      노바, 조금만 더 조용히 있어줘
      노바, 답변을 덜 자주 해줘`,
    keener: `
      노바, 더 적극적으로 대화에 참여해줘
      노바, 좀 더 자주 대답해줄래?
      노바, 더 많이 말해도 돼
      노바, 여기서 더 자주 의견을 내줘
      노바, 더 활발히 참여해 주세요`,
    exists: `
      노바, 쉿
      노바, 부를 때만 말해`,
    other: `
      노바, 예시를 더 넣어줘
      서버가 이제 더 조용해요
      여름에는 고객들이 덜 참여해요
      그 사람이 더 자주 전화했어?
      고객에게 메일을 덜 보내줘`,
  },
  zh: {
    quieter: `
      nova，麻烦你少说点
      nova，在这个群里安静些
      nova，不要这么频繁地回复
      nova，请少评论
      nova，可以低调一些吗？`,
    keener: `
      nova，请更主动一点
      nova，多发表意见
      nova，可以多说点话吗？
      nova，在群里活跃一些
      nova，不用那么拘谨`,
    exists: `
      nova，别说话
      nova，叫你的时候才回答`,
    other: `
      nova，多加几个例子
      服务器现在安静多了
      夏天客户参与得少
      他更主动地联系了客户
      少给客户发邮件`,
  },
};
