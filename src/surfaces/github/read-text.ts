// GitHub's text as people read it, and whom it mentions. GitHub tells no list of mentions: it links `@login` and
// `@org/team` in whatever is neither code nor a comment in HTML, and notifies nobody of what is only quoted. Nobody sees
// comments in HTML, so they are left out: templates are full of them, and they are a place to hide words for a model.
import { EVENT_LIMITS, type Mention } from '../../protocol/chat-event.ts';
import { codeSpans, QUOTE, textLines } from '../../protocol/text-lines.ts';

/** Who we are, as people write it: the login, and of an app the name without `[bot]`. */
export interface Self {
  login: string;
  isApp: boolean;
}

export interface Reader {
  self: Self;
  /** The other logins of this surface. */
  others?: readonly Self[] | undefined;
  /** Whose repository it is: only its own teams are linked there. */
  owner: string;
}

const NAME =
  /(?<![\p{L}\p{N}_@/.-])@([a-z\d](?:-?[a-z\d]){0,38})(\[bot\])?(?:\/([a-z\d][\w.-]*[\w]|[a-z\d]))?(?![\w@])/giu;

export function mentionsIn(text: string, { self, others = [], owner }: Reader): Mention[] {
  const ours = [self, ...others];
  const found = new Map<string, Mention>();
  for (const said of ownLines(text)) {
    for (const [, name = '', bot = '', team] of said.matchAll(NAME)) {
      const mention = mentionOf({ name: name.toLowerCase(), bot, team: team?.toLowerCase() }, ours, owner);
      if (mention !== undefined && found.size < EVENT_LIMITS.mentions)
        found.set(`${mention.kind}:${mention.id}`, mention);
    }
  }
  return [...found.values()];
}

interface Name {
  name: string;
  bot: string;
  team: string | undefined;
}

function mentionOf({ name, bot, team }: Name, ours: readonly Self[], owner: string): Mention | undefined {
  if (team !== undefined)
    return name === owner.toLowerCase() ? { kind: 'role', id: `${name}/${team}` } : undefined;
  const self = ours.find((one) => isSelf(name + bot, one));
  if (self !== undefined) return { kind: 'agent', id: self.login };
  return { kind: bot === '' ? 'human' : 'agent', id: name + bot };
}

export function isSelf(name: string, { login, isApp }: Self): boolean {
  return name === login || (isApp && `${name}[bot]` === login);
}

/** Lines that are no code and no quotation, without code within them. */
function ownLines(text: string): string[] {
  return textLines(text).flatMap(({ start, end, fence, isMark }) => {
    const line = text.slice(start, end);
    if (fence !== undefined || isMark || QUOTE.test(line)) return [];
    let said = '';
    let from = 0;
    for (const span of codeSpans(line)) {
      said += `${line.slice(from, span.start)} `;
      from = span.end;
    }
    return [said + line.slice(from)];
  });
}

/** So many comments are looked for in one text. */
const COMMENTS_MAX = 64;

/** The text without its comments in HTML, but for those in code, which people see. */
export function withoutComments(raw: string): string {
  let text = raw.replaceAll('\r\n', '\n');
  for (let count = 0; count < COMMENTS_MAX && text.includes('<!--'); count++) {
    const start = commentIn(text);
    if (start < 0) break;
    const end = text.indexOf('-->', start);
    text = text.slice(0, start) + (end < 0 ? '' : text.slice(end + '-->'.length));
  }
  return text.trim();
}

/** Where the first comment begins that is not in code. -1: there is none. */
function commentIn(text: string): number {
  for (const { start, end, fence, isMark } of textLines(text)) {
    if (fence !== undefined || isMark) continue;
    const line = text.slice(start, end);
    const code = codeSpans(line);
    for (let at = line.indexOf('<!--'); at >= 0; at = line.indexOf('<!--', at + 1))
      if (!code.some((span) => at >= span.start && at < span.end)) return start + at;
  }
  return -1;
}
