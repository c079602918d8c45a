// How people tell an agent that it was not meant, or that it should have answered. Every entry is a whole clause; `~` is
// the name of whoever was meant. Precision first: an entry that also says something else ("not now") is not listed.
import type { RequestLanguage } from '../request-words.ts';

export interface CorrectionWords {
  /** "not you": the agent answered what was not for it. */
  notYou: string;
  /** "I meant ~": the same, with whom it was for. Counts only if that is somebody known here. */
  meant: string;
  /** "no wait, …": what follows puts right what the author has just said. */
  amends: string;
  /** "why didn't you answer?" */
  silent: string;
  /** May stand before or after, as a clause of its own or inside one. */
  around: string;
  /** Every entry above but those of `amends` contains one of these. Most messages contain none and are not read further. */
  core: string;
}

export const CORRECTION_WORDS: Record<RequestLanguage, CorrectionWords> = {
  en: {
    notYou: `not you, not for you, {this|that|it} {wasn't|was not|isn't|is not} {|meant} for you, wasn't {|meant} for you, {i|we} {didn't|did not} {ask|mean} you, {i|we} {wasn't|was not|weren't|were not|am not|'m not} {talking|speaking|writing} to you, {i'm|we're} not {talking|speaking|writing} to you, {i|we} {wasn't|was not} asking you, {i'm|i am} not asking you, wasn't {talking|speaking} to you, wasn't asking you, nobody asked you, no one asked you, {this|that|it} {wasn't|isn't} {directed|addressed} {at|to} you`,
    meant: `{i|we} meant ~, {i|we} mean ~, {i|we} was {asking|talking to|speaking to} ~, {i'm|i am} {asking|talking to|speaking to} ~, was {asking|talking to} ~, {this|that|it} {was|is} for ~, {i|we} asked ~, meant for ~, that question was for ~, my question was for ~`,
    amends: `{|oh|ah|ugh|oops|sorry} {no wait|wait no|no no wait}, scratch that, strike that, correction, {|sorry|no} i misspoke`,
    silent: `why {didn't|don't|did|aren't|haven't|won't} you {answer|reply|respond|answering|answered|replying|responding|replied|responded|not answer|not reply|not respond|say anything|said anything} {|me|us|that|this|here|to me|to us|to that|to this|my question|to my question|my message|to my message}, why no {answer|reply|response}, you {didn't|did not|haven't|never} {answer|reply|respond|answered|replied|responded} {|me|us|that|to me|to us|to that|my question|to my question}, you {ignored|missed} {me|us|that|my question|my message|this}, {are you|why are you} ignoring {me|us|this|my question}, you should have {answered|replied|responded} {|that|me|us|to that|to me|there}, that was for you, that {one|question} was for you, i {was asking|meant|was talking to} you`,
    around: `no, nope, nah, sorry, hey, hi, oh, um, uh, please, pls, lol, haha, thanks, thank you, actually, though, this time, here, bot, dear, ok, okay, well, and, but`,
    core: `not you, for you, ask you, asked you, mean you, to you, asking you, at you, meant, i mean, we mean, asking, talking to, speaking to, is for, was for, i asked, we asked, why did, why do, why are, why have, why won, why no, you did, you have, you never, you ignored, you missed, ignoring, should have`,
  },
  es: {
    notYou: `tú no, tu no, no tú, no tu, no {era|es|iba} para ti, no te {pregunté|preguntaba|hablaba} a ti, no {hablaba|hablo} contigo, no {estaba|estoy} hablando contigo, nadie te preguntó, no era contigo, no te preguntaba`,
    meant: `me refería a ~, quise decir ~, hablaba con ~, estaba hablando con ~, le preguntaba a ~, le pregunté a ~, {era|es} para ~, preguntaba a ~`,
    amends: `no espera, espera no, no no espera, corrección, corrijo, mejor dicho`,
    silent: `por qué no {respondes|respondiste|contestas|contestaste|contestáis|has respondido|has contestado|me respondes|me respondiste|me contestas|me contestaste|dices nada|dijiste nada}, no me {respondiste|contestaste|has respondido|has contestado}, me ignoraste, {era|eso era} para ti, deberías haber {respondido|contestado}, me {estás|estas} ignorando`,
    around: `no, perdón, perdona, oye, hola, eh, por favor, gracias, bueno, y, pero, bot`,
    core: `tu no, no tu, para ti, a ti, contigo, te pregunt, referia, decir, hablaba, hablando, pregunt, es para, era para, por que no, no me, ignor, deberias`,
  },
  fr: {
    notYou: `pas toi, pas vous, {c'était|c'est|ce n'était|ce n'est} pas pour {toi|vous}, pas pour {toi|vous}, je ne {te|vous} {parlais|parle} pas, je ne {te|vous} {demandais|demande} rien, je ne parlais pas à {toi|vous}, personne ne {t'a|vous a} {demandé|sonné}, on ne {t'a|vous a} rien demandé`,
    meant: `je voulais dire ~, je parlais à ~, je parle à ~, je demandais à ~, {c'était|c'est} pour ~, je m'adressais à ~, j'ai demandé à ~`,
    amends: `non attends, attends non, non non attends, correction, je corrige, je me corrige`,
    silent: `pourquoi {tu ne réponds pas|tu n'as pas répondu|tu réponds pas|tu as pas répondu|t'as pas répondu|ne réponds tu pas|n'as tu pas répondu|vous ne répondez pas|vous n'avez pas répondu|n'avez vous pas répondu|ne répondez vous pas}, tu {n'as pas|as pas|ne m'as pas|m'as pas} répondu, tu {m'ignores|m'as ignoré}, {c'était|ça c'était} pour toi, tu aurais dû répondre`,
    around: `non, désolé, désolée, pardon, hé, bonjour, salut, s'il te plaît, stp, merci, ok, euh, et, mais, bot`,
    core: `pas toi, pas vous, pour toi, pour vous, parlais, parle, demand, sonne, voulais dire, adressais, est pour, etait pour, pourquoi, repondu, ignore, aurais`,
  },
  de: {
    notYou: `nicht du, du nicht, dich nicht, nicht dich, nicht an dich, {das war|war|das ist|ist} nicht {für|an} dich, dich {habe|hab|hatte} ich nicht {gefragt|gemeint}, ich {habe|hab|hatte} {dich|nicht dich} {nicht|} {gefragt|gemeint}, ich meinte nicht dich, ich rede nicht mit dir, ich habe nicht mit dir {geredet|gesprochen}, niemand hat dich gefragt, dich hat niemand gefragt, dich hat keiner gefragt`,
    meant: `ich meinte ~, ich meine ~, ich {habe|hab} ~ {gemeint|gefragt}, gemeint war ~, ich {rede|sprach|spreche} mit ~, {das war|war|das ist|ist} {für|an} ~, die frage {war|ging} an ~, ich wollte ~ fragen`,
    amends: `{nein|ne|nee} {warte|halt|wartet}, {warte|halt} {nein|ne|nee}, korrektur, ich korrigiere, besser gesagt`,
    silent: `warum {antwortest|antworteste|reagierst} du {|mir|uns} nicht {|darauf}, wieso {antwortest|reagierst} du {|mir|uns} nicht, {warum|wieso} {hast du|haste} {|mir|uns} nicht {geantwortet|reagiert}, {warum|wieso} keine antwort, du hast {|mir|uns} nicht geantwortet, du hast mich ignoriert, ignorierst du mich, das war für dich, du hättest {antworten sollen|antworten müssen}`,
    around: `nein, ne, nee, sorry, hey, hallo, äh, bitte, danke, ok, okay, und, aber, bot, doch, eigentlich`,
    core: `nicht du, du nicht, dich, mit dir, meinte, meine, gemeint, gefragt, rede mit, sprach mit, spreche mit, fur, frage, fragen, warum, wieso, geantwortet, ignorier, hattest, ist an, war an`,
  },
  pt: {
    notYou: `você não, não você, não {era|é|foi} {para|pra} {você|ti}, não {perguntei|perguntava} {a|pra|para} você, não {estava|estou} falando com você, não falei com você, ninguém te perguntou, ninguém perguntou {pra|a|para} você`,
    meant: `eu quis dizer ~, quis dizer ~, eu {estava falando|falava} com ~, estava falando com ~, eu perguntei {para|pra|a|ao|à} ~, perguntei {para|pra|ao|à} ~, {era|é} {para|pra} ~, eu me referia a ~`,
    amends: `não {espera|peraí}, {espera|peraí} não, correção, corrigindo, melhor dizendo`,
    silent: `por que {você|vc|} não {respondeu|responde|me respondeu|me responde|disse nada|falou nada}, porque {você|vc|} não {respondeu|responde|me respondeu|me responde}, {você|vc} não {me|} respondeu, {você|vc} me ignorou, {isso|essa} era {pra|para} você, {você|vc} deveria ter respondido, {tá|está} me ignorando`,
    around: `não, desculpa, desculpe, ei, oi, olá, hum, por favor, obrigado, obrigada, ok, e, mas, bot`,
    core: `voce, vc, para ti, pra ti, te perguntou, quis dizer, falando, falava, perguntei, e para, e pra, era para, era pra, referia, por que, porque, ignor`,
  },
  ja: {
    notYou: `{あなた|君|きみ|お前}{じゃない|ではない|じゃなくて|ではなくて|じゃないです|ではありません|じゃないよ}, {あなた|君|きみ|お前}{に|には}{聞いてない|聞いてません|聞いていない|言ってない|言ってません|言っていない|話してない}, {あなた|君|きみ|お前}{宛|宛て|あて}{じゃない|ではない|ではありません|じゃないです}, {あなた|君}への{質問|話|メッセージ}{じゃない|ではない|ではありません|じゃないです}`,
    meant: `~{に|さんに}{聞いた|聞いてる|聞いている|聞いたんだ|聞いたんだけど|聞いています|聞きました|言った|言ってる|言ったんだ|言いました|話してる}, ~{のこと|さんのこと}{です|だよ|だ|でした}, ~{宛|宛て|あて|さん宛|さん宛て}{です|だよ|だ|でした}`,
    amends: `{いや|あ|あっ|違う}{待って|ちょっと待って|まって}, 訂正, 訂正します, {|いや|あ}{間違えた|間違えました}`,
    silent: `{なんで|なぜ|どうして}{答え|返事し|返信し|応答し|反応し}{ない|ないの|なかった|なかったの|てくれない|てくれないの|てくれなかった|てくれなかったの|ないんですか|なかったんですか|てくれないんですか}, {答えて|返事して|返信して}{くれなかった|くれなかったね|くれない}, 無視{しないで|した|してる|されました|ですか}, 今の{は|}{あなた|君}{宛|宛て|への質問}{だよ|です|でした}`,
    around: `いや, いえ, いいえ, 違う, 違います, ちがう, ごめん, すみません, ねえ, あの, ありがとう, よ, ね`,
    core: `あなた, 君, きみ, お前, 聞い, 聞き, 言っ, 言い, 話し, のこと, 宛, あて, なんで, なぜ, どうして, くれな, 無視`,
  },
  ko: {
    notYou: `{너|당신|네} 말고, {너|당신}{한테|에게} {한|물은|물어본|말한} {거|게|말|건} {아니야|아니에요|아닙니다|아닌데|아니라}, {너|당신} 아니야, {너|당신}한테 안 물어봤어, {너|당신}에게 묻지 않았어, 네가 아니라`,
    meant: `~ {한테|에게|님한테|님에게} {물어본|물은|말한|한} {거야|거예요|겁니다|건데|말이야}, ~{한테|에게|님한테|님에게} {물어본|물은|말한|한} {거야|거예요|겁니다|건데|말이야}, ~ {얘기|말}{야|이야|예요|입니다}`,
    amends: `아니 {잠깐|잠깐만|잠시만}, {잠깐|잠깐만|잠시만} 아니, 정정, 정정합니다, 정정할게요, 아니 그게 아니라, 잘못 {말했어|말했어요|말했습니다}`,
    silent: `왜 {대답|답|답변|응답|반응}{|을} {안 해|안해|안 해요|안 하세요|안 했어|안했어|안 했어요|안 하니|하지 않아|하지 않았어|하지 않으세요|없어|없어요|없나요}, 대답 {안 했잖아|안했잖아|왜 안 해}, {날|나를|저를} 무시{해|하니|하는 거야|했어}, {너|당신}한테 {한|물어본} {거야|거예요}`,
    around: `아니, 아뇨, 아니요, 미안, 죄송, 저기, 야, 고마워, 음`,
    core: `너, 당신, 네, 한테, 에게, 얘기, 말, 왜, 대답, 무시`,
  },
  zh: {
    notYou: `{不是|没}{问|叫|说|找|跟}{你|您}, 不是{你|您}, 不是{对|跟|和}{你|您}{说|说的|讲|讲的}, {没|没有}{人|}问{你|您}, 不是给{你|您}的, {我|}{没|没有}{问|跟|对}{你|您}{|说|说话|讲}`,
    meant: `我{问|说|指|是问|是说|指的|说的|问的}{的是|是|}~, 我是{问|跟|对}~{|说|说的|的}, 是{问|给|对}~{的|说的}`,
    amends: `{等|等等|等一下}{不对|不}, {不|不不|啊不|不对}{等等|等一下}, 更正, 更正一下, {|我}{说错了|打错了}`,
    silent: `{你|您|}为什么{不|没|没有}{回答|回复|回|答|理|说话}{|我|我们|吗}, {你|您|}怎么{不|没|没有}{回答|回复|回|答|理|说话}{|我|我们}, {你|您}{没|没有}{回答|回复|理}{我|我们}, 别{不理|无视}我, {刚才|那}{是|}问{你|您}的`,
    around: `不, 不不, 抱歉, 对不起, 喂, 嗯, 谢谢, 请, 啊, 呀, 呢, 了`,
    core: `你, 您, 我问, 我说, 我指, 我是, 是问, 是给, 是对, 理我, 无视我, 问你, 为什么, 怎么`,
  },
};
