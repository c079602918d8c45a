// The words around a name that tell a call from talk about somebody, in eight languages, folded. They are plain data:
// a word is here because a speaker of the language expects it, never because of one message. Precision first: where the
// words leave it open, the name calls nobody.

const words = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => list.split(' ')));

/** What people say before a name that they call: "hey lead", "ok thanks lead". */
export const OPENERS = words(
  'hi hey heya hiya hello hallo helo yo howdy greetings good morning afternoon evening night day gm dear there',
  'ok okay okey k kk alright right yes yeah yep yup yah ya no nope nah sure ah aha oh ohh uh um umm hm hmm er heh eh',
  'oops ouch ugh argh lol haha hehe wow omg cool nice great perfect awesome thanks thank you thx ty tnx cheers sorry',
  'please pls plz anyway anyways btw again welcome bye later cya wait ping',
  'hola buenas buenos dias tardes noches gracias muchas vale bueno oye perdon perdona disculpa por favor si claro',
  'salut bonjour bonsoir coucou merci beaucoup oui non bon pardon desole stp svp dis ecoute',
  'moin servus guten gute morgen tag abend danke dank bitte ja nein gut entschuldigung hor mal du naja',
  'oi ola bom boa dia tarde noite obrigado obrigada valeu sim nao desculpa desculpe ei',
  '안녕 안녕하세요 저기 저기요 네 예 아니 아니요 응 음 혹시 고마워 고마워요 감사합니다 감사 죄송하지만 죄송합니다',
);

/** After these a name is called only with a mark: "so, lead: …", "hi all, lead: …", but not "so lead did it". */
export const CONNECTIVES = words(
  'so and but well then now also pues entonces pero y alors donc mais et dann aber und entao mas e 그래서 그런데 근데',
  'all everyone everybody folks guys alle zusammen leute tous todos todas pessoal 여러분',
);

/** The same in scripts without spaces. */
export const OPENERS_UNSPACED =
  /^(?:おはようございます|ありがとうございます|お疲れ(?:様|さま)です|こんにちは|こんばんは|すみません|ありがとう|おはよう|やあ|ね[えぇ]|はい|では|皆さん|みなさん|早上好|下午好|晚上好|[你您]好|大家好?|[请請][问問]|谢谢|謝謝|好的|哈喽|嗨|嘿|喂)/;

/** Joins two names: "lead and builder, …". */
export const LINKS = words('and & + / und y e et ou or oder plus 그리고 와 과 と 和 跟');

/** After a name at the start they make it the subject: "builder said no". */
export const ABOUT_AFTER = words(
  'said says told tells thinks thought seems seemed looks looked works worked wants wanted needs needed knows knew',
  'makes made went goes got gets gave gives took takes came comes wrote writes answered answers replied replies asked',
  'asks fixed broke built builds merged deployed finished started failed fails runs ran keeps kept uses used lost',
  'breaks crashes crashed hangs hung stops restarts sends sent posts posted tries tried helps deletes changes reads likes',
  'found saw left held met felt brought caught spent spoke chose began became woke vs versus',
  'loves hates handles reviews deploys forgets forgot ignores ignored misses missed sleeps dies died lies sucks rocks spams loops',
  'dijo dice hizo hace quiere contesto respondio sabe trabaja funciona falla parece necesita',
  'encontro arreglo rompio envio mando borro subio',
  'fait veut sait travaille repond dit marche fonctionne semble',
  'sagt sagte macht machte weiss arbeitet antwortet antwortete funktioniert geht ging lauft lief spinnt hangt braucht',
  'meint meinte findet kommt kam steht bleibt scheint',
  '덕분에 때문에 없이 대신 말고',
  'disse diz fez faz quer respondeu trabalha precisa caiu encontrou corrigiu quebrou mandou ficou parou achou',
);

/** The same, unless the words go on as a question: "lead is down", but not "lead is it down", "lead can you look". */
export const ASKING_AFTER = words(
  'is isn are aren was wasn were weren has hasn had did didn does doesn will won would wouldn can cannot could couldn',
  'should shouldn might must may never always already usually often',
  'es esta estaba era fue ha habia tiene tenia puede podria siempre nunca tambien',
  'est etait avait peut sera serait toujours jamais deja aussi',
  'ist war hat hatte wird wurde kann konnte soll muss immer nie schon',
  'foi estava tem tinha vai pode sempre tambem',
);

/** Between a name and its verb: "lead just said so". */
export const ADVERBS = words(
  'just really still only probably apparently finally actually now also then again simply maybe obviously clearly ne no nao',
);

/** A verb in the past: "builder restarted it". */
export const PAST = /^(?!need|feed|speed|seed|indeed|proceed|exceed|embed)[a-z]{3,}ed$/;

/** The same where the first word alone has another meaning in another language. */
export const ABOUT_AFTER_TWO: ReadonlySet<string> = new Set(
  (
    'a dit|a fait|a ete|a eu|a bien|a repondu|a fini|a deja|a tout|a trouve|a corrige|a vu|a pris|a mis|a envoye|a casse|a oublie|a relance|e muito|e um|ne marche|ne fonctionne|ne repond|' +
    'n est|no funciona|no responde|no esta|no va|nao funciona|nao responde|nao esta|nao vai'
  ).split('|'),
);

/** They ask all the same: "lead is there a way", "lead can we go on". Or "it" is left out: "lead could be the cache". */
export const ASKS_AFTER =
  /^(?:(?:could|might) be|was (?:ist|sind|war|macht|soll|meinst)|(?:is|are|was|were|will|can|could|should|would|may|has|have|had|do|does|did) (?:there|i|we|any\w*|some\w*)|(?:is|was|will|can|should) (?:it|this|that))$/;

/** A message with one of these is put to its reader: "lead is your build green". */
export const YOU = words(
  'you your yours u yourself dich dir dein deine euch tu te ti usted ustedes toi vous votre voce vc voces',
);

/** After a name and a verb they say who is asked: "lead can you", "lead, kannst du". */
export const YOU_ASKED = words('you u du ihr tu vous usted ustedes voce vc voces');

/** Right after a name they ask its bearer. */
export const PLEASE = words('please pls plz bitte svp stp porfa');

/** Before a name at the end they make it an object: "ask lead", "the new builder". */
export const ABOUT_BEFORE = words(
  'a an the these those my your our his her its their some any every each another other whose new',
  'old of in on at by for from to with without about like than as via per vs versus through into onto over under',
  'after before between behind against around and or nor is are was were be been being am isn wasn s re called named said',
  'says ask asks asked asking tell tells told telling pinged pings call calls calling cc see sees saw seen seeing',
  'know knows knew use uses used using need needs needed want wants wanted thank met meet meets heard hear let make',
  'mean means meant meine meinte makes made give gave given gives send sends sent show showed become replace replaced restart',
  'restarted reboot kill killed deploy redeploy update upgrade run running start started install remove removed add',
  'added try tried trying own owns reach reached reset debug fire fired assign assigned forward forwarded follow followed join except invite invited mention mentioned mentioning tag tagged message messaged dm poke pokes poked contact notify',
  'trust blame love loves hate if when while because where who did does has had',
  'el la los las un una unos unas de del en con por para sin sobre al y o e u que como es era soy pregunta preguntale',
  'preguntarle dile decirle segun mi tu su nuestro nuestra entre hacia',
  'le les l des du d dans avec par pour sans sur chez au aux et ou est etait demande demander demandez dites mon ma',
  'attends attend attendons utilise utilisons connais connait appelle',
  'ton ta son sa notre votre leur selon vers',
  'der die das den dem des ein eine einen einem einer eines mein meine dein deine sein seine unser unsere von vom mit',
  'fur am auf im bei zu zum zur nach uber und oder als wie ist war sind frag frage fragt fragte fragen sag sagt sagte',
  'ohne gegen unter zwischen beim macht kennt nutzt nutzen',
  'os as um uma do da dos das em no na nos nas com pelo pela sem ao aos pergunte perguntar fala fale meu minha seu sua',
  'pro pra pros pras',
  'not nicht kein keine keinen pas nem nao ni tampoco',
);

/** Between such a word and the name: "frag mal lead". */
export const FILLERS = words('mal doch einfach lieber kurz besser gleich maybe');

/** "was meinst du lead": there the word is no French article. "come on lead": nor is it a place. */
export const ASKED_BEFORE = /(?:(?:[^e\W]|[dt]e)st du|\bcome on)$/;

/** Verbs of two words that have an object: "how we set up lead", "I took down lead". Not "what's up lead". */
export const ABOUT_BEFORE_TWO =
  /\b(?:set|bring|spin|hook|wire|boot|power|take|tear|turn|switch|figure|throw|brought|spun|took|taken|taking|wiring|tore|figuring|threw|shut(?= down| off))(?:s|ed|ing|ting|ning)? (?:up|down|off|out|back|away)$/;

/** Endings of a Korean word that make the next one its object or its part. */
export const ABOUT_ENDING = /(?:의|와|과|랑|하고|및|또는|보다|처럼)$/;

/** Honorifics and vocative endings that belong to a called name. */
export const HONORIFIC = /^(?:さん|ちゃん|くん|さま|先生|老师|老師|同学|様|君|殿|님아|님|씨|야|아|哥|姐)/;
export const HONORIFICS: readonly string[] =
  'さん ちゃん くん さま 先生 老师 老師 同学 様 君 殿 님아 님 씨 야 아 哥 姐'.split(' ');

/** Right after a name in a script without spaces: what follows is put to its bearer. */
export const CALL_AFTER_UNSPACED =
  /^(?:[请請你您]|麻[烦煩]|[帮幫][我忙]|拜[托託]|在[吗嗎嘛么]|能不能|能[帮幫]|可不可以|看[看下一]|お願い|おねがい|教えて|ちょっと|見て|みて|確認して|直して|助けて|手伝って|これ)/;

/** Particles after a name or its honorific: the bearer is talked about. */
export const ABOUT_AFTER_UNSPACED =
  /^(?:[はがのをにもとへで]|から|まで|より|って|という|[은는이가을를의에께와과랑도만로]|한테|하고|처럼)/;

/** Right before a name at the end, without a mark in between: thanks, greetings and requests. */
export const CALL_BEFORE_UNSPACED =
  /(?:[谢謝][谢謝]|多[谢謝]|感[谢謝]|[你您]好|拜[托託]|辛苦了|早安|晚安|ありがとう(?:ございます)?|お願い(?:します)?|よろしく|こんにちは|おはよう|고마워요?|감사합니다|안녕(?:하세요)?|부탁해요?)$/;

/** Names that are also everyday words. They call only with a mark: "Ok: …", "Will, …", "@may". */
const EVERYDAY = words(
  'i he she it we they me him them us who what when where why how will would shall should may might must can could do',
  'have be am not if else now here just too very all more most up down out off one two first last next best fine bad',
  'let get go going gone take look try say think none nobody anyone someone everyone everybody team help test error',
  'default answer question guest user info note edit hope mark bill guy drew chase grant page cash sue pat summer april',
  'june august true false null max min rob rich frank art jack wade pierce lance miles major joy dawn rose ray skip',
  'ich er sie es wir man nicht gern wer was wann wo warum jetzt hier heute gestern muss soll darf mag will ernst',
  'yo ella ellos quien cuando donde cual ahora aqui hoy manana sol luz paz mar clara jesus linda',
  'je il elle nous ils qui quoi quand ici maintenant hier jour claire parfait',
  'eu ele ela eles quem agora hoje amanha',
);

export function isEveryday(name: string): boolean {
  if (name.length < 2 || EVERYDAY.has(name) || OPENERS.has(name) || LINKS.has(name)) return true;
  if (OPENERS_UNSPACED.exec(name)?.[0] === name) return true;
  if (CONNECTIVES.has(name) || ADVERBS.has(name) || FILLERS.has(name)) return true;
  return ABOUT_AFTER.has(name) || ASKING_AFTER.has(name) || ABOUT_BEFORE.has(name);
}
