// Splits a stretch of prose into plain text, mentions and links. A mention is only what the host resolved; a link is only
// what isSafeHref allows. Everything else stays as it was written.
import type { WebAgent, WebMention } from '../../../protocol/web-chat.ts';
import { isSafeHref } from '../markdown/safe-href.ts';

export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; text: string; mention: WebMention }
  | { kind: 'link'; text: string; href: string };

/** Bounded, because the brackets of each are counted. */
const URL_LIKE = /(?:https?:\/\/|(?<![\p{L}\p{N}@./-])www\.)[^\s<>"'`]{1,2000}/giu;
const EMAIL_LIKE = /(?<![\w.+/:-])[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}(?![\w-])/gi;
/** Characters that end a sentence and not an address. */
const TRAILING = /[.,;:!?…'"»”]+$/u;

export function partsOf(
  text: string,
  mentions: readonly WebMention[],
  agents: ReadonlyMap<string, WebAgent>,
): Part[] {
  const spans = [...text.matchAll(URL_LIKE)].flatMap(({ 0: found, index }) => {
    const shown = trimmed(found);
    return linkSpan(index, shown, /^www/i.test(shown) ? `https://${shown}` : shown);
  });
  if (text.includes('@')) {
    for (const { 0: found, index } of text.matchAll(EMAIL_LIKE))
      spans.push(...linkSpan(index, found, `mailto:${found}`));
    spans.push(...mentionSpans(text, mentions, agents));
  }
  return filled(text, spans);
}

function linkSpan(from: number, text: string, href: string): Span[] {
  return isSafeHref(href) ? [{ from, to: from + text.length, part: { kind: 'link', text, href } }] : [];
}

interface Span {
  from: number;
  to: number;
  part: Part;
}

function mentionSpans(
  text: string,
  mentions: readonly WebMention[],
  agents: ReadonlyMap<string, WebAgent>,
): Span[] {
  const spans = mentions.flatMap((mention): Span[] =>
    namesOf(mention, agents).flatMap((name) => {
      const pattern = new RegExp(`@${escaped(name)}(?![\\p{L}\\p{N}_])`, 'giu');
      return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
        from: index,
        to: index + found.length,
        part: { kind: 'mention', text: found, mention },
      }));
    }),
  );
  // At one place, the longest name wins.
  return spans.toSorted((a, b) => a.from - b.from || b.to - a.to);
}

function namesOf({ kind, id, name }: WebMention, agents: ReadonlyMap<string, WebAgent>): readonly string[] {
  const aliases = kind === 'agent' ? (agents.get(id)?.aliases ?? []) : [];
  return [...new Set([name, id, ...aliases])].filter((one) => one !== '');
}

/** The spans with the plain text between them. If two overlap, the first counts. */
function filled(text: string, spans: readonly Span[]): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { from, to, part } of spans.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from < end) continue;
    if (from > end) parts.push({ kind: 'text', text: text.slice(end, from) });
    parts.push(part);
    end = to;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

function escaped(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
}

function trimmed(url: string): string {
  let shown = url.replace(TRAILING, '');
  // A closing bracket belongs to the text if it was opened before the address.
  while (/[)\]}]$/.test(shown) && !isBalanced(shown)) shown = shown.slice(0, -1).replace(TRAILING, '');
  return shown;
}

const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const;

function isBalanced(text: string): boolean {
  return BRACKETS.every(([open, close]) => text.split(open).length >= text.split(close).length);
}
