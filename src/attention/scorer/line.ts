// Reads the form of a line once, for all candidates: does it ask, does it say "you", does it call to everybody. Plain
// lists of everyday words in eight languages, folded; no word is in them because of one message.
import { isUnbounded, isWordAt } from '../text.ts';
import { COMMON, type WordCodes, plainScanner, wordCodes } from './words.ts';

/** Forms of a line, as bits. The numbers are stored, so one that is given is never changed. */
export const LINE_FORM = {
  asks: 1,
  /** It named whom it is for. */
  explicit: 2,
  you: 4,
  anybody: 8,
  thanks: 16,
  yesOrNo: 32,
  acknowledges: 64,
  laughs: 128,
  greets: 256,
  myself: 512,
  // Of the newest line alone.
  marked: 1_024,
  link: 2_048,
  goesOn: 4_096,
  tells: 8_192,
  trailsOff: 16_384,
  ends: 32_768,
  command: 65_536,
} as const;

/** What is remembered of a line. */
export const KEPT_FORMS = 1_023;

export interface ReadLine {
  form: number;
  words: number;
  chars: number;
  codes: WordCodes;
  /** The words themselves, and a first word with a mark that is nobody's name here: "jnae: …". Only for judging. */
  said: () => readonly string[];
  /** The text without apostrophes, in which the words are. */
  plain: () => string;
  head: () => string | undefined;
}

const list = (words: string): readonly string[] => words.split(' ');

/** Wherever they are in the line. */
const ANYWHERE = table([
  [
    LINE_FORM.you,
    'you your yours youre u ur ya yourself du dich dir dein deine deinen ihr euch euer sie ihnen ihre tu te toi ton ta tes vous votre vos usted ustedes ti tus tuyo voce voces seu sua contigo 너 네가 니가 당신 그쪽 あなた 君 きみ 你 您 你们',
  ],
  [
    LINE_FORM.anybody,
    'anyone anybody someone somebody everyone everybody guys folks yall all jemand irgendwer irgendjemand alle leute quelqu un quelquun personne tous alguien todos alguem gente pessoal 누구 누가 여러분 다들 誰か だれか 皆さん みなさん 谁 有人 大家',
  ],
  [
    LINE_FORM.thanks,
    'thanks thank thx thanx ty tnx cheers danke merci gracias obrigado obrigada valeu 고마워 고마워요 감사합니다 ありがとう 谢谢 謝謝',
  ],
  [LINE_FORM.laughs, 'lol lmao rofl haha hahaha heh hehe xd jaja jajaja mdr kkkk ㅋㅋ ㅋㅋㅋ ㅎㅎ 笑 哈哈'],
  [
    LINE_FORM.myself,
    'i im ive ill me my mine ich mir mich mein meine je moi mon ma yo mi mis eu meu minha 나 내가 저 私 俺 僕 我',
  ],
]);

/** As the first word of the line, or right behind such a word. */
const FIRST = table([
  [
    LINE_FORM.asks,
    'what whats why how hows who whos where wheres when which is are am was were do does did has have can could would will should isnt arent dont doesnt didnt any was warum wie wer wo wann welche ist kann konnte hat gibt pourquoi comment qui ou quand quel quelle est peut que por como quien donde cuando cual hay puede porque quem onde quando qual tem pode 뭐 왜 어떻게 어디 언제 何 なぜ どう どこ いつ 什么 为什么 怎么 哪里',
  ],
  [
    LINE_FORM.yesOrNo,
    'yes yeah yep yup yea no nope nah sure right correct exactly true indeed ja nein doch genau oui non si claro sim nao 네 예 응 아니 아니요 はい いいえ うん 是 对 不',
  ],
  [
    LINE_FORM.acknowledges,
    'ok okay k kk oh ah aha cool nice great hmm hm alright fine done np sorry oops gotcha gut klar super bien vale bueno bom certo 알겠어 그래 了解 なるほど 好 好的',
  ],
  [
    LINE_FORM.greets,
    'hi hello hey hiya morning evening greetings yo hallo moin servus salut bonjour coucou hola buenas ola oi 안녕 안녕하세요 こんにちは おはよう 你好',
  ],
  [
    LINE_FORM.goesOn,
    'and but or because cause which so also plus then like except unless though although with to for in on that if und aber oder weil also et mais ou donc y pero o e mas 그리고 하지만 でも そして 但是 而且',
  ],
  [
    LINE_FORM.tells,
    'try use run type check look go see install open read add remove make put click edit start stop restart paste give tell show ask wait just you probier versuch nimm schau mach essaie regarde fais prueba mira haz tenta olha faz',
  ],
]);

const OPENING = LINE_FORM.greets | LINE_FORM.goesOn | LINE_FORM.acknowledges | LINE_FORM.yesOrNo;

function table(rows: readonly (readonly [bits: number, words: string])[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [bits, words] of rows) {
    for (const word of list(words)) found.set(word, (found.get(word) ?? 0) | bits);
  }
  return found;
}

/** Longer lines are read up to here. */
const MAX_WORDS = 60;
const OPENING_WORDS = 3;

/** `spoken` are the author's own words; `folded` has quotations and code too, which say what a line is about. */
export function readLine(spoken: string, folded: string): ReadLine {
  const own = scanPlain(spoken) ?? scan(spoken);
  const all = spoken === folded ? own : (scanPlain(folded) ?? scan(folded));
  const link = spoken.includes('://') || spoken.includes('www.') ? LINE_FORM.link : 0;
  return {
    form: own.form | endOf(spoken) | link,
    words: own.words,
    chars: spoken.length,
    codes: all.codes,
    said: () => wordsOf(spoken),
    plain: () => withoutApostrophes(spoken),
    head: () => headOf(spoken),
  };
}

/** What a text's words say. */
export interface Scanned {
  /** What the lists say of them. */
  form: number;
  words: number;
  codes: WordCodes;
}

/** In any script. */
export function scan(text: string): Scanned {
  const said = wordsOf(text);
  let form = 0;
  let opens = true;
  let index = 0;
  for (const word of said) {
    form |= ANYWHERE.get(word) ?? 0;
    if (opens) {
      const first = FIRST.get(word) ?? 0;
      form |= first;
      opens = (first & OPENING) !== 0 && index < OPENING_WORDS;
    }
    index++;
  }
  return { form, words: said.length, codes: wordCodes(said) };
}

/** The same for nearly every text, in a quarter of the time. Undefined: the text needs `scan`. */
export const scanPlain = plainScanner({
  anywhere: ANYWHERE,
  first: FIRST,
  common: COMMON,
  opening: OPENING,
  openingWords: OPENING_WORDS,
  mostWords: MAX_WORDS,
});

function endOf(spoken: string): number {
  let form = spoken.includes('?') || spoken.includes('？') ? LINE_FORM.asks : 0;
  let end = spoken.length;
  while (end > 0 && ' \n)\'"'.includes(spoken[end - 1] ?? '')) end--;
  const last = spoken[end - 1] ?? '';
  if (last === '?' || last === '？') form |= LINE_FORM.marked;
  if (last === '…' || spoken.endsWith('..', end)) form |= LINE_FORM.trailsOff;
  else if ('.!?)。？！'.includes(last) && last !== '') form |= LINE_FORM.ends;
  if (SMILES.test(spoken)) form |= LINE_FORM.laughs;
  return COMMANDS.includes(spoken[0] ?? ' ') ? form | LINE_FORM.command : form;
}

const SMILES = /[:;]-?[)dp(](?![a-z0-9])/;
const COMMANDS = '![';

/** Words without apostrophes, in order. Where a script has no spaces, every two signs are a word. */
export function wordsOf(text: string): readonly string[] {
  const plain = withoutApostrophes(text);
  const found: string[] = [];
  for (let from = 0; from < plain.length && found.length < MAX_WORDS; ) {
    let end = from;
    while (end < plain.length && isWordAt(plain, end)) end++;
    if (end > from) {
      const word = plain.slice(from, end);
      if (isUnbounded(word)) pairsOf(word, found);
      else found.push(word);
    }
    from = end + 1;
  }
  return found;
}

function withoutApostrophes(text: string): string {
  return text.includes("'") || text.includes('’') ? text.replaceAll(APOSTROPHES, '') : text;
}

const APOSTROPHES = /['’]/g;

function pairsOf(run: string, found: string[]): void {
  found.push(run);
  for (let at = 0; at + 2 <= run.length && run.length > 2 && found.length < MAX_WORDS; at++) {
    found.push(run.slice(at, at + 2));
  }
}

const HEAD = /^@?([^\s:,;>!?@/.()]{2,24})\s?[:;>,](?!\/)/;

function headOf(spoken: string): string | undefined {
  const head = HEAD.exec(spoken)?.[1];
  return head === undefined || ANYWHERE.has(head) || FIRST.has(head) ? undefined : head;
}
