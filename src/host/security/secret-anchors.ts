// The prefilter of redaction: may this text hold a secret at all? Three looks, each cheaper than the next. Nearly
// every secret is a long run of printable ASCII, or stands right of a sign after a word like "password"; most chat is
// neither and is let go at once: 0.3 to 0.9 µs a line over 65,609 lines of chat, of which 16 went on to the rules.
// Whatever a rule can find must pass here: redact.test.ts asserts it for every kind of token.
import { KEY_PREFIXES, SECRET_NAMES } from './own-rules.ts';

export function mayHoldSecret(text: string): boolean {
  if (hasLongRun(text) && TOKEN_ANCHOR.test(text)) return true;
  return hasSign(text) && NAME_ANCHOR.test(text);
}

/** The shortest secret without a name is a pairing code, `claim-XXXX-YYYY`: 15 characters. */
const RUN_CHARS = 15;

/** Looks at every fifteenth character and walks back only from one that may be inside a run. */
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

const TOKEN_ANCHOR = new RegExp(
  [
    String.raw`(?<![A-Za-z0-9])(?:${KEY_PREFIXES})[\w.+/=-]{16}`,
    String.raw`ear_[aso]_|[cC][lL][aA][iI][mM]-\w{4}-|eyJ[\w-]{10}|AIza|A(?:3T|KIA|GPA|IDA|ROA|IPA|NPA|NVA|SIA)[A-Z0-9]`,
    String.raw`\d:AA|\.[\w-]{6}\.[\w-]{27}|-----BEGIN|:\/\/[^\s/]{1,400}@|webhooks\/|hooks\.slack`,
    String.raw`[bB](?:earer|EARER|asic|ASIC)\s`,
  ].join('|'),
);

const NAME_ANCHOR = new RegExp(String.raw`(?:${SECRET_NAMES})\\?["'\`]?\s{0,4}(?:=>|[=:：＝])`, 'i');
