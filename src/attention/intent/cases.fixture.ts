// Our own sentences in eight languages, each with the intent it must be read as: commands, and sentences that only look
// like one. They were written for these tests and not taken from any data. The agent is always "nova"; "|" separates.

import type { Intent } from '../../protocol/vocabulary.ts';

export const CASES: Record<string, Partial<Record<Intent, string>>> = {
  en: {
    leave: `leave | please leave | Nova, please leave this channel | leave us alone |
      thanks, you can leave now | @nova go away | Could you leave this thread please?`,
    stop: `stop | Stop! | nova stop | please stop | ok stop it | stop talking | be quiet please |
      that's enough, thanks | 🛑`,
    cancel: `cancel | cancel that | never mind | nvm | Nova, forget it please | no, scratch that |
      ok never mind, thanks`,
    mode_change: `follow this thread | only reply when I mention you | nova, back to normal please |
      Please only answer when you are mentioned | stop following this thread`,
    thanks: `thanks | Thank you so much! | thx nova :D | Great, thanks for the help! | ty 🙏 |
      perfect, thanks again | thanks for letting me know`,
    ack: `ok | got it | 👍 | sounds good | makes sense | nice work! | Okay, understood. | right | yes |
      that's exactly right. | uh-huh | mm-hmm | that is correct`,
    approval: `approved | lgtm, ship it | LGTM 🚀 | looks good to me, go ahead`,
    rejection: `rejected | don't ship it | no, do not merge | not approved`,
    question: `ok so how do I restart it | is it ready | thanks? | what happened to the build | leave? |
      any idea why this fails | it works on main, right | why did you stop |
      should we leave the channel open?`,
    request: `stop the deploy | leave the door open | can you leave a comment on the PR? |
      cancel my subscription | thanks in advance, can you check the logs | please have a look |
      cancel that reservation for Friday | could you stop the timer? | thanks, help me with the next one |
      leave it as it is | stop sending emails to the customer | ok run it again | ok, delete the branch |
      great, now deploy it | follow the style guide when you write this |
      forget the second column and sort by date | I need you to review this | yes, and add a test |
      thank the team for me please | say thanks to bob for me`,
    statement: `thanks, but it still fails | I am on leave next week | the bus stop is closed | no |
      I think the cache is stale | thanks in advance | everyone left early`,
    urgent: `production is down | URGENT: need a rollback | 🚨 checkout broken | please fix asap`,
    safety: `I leaked the API key | someone deleted the production database | I want to kill myself`,
    blocker: `I'm blocked on the review | we can't continue until the schema lands`,
    status: `deploy finished | [build] main passed | brb | The migration has been completed.`,
  },
  es: {
    leave: `vete | Nova, vete por favor | sal de este canal | déjanos en paz | ya puedes irte, gracias`,
    stop: `para | basta ya | ¡Para, por favor! | deja de responder | cállate`,
    cancel: `cancela eso | olvídalo | no importa | nova, déjalo | cancelar`,
    mode_change: `sigue este hilo | responde solo cuando te mencione | vuelve a la normalidad`,
    thanks: `gracias | Muchas gracias por la ayuda | vale, gracias | mil gracias nova`,
    ack: `vale | entendido | perfecto | de acuerdo | sí |
      eso es verdad. | es correcto | ajá`,
    question: `¿está listo? | vale, y cómo se reinicia | alguien sabe por qué falla | cuál es la versión |
      ¿gracias?`,
    request: `detén el despliegue | cancela mi suscripción | deja la puerta abierta |
      ¿puedes dejar un comentario? | gracias de antemano, ¿puedes revisar los logs? |
      revisa esto por favor | necesito que lo revises | sal del programa y vuelve a entrar |
      dale las gracias al equipo de mi parte`,
    statement: `gracias, pero sigue fallando | la salida está cerrada | estoy de vacaciones`,
    urgent: `es urgente | se cayó el servidor`,
    blocker: `estoy bloqueado con la revisión`,
  },
  fr: {
    leave: `va-t’en | Nova, quitte ce canal s’il te plaît | laisse-nous tranquilles |
      tu peux partir, merci`,
    stop: `arrête | stop | tais-toi | ça suffit | arrête de répondre stp`,
    cancel: `annule | laisse tomber | oublie ça | annule ça nova | peu importe`,
    mode_change: `suis ce fil | réponds seulement quand je te mentionne | retour à la normale`,
    thanks: `merci | Merci beaucoup ! | merci pour ton aide | super, merci nova`,
    ack: `d’accord | ok | ça marche | compris | parfait |
      c'est exactement ça. | c'est vrai.`,
    question: `est-ce que c’est prêt | ok et comment on le relance | pourquoi ça échoue | merci ? |
      quelqu’un sait où est le fichier`,
    request: `arrête le déploiement | annule mon abonnement | laisse la porte ouverte |
      peux-tu laisser un commentaire ? | merci d’avance, peux-tu vérifier les logs ? |
      quitte l’application et relance | relance le build | merci de vérifier |
      remercie l'équipe pour moi stp`,
    statement: `merci, mais ça échoue encore | je pense que le cache est vieux |
      le serveur du bureau est gris`,
    urgent: `c’est urgent | la prod est en panne`,
    blocker: `je suis bloqué sur la revue`,
  },
  de: {
    leave: `geh bitte | Nova, verlasse diesen Kanal | lass uns in Ruhe | raus hier |
      danke, du kannst gehen`,
    stop: `stopp | hör auf | hör bitte auf zu antworten | sei still | es reicht`,
    cancel: `vergiss es | abbrechen | hat sich erledigt | egal, danke | brich das ab`,
    mode_change: `folge diesem Thread | antworte nur wenn ich dich erwähne | zurück zum Normalmodus`,
    thanks: `danke | Vielen Dank! | danke für deine Hilfe | super, danke nova`,
    ack: `ok | alles klar | verstanden | passt | perfekt |
      das ist genau richtig. | mhm`,
    question: `ist das fertig | ok und wie starte ich das neu | weiß jemand warum das fehlschlägt |
      danke? | wo liegt die Datei`,
    request: `stopp das Deployment | kündige mein Abo | lass die Tür offen |
      kannst du einen Kommentar hinterlassen? | danke im Voraus, kannst du die Logs prüfen? |
      bitte prüfen | verlasse die Datei und öffne sie neu | brich den Build ab |
      hör auf mit dem Deployment der alten Version |
      bedanke dich bitte beim Team für mich`,
    statement: `danke, aber es schlägt immer noch fehl | ich glaube der Cache ist alt | die Tür ist offen`,
    urgent: `es ist dringend | der Server ist ausgefallen`,
    blocker: `ich komme nicht weiter`,
  },
  pt: {
    leave: `saia | Nova, saia deste canal por favor | vá embora | nos deixe em paz | pode sair, obrigado`,
    stop: `pare | chega | pare de responder | fique quieto | para com isso`,
    cancel: `cancela isso | esquece | deixa pra lá | nova, esqueça | não precisa mais`,
    mode_change: `siga esta conversa | responda só quando eu te mencionar | volte ao normal`,
    thanks: `obrigado | Muito obrigada pela ajuda! | valeu | ótimo, obrigado nova`,
    ack: `ok | entendi | beleza | tá bom | perfeito |
      está certo. | é verdade. | uhum`,
    question: `está pronto? | ok e como faço para reiniciar | alguém sabe por que falha |
      qual é a versão | obrigado?`,
    request: `pare o deploy | cancele minha assinatura | deixe a porta aberta |
      você pode deixar um comentário? | obrigado desde já, pode verificar os logs? |
      verifique isso por favor | saia do programa e abra de novo |
      agradeça ao time por mim`,
    statement: `obrigado, mas ainda falha | acho que o cache está velho | a porta ficou aberta`,
    urgent: `é urgente | o servidor caiu`,
    blocker: `estou bloqueado na revisão`,
  },
  ja: {
    leave: `出ていって | このチャンネルから退出してください | ノバ、退出して | ほっといて`,
    stop: `やめて | 止めてください | ストップ | 静かにして | 返信しないでください`,
    cancel: `キャンセルして | なんでもないです | やっぱりいいです | 忘れてください | それキャンセルで`,
    mode_change: `このスレッドをフォローして | メンションした時だけ返事して | 通常モードに戻って`,
    thanks: `ありがとう | ありがとうございます！ | 助かりました、ありがとうございます | 本当にありがとう🙏`,
    ack: `了解です | わかりました | はい | なるほど | いいですね |
      その通りです | うんうん`,
    question: `準備できましたか | これはどうやって再起動するの | なぜ失敗するんですか？ | ありがとう？ |
      了解、それで何時に始めますか`,
    request: `デプロイを止めてください | サブスクリプションをキャンセルして |
      ドアを開けたままにしておいて | コメントを残してもらえますか | ログを確認してください |
      確認お願いします | 確認をお願いいたします！ |
      手伝ってほしい | この通知を止めて |
      みんなにありがとうと伝えて`,
    statement: `ありがとう、でもまだ失敗します | キャッシュが古いと思います | 来週は休みです`,
    urgent: `至急です | 本番が落ちています`,
    blocker: `レビュー待ちで進められません`,
  },
  ko: {
    leave: `나가 | 나가주세요 | 노바야, 이 채널에서 나가 주세요 | 저리 가`,
    stop: `그만 | 그만해주세요 | 멈춰 | 조용히 해 | 더 이상 답하지 마세요`,
    cancel: `취소해줘 | 됐어요 | 신경 쓰지 마세요 | 그거 취소해줘 | 아무것도 아니에요`,
    mode_change: `이 스레드 지켜봐줘 | 멘션할 때만 대답해줘 | 평소대로 돌아가줘`,
    thanks: `감사합니다 | 정말 고마워요! | 도와주셔서 감사합니다 | 고마워 ㅎㅎ`,
    ack: `네 | 알겠습니다 | 넵 | 확인했습니다 | 좋아요 |
      정확해요 | 응응`,
    question: `준비됐나요 | 그럼 어떻게 재시작해요 | 왜 실패하는지 아시나요? | 고마워? |
      네, 언제 시작하나요`,
    request: `배포를 멈춰줘 | 구독 취소해줘 | 문을 열어둬 | 댓글 남겨줄래? | 로그 확인해주세요 |
      리뷰 부탁드립니다 | 이 알림 꺼줘 |
      모두에게 고맙다고 전해줘`,
    statement: `고맙지만 아직 실패해요 | 캐시가 오래된 것 같아요 | 다음 주는 휴가입니다`,
    urgent: `긴급합니다 | 서버가 다운됐어요`,
    blocker: `리뷰 때문에 막혔어요`,
  },
  zh: {
    leave: `离开 | 请离开这个频道 | nova，请退群 | 走开 | 你可以走了`,
    stop: `停 | 停下来 | 别说了 | 请停止回复 | 闭嘴`,
    cancel: `取消 | 算了 | 当我没说 | 不用了，谢谢 | 取消吧`,
    mode_change: `关注这个话题 | 只有我提到你时才回复 | 恢复正常模式`,
    thanks: `谢谢 | 非常感谢！ | 谢谢你的帮助 | 太好了，谢谢 | 謝謝你`,
    ack: `好的 | 收到 | 明白了 | 嗯嗯 | 可以 |
      完全正确 | 嗯哼`,
    question: `准备好了吗 | 好的，那怎么重启 | 为什么失败 | 谢谢？ | 有人知道文件在哪里`,
    request: `停止部署 | 取消我的订阅 | 请把门开着 | 你能留个评论吗 | 先谢谢，帮我看一下日志 |
      请检查一下 | 离开前把灯关了 | 取消明天的会议 |
      替我谢谢团队`,
    statement: `谢谢，但是还是失败 | 我觉得缓存太旧 | 下周休假`,
    urgent: `紧急 | 服务器挂了`,
    blocker: `我卡住了`,
  },
};

/** Questions and requests that begin or end like thanks, an ack or a command. None may be read as one. */
export const NEAR_MISSES: Record<string, string> = {
  en: `stop it from restarting | stop her account | leave me a note | leave early tomorrow ok? |
    cancel order 42 | cancel the job and start over | never mind the first file, fix the second |
    forget about the old branch, rebase on main | quit vim | exit the shell |
    be quiet in the logs please, lower the log level | ok look | thanks, look at the second one |
    great, be quick | good, do the next one | ok next | nice, can we do the same for staging |
    perfect, same for prod please | thanks, and the other one? | cool can u do it again |
    yes, do the first | ok and now | fine, work on the docs then | thanks please update me |
    ignore the whitespace changes | ignore my calendar for today and book it | disregard whitespace |
    enough, move on to the next ticket | halt the rollout in eu`,
  es: `para la música | basta de logs, baja el nivel | olvida el primer archivo y revisa el segundo |
    déjame un mensaje | deja de mostrar anuncios | vale, hazlo otra vez | gracias, y el otro? |
    perfecto, ahora súbelo | cancela la reunión de mañana | sal temprano mañana, ¿sí?`,
  fr: `arrête la musique | laisse-moi un message | oublie le premier fichier et vérifie le second |
    annule la réunion de demain | quitte le mode plein écran | merci de relancer le job |
    ok, fais-le encore | parfait, maintenant déploie-le | super, et pour la prod ? | sors le rapport`,
  de: `stopp die Musik | vergiss die erste Datei und prüf die zweite | lass mir eine Nachricht da |
    brich den Job ab | geh die Liste durch | halt das Deployment an | danke, und die andere? |
    super, jetzt ausrollen bitte | ok, mach es nochmal | hör dir das mal an |
    verlass dich drauf, aber prüf es bitte`,
  pt: `pare a música | esquece o primeiro arquivo e veja o segundo | me deixe uma mensagem |
    cancela a reunião de amanhã | saia do modo tela cheia | beleza, faz de novo | obrigado, e o outro? |
    para o servidor de testes | ótimo, agora publique | deixa o log ligado`,
  ja: `音楽を止めて | 会議をキャンセルしてください | 最初のファイルは忘れて二番目を確認して |
    了解、もう一度やって | ありがとう、次もお願いします | いいですね、本番にもお願いします |
    メモを残しておいて | サーバーを停止して | はい、やって | 全画面モードから出て`,
  ko: `음악 멈춰줘 | 내일 회의 취소해줘 | 첫 번째 파일은 잊고 두 번째를 확인해줘 | 네, 다시 해줘 |
    고마워요, 다음 것도 부탁해요 | 좋아요, 운영에도 적용해주세요 | 메모 남겨줘 | 서버 중지해줘 |
    알겠어요 근데 왜 그래요 | 전체 화면에서 나가줘`,
  zh: `停止播放音乐 | 取消明天的会议 | 忘了第一个文件，看第二个 | 好的，再来一次 | 谢谢，下一个也麻烦你 |
    太好了，生产环境也部署一下 | 给我留个言 | 停掉服务器 | 退出全屏 | 好，做吧 | 谢谢帮忙查一下 |
    可以帮我吗 | 收到，什么时候上线`,
};

export function sentences(list: string): string[] {
  return list.split('|').map((sentence) => sentence.trim());
}
