// Only the mentions of a message ping. A model may write `@everyone`, `<!channel>`, `@org/team` or somebody's id, because
// it was told to or because it read it somewhere. An invisible sign in each of them makes it plain text that looks the
// same. Code is left to the letter where the platform pings nobody from it, because people copy it.
import { codeSpans, type Fence, indentOf, type Span, textLines } from '../protocol/text-lines.ts';
import type { OutboundMention } from './surface.ts';

export interface PingSyntax {
  /** The platform's own form of a mention, by its id of whoever is meant. */
  form: (account: string, mention: OutboundMention) => string;
  /** Whether the platform pings from code. */
  inCode: 'inert' | 'pings';
}

/** It may be longer than the text, so an adapter's `maxChars` leaves room for that. */
export function onlyMentionsPing(
  text: string,
  mentions: readonly OutboundMention[],
  { form, inCode }: PingSyntax,
): string {
  const forms = new Map(
    mentions.flatMap((mention) =>
      mention.account === undefined
        ? []
        : [[mention.name.toLowerCase(), form(mention.account, mention)] as const],
    ),
  );
  const meant = meantPattern([...forms.keys()]);
  const written = new Set<string>();
  const write = (prose: string): string =>
    meant === undefined ? harmless(prose) : writeForms(prose, meant, forms, written);
  const code = inCode === 'inert' ? certainCode(text) : [];
  let shown = '';
  let from = 0;
  for (const { start, end } of [...code, { start: text.length, end: text.length }]) {
    shown += write(text.slice(from, start)) + text.slice(start, end);
    from = end;
  }
  const missing = [...new Set(forms.values())].filter((one) => !written.has(one));
  return inFront(missing, shown);
}

/** `@name` of whoever is meant, the longer names first. */
function meantPattern(names: readonly string[]): RegExp | undefined {
  if (names.length === 0) return undefined;
  const longestFirst = names.toSorted((one, other) => other.length - one.length);
  const either = longestFirst.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}_@/])@(${either})(?![\\p{L}\\p{N}_/-])`, 'giu');
}

function writeForms(
  prose: string,
  meant: RegExp,
  forms: ReadonlyMap<string, string>,
  written: Set<string>,
): string {
  let shown = '';
  let from = 0;
  for (const { index, 0: found, 1: name = '' } of prose.matchAll(meant)) {
    const form = forms.get(name.toLowerCase()) ?? harmless(found);
    written.add(form);
    shown += harmless(prose.slice(from, index)) + form;
    from = index + found.length;
  }
  return shown + harmless(prose.slice(from));
}

/** Whoever is meant and not named in the text. A list or a fence must stay at the start of its line. */
function inFront(forms: readonly string[], text: string): string {
  if (forms.length === 0) return text;
  const isBlock = /^\s*(?:[-*+>#|`~<]|\d{1,9}[.)])/.test(text);
  return forms.join(' ') + (isBlock ? '\n\n' : ' ') + text;
}

/** Word joiner: it has no width, and no platform takes it for a part of a name. */
const JOINER = '\u2060';

/**
 * What pings somewhere: `@` before a name, however it is written in HTML, unless it stands in a word or an address; `@`
 * before everybody, also in a word; and an id or a group in angle brackets. A comment in HTML is none.
 */
const PINGS = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}_])(?:@|&#0*64;|&#x0*40;|&commat;)(?=[\p{L}\p{N}_])`,
    '@(?=everyone|here|channel)',
    '<(?=[@!])(?!!--)',
  ].join('|'),
  'giu',
);
/** An address with a sign in it would lead elsewhere. It ends where any platform would end it. */
const ADDRESS = /\bhttps?:\/\/[\w-]+(?:\.[\w-]+)+[^\s<>()[\]{}"'`*~|\\]*/gi;

function harmless(prose: string): string {
  if (!/[@<&]/.test(prose)) return prose;
  let shown = '';
  let from = 0;
  for (const { index, 0: address } of prose.matchAll(ADDRESS)) {
    shown += broken(prose.slice(from, index)) + address;
    from = index + address.length;
  }
  return shown + broken(prose.slice(from));
}

function broken(prose: string): string {
  return prose.replace(PINGS, (sign) => sign + JOINER);
}

/**
 * What is code beyond doubt. Where platforms might read it otherwise it counts as text, and so does all that follows,
 * because the next mark of a fence may then be an end or a beginning.
 */
function certainCode(text: string): Span[] {
  const spans: Span[] = [];
  let isHtml = false;
  for (const line of textLines(text)) {
    const said = text.slice(line.start, line.end);
    if (line.fence !== undefined) {
      if (!isSurelyInside(said, line.fence)) break;
      spans.push({ start: line.start, end: line.end });
      continue;
    }
    if (RAW_HTML.test(said)) break;
    isHtml = said.trim() !== '' && (isHtml || HTML.test(said));
    if (isHtml && line.isMark) break;
    if (!isHtml) spans.push(...spansIn(said, line.start));
  }
  return spans;
}

/** A block of HTML ends with a blank line, a raw one with a mark of its own. */
const HTML = /^[\s>]*<[a-z/]/i;
const RAW_HTML = /^[\s>]*<(?:pre|script|style|textarea|!|\?)/i;

/** A line that is indented less than its fence ends the list item and the fence with it. So may a shallower quotation. */
function isSurelyInside(said: string, { quoted, indent }: Fence): boolean {
  return !quoted && (said.trim() === '' || indentOf(said) >= indent);
}

/** Tags, escapes and cells of tables go before code spans, so with them nothing is certain. */
function spansIn(said: string, start: number): Span[] {
  if (!said.includes('`') || /[<\\|]/.test(said)) return [];
  return codeSpans(said).map((span) => ({ start: span.start + start, end: span.end + start }));
}
