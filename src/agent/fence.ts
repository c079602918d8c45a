// Fences quote chat so that no text can forge a header, a notice or the end of the quotation. Three measures work
// together: a marker drawn for this turn that occurs in none of its texts; one kind of line break; and a backslash
// before every line that reads like the protocol's own, for models that ignore markers.
import { looksLike } from '../protocol/look-alikes.ts';
import type { Random } from '../runtime/random.ts';

const MARKER_BYTES = 9;

/** An unguessable marker that none of the texts contains. */
export function chooseFence(random: Random, texts: readonly string[]): string {
  let marker = random.secret(MARKER_BYTES).replace(/[^A-Za-z0-9]/g, 'x');
  while (texts.some((text) => text.includes(marker))) marker += 'x';
  return marker;
}

/** The text between two markers, each on its own line. */
export function fenced(text: string, fence: string): string {
  return `<<<chat ${fence}\n${quoted(text)}\n${fence} chat>>>`;
}

/** Like `fenced`, with one entry per speaker. Continuation lines are indented, so that no text can begin an entry. */
export function fencedEntries(entries: readonly { by: string; text: string }[], fence: string): string {
  const lines = entries.map(({ by, text }) => {
    const [first = '', ...rest] = quoted(text).split('\n');
    return [`[${by}] ${first}`, ...rest.map((line) => `    ${line}`)].join('\n');
  });
  return `<<<chat ${fence}\n${lines.join('\n')}\n${fence} chat>>>`;
}

/** Chat text for a prompt: plain lines, none of which reads like the protocol. */
export function quoted(text: string): string {
  return plainLines(text)
    .map((line) => (readsLikeProtocol(line) ? `\\${line}` : line))
    .join('\n');
}

// CR LF, CR, NEL, vertical tab, form feed, line and paragraph separators: each may be shown as a new line.
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
// Control characters, bidi overrides and isolates, tags, byte order marks: nobody types them and no reader sees them.
const SMUGGLED = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}\uFEFF]/gu;

function plainLines(text: string): string[] {
  return text
    .toWellFormed()
    .split(LINE_BREAK)
    .map((line) => line.replace(/\t/g, '    ').replace(SMUGGLED, ''));
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const LEADING_MARKS = /^[^\p{L}\p{N}]+/u;
/** The headings and header fields of prompt.ts, in any disguise. */
const PROTOCOL = new RegExp(
  [
    '^c2a\\b',
    '^host notice\\b',
    '^(recent context|earlier here)\\b',
    '^here\\s*\\((?:channel|thread|dm|system|tool)\\b',
    '^you are agent\\b',
    '^also_called\\s*:',
    '^(message|knocks?|digest|attachments|obligation|unanswered|not posted|cut)\\W*$',
    '^(attachments|cut|knocks?|digest)\\s*[:(]',
    '^chat\\s+\\S+\\s*$',
    '^\\S+\\s+chat\\s*>>>',
    '^(event_id|fragments|conversation|thread|stream|author|author_id|said_at|directedness|response_policy|reason|priority)\\s*:',
    '^(reply_target|attempt|refers_to|reaction|reaction_on|blocks|escalated_from|from|where|policy|topic|pull_with)\\s*:',
  ].join('|'),
  'iu',
);
/** In capitals, these words are headings at the beginning of any line. "Message me later" is not one. */
const HEADING =
  /^(?:MESSAGE|KNOCKS?|DIGEST|ATTACHMENTS|OBLIGATION|UNANSWERED|NOT POSTED|CUT)(?![\p{L}\p{N}_])/u;

export function readsLikeProtocol(line: string): boolean {
  const bare = looksLike(line.normalize('NFKC').replace(INVISIBLE, '')).replace(LEADING_MARKS, '');
  return PROTOCOL.test(bare) || HEADING.test(bare) || /^\W*(?:<<<|>>>)/.test(line);
}
