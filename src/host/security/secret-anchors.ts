// The prefilter of redaction: can this text hold a secret at all? Nearly every secret is a long run of printable ASCII,
// or follows a sign after a word like "password". Most chat has neither and skips the rules. Measured over 65,609
// lines of chat: 0.3 to 0.9 µs a line, and 16 lines went on to the rules. The prefilter must pass everything that a
// rule can find: redact.test.ts checks this for every kind of secret.
import { CLEAR_PREFIXES, KEY_PREFIXES, SAID, SECRET_NAMES } from './own-rules.ts';

export function mayHoldSecret(text: string): boolean {
  if (hasLongRun(text) && TOKEN_ANCHOR.test(text) && TOKEN_ANCHOR_EXACT.test(text)) return true;
  if (!MARKED.test(text) || !NAME_ROOT.test(text)) return false;
  return (hasSign(text) && NAME_ANCHOR.test(text)) || SAID_ANCHOR.test(text);
}

/** The shortest secret that no word introduces is a pairing code, `claim-XXXX-YYYY`: 15 characters. */
const RUN_CHARS = 15;

/** Looks at every fifteenth character, and walks back only where that character may belong to a run. */
export function hasLongRun(text: string): boolean {
  let at = RUN_CHARS - 1;
  while (at < text.length) {
    let back = at;
    while (back > at - RUN_CHARS && isPrintable(text.charCodeAt(back))) back--;
    if (back === at - RUN_CHARS) return true;
    at = back + RUN_CHARS;
  }
  return false;
}

function isPrintable(code: number): boolean {
  return code > 32 && code < 127;
}

function hasSign(text: string): boolean {
  return text.includes(':') || text.includes('=') || text.includes('：') || text.includes('＝');
}

const OTHER_TOKENS = [
  String.raw`ear_[a-z]_|[cC][lL][aA][iI][mM]-\w{4}-|eyJ[\w-]{10}|AIza|A(?:3T|KIA|GPA|IDA|ROA|IPA|NPA|NVA|SIA)[A-Z0-9]`,
  String.raw`\d:AA|\.[\w-]{6}\.[\w-]{27}|-----BEGIN|:\/\/[^\s/]{1,400}@|webhooks\/|hooks\.slack|SG\.[\w-]{16}`,
  String.raw`[bB](?:earer|EARER|asic|ASIC)\s`,
].join('|');
/** Passes a little more than the exact one, such as "task-force-alpha-centauri", in a third of the time. */
const TOKEN_ANCHOR = new RegExp(String.raw`(?:${KEY_PREFIXES})[\w.+/=-]{16}|${OTHER_TOKENS}`);
const TOKEN_ANCHOR_EXACT = new RegExp(
  [
    String.raw`(?<![A-Za-z0-9])(?:${KEY_PREFIXES})[\w.+/=-]{16}`,
    String.raw`(?:${CLEAR_PREFIXES})[\w.+/=-]{16}|(?:${KEY_PREFIXES})[A-Za-z0-9]{20}`,
    OTHER_TOKENS,
  ].join('|'),
);

/** A part of each of SECRET_NAMES. */
const NAME_ROOT =
  /pass|pwd|secret|token|credential|key|wort|contrase|clave|mdp|senha|パスワ|暗証|密[码碼]|비밀|암호/i;
const NAME_ANCHOR = new RegExp(String.raw`(?:${SECRET_NAMES})\\?["'\`]?\s{0,4}(?:=>|[=:：＝])`, 'i');
const SAID_ANCHOR = new RegExp(SAID, 'i');
/** The signs of an assignment, and those of which a password that is told in a sentence has one. */
const MARKED = /[\d!@#$%^&*+=~:：＝]/;
