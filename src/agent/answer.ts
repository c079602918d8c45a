// Reads the answer to a question of ours: yes, no, or something else. If the host sends its own reading, that counts;
// the words are read only for hosts that send none. Precision comes first: a yes is a message that says nothing but
// yes.
import type { TurnEvent } from './event.ts';

export type AnswerType = 'agree' | 'declined' | 'answer';

const BY_SIGNAL: Readonly<Record<string, AnswerType>> = {
  agree: 'agree',
  declined: 'declined',
  done: 'answer',
};
/** The host's code words for the answer to a question. */
const BY_NOTICE: readonly (readonly [string, AnswerType])[] = [
  ['rejection', 'declined'],
  ['approval', 'agree'],
  ['answer', 'answer'],
];

/** Undefined when the event is no answer: a reaction to something else, or a question in return. */
export function answerType(event: TurnEvent, questionId: string): AnswerType | undefined {
  const { reaction, notices, text } = event;
  if (reaction !== undefined)
    return reaction.targetEventId === questionId ? BY_SIGNAL[reaction.signal] : undefined;
  const told = BY_NOTICE.find(([notice]) => notices.includes(notice));
  return told === undefined ? readWords(text) : told[1];
}

/** Reads several fragments as one answer: "yes" followed by "but wait for Bob" is not a yes. */
export function readFragments(events: readonly TurnEvent[], questionId: string): AnswerType {
  const read = events.map((event) => answerType(event, questionId) ?? 'answer');
  if (read.every((type) => type === 'agree')) return 'agree';
  return read[0] === 'declined' && !read.includes('agree') ? 'declined' : 'answer';
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
// English, Spanish, French, German, Portuguese, Japanese, Korean, Chinese; then emoji.
const YES = words(
  'yes yep yeah y ok okay sure approved agreed lgtm sí si claro vale oui ouais daccord ja jawohl klar gerne sim はい うん ええ 네 예 응 是 是的 好 好的 可以 行 👍 ✅ 👌',
);
const NO = words(
  'no nope nah n never nein nee nicht non nunca não nao いいえ いや だめ 아니요 아니 안돼 不 不行 不要 不可以 别 👎 ❌ 🚫',
);
/** Words that may stand beside a yes or a no and mean nothing alone. */
const AROUND = words(
  'please thanks thank you por favor gracias merci bitte danke obrigado お願いします ありがとう',
);
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:go ahead|go for it|do it|sounds good|of course|please do|ship it)\b/g, ' yes '],
  [/\bno (?:problem|worries|need)\b/g, ' hm '], // neither yes nor no, to be safe
  [/\b(?:do not|don t|dont|please don t|no way|not now|rather not)\b/g, ' no '],
];
const MARKS = /<@[^>]*>|(?<![\p{L}\p{N}])@[\p{L}\p{N}_.-]+|[\p{P}\p{Cf}\p{Mn}\u{1F3FB}-\u{1F3FF}]+/gu;
const QUESTION = /[?？؟]/;

function readWords(text: string): AnswerType | undefined {
  if (QUESTION.test(text)) return undefined;
  let plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/d['’]accord/g, 'daccord')
    .replace(MARKS, ' ');
  for (const [phrase, word] of PHRASES) plain = plain.replace(phrase, word);
  const said = plain.split(/\s+/).filter((word) => word !== '' && !AROUND.has(word));
  const [first] = said;
  if (first === undefined) return 'answer';
  if (said.every((word) => YES.has(word))) return 'agree';
  return NO.has(first) && !said.some((word) => YES.has(word)) ? 'declined' : 'answer';
}
