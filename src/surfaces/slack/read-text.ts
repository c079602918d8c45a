// Slack's text as people read it. Slack writes mentions, channels, links and dates in angle brackets and escapes three
// characters. Whom it mentions is taken from there alone: a name that somebody merely typed pings nobody on Slack.
import { EVENT_LIMITS, type Mention } from '../../protocol/chat-event.ts';

export interface ReadText {
  text: string;
  mentions: Mention[];
}

/** Who somebody is. Undefined: not known yet, so the id stands in for the name. */
export type NameOf = (id: string) => { name: string; isBot: boolean } | undefined;

const TOKEN = /<([^<>]+)>/g;
const BROADCASTS: ReadonlySet<string> = new Set(['here', 'channel', 'everyone']);

export function readText(raw: string, nameOf: NameOf): ReadText {
  const mentions = new Map<string, Mention>();
  const mention = (kind: Mention['kind'], id: string): void => {
    if (mentions.size < EVENT_LIMITS.mentions) mentions.set(`${kind}:${id}`, { kind, id });
  };
  const text = raw.replaceAll(TOKEN, (whole, inner: string) => {
    const bar = inner.indexOf('|');
    const head = bar < 0 ? inner : inner.slice(0, bar);
    const label = bar < 0 ? undefined : inner.slice(bar + 1);
    return shownAs(head, label, nameOf, mention) ?? whole;
  });
  return { text: unescaped(text), mentions: [...mentions.values()] };
}

/** Undefined: no form that Slack writes. */
function shownAs(
  head: string,
  label: string | undefined,
  nameOf: NameOf,
  mention: (kind: Mention['kind'], id: string) => void,
): string | undefined {
  const rest = head.slice(1);
  if (head.startsWith('@') && rest !== '') {
    const known = nameOf(rest);
    mention(known?.isBot === true ? 'agent' : 'human', rest);
    return `@${known?.name ?? label ?? rest}`;
  }
  if (head.startsWith('#') && rest !== '') return `#${label === undefined || label === '' ? rest : label}`;
  if (head.startsWith('!')) return special(rest, label, mention);
  if (!/^[a-z][a-z0-9+.-]*:/i.test(head)) return undefined;
  const address = head.replace(/^(?:mailto|tel):/i, '');
  if (label === undefined || label === head || label === address) return address;
  return `${label} (${address})`;
}

function special(
  rest: string,
  label: string | undefined,
  mention: (kind: Mention['kind'], id: string) => void,
): string | undefined {
  const [word = '', ...values] = rest.split('^');
  if (BROADCASTS.has(word)) {
    mention('broadcast', word);
    return `@${word}`;
  }
  const [id] = values;
  if (word === 'subteam' && id !== undefined && id !== '') {
    mention('role', id);
    return `@${(label ?? id).replace(/^@/, '')}`;
  }
  return label;
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** The people whom a text mentions, so that their names can be looked up first. */
export function peopleIn(raw: string): string[] {
  return [...raw.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].flatMap(([, id]) => id ?? []);
}
