// What an agent says, as Slack takes it. Only `mentions` ping: they are written as `<@U1>`. Whatever else in a text would
// ping somebody is broken by an invisible character, so it looks the same and reaches nobody. The key of the send
// travels as metadata, by which the message is recognised when it comes back or is looked for.
import type { OutboundMention, OutboundMessage } from '../surface.ts';
import type { SlackMessage } from './payload.ts';

/** As much Markdown as Slack takes in one message. */
export const MAX_CHARS = 12_000;
const EVENT_TYPE = 'earshot';
const USER_ID = /^[UW][A-Z0-9]+$/;
/** Zero width space. */
const BREAK = '\u200B';

export interface WriteOptions {
  /** False: this server knows no Markdown, so the text goes as plain text. */
  markdown: boolean;
  /** Whether the app may post under the agent's name. */
  persona: boolean;
  /** How people are called, to find where a text mentions them. */
  nameOf: (id: string) => string | undefined;
}

/** The arguments of chat.postMessage. */
export function postOf(message: OutboundMessage, options: WriteOptions): Record<string, unknown> {
  const { place, persona, idempotencyKey, agent } = message;
  const thread = place.opens?.platformId ?? (place.parentId === undefined ? undefined : place.conversationId);
  const text = textOf(message, options);
  return {
    channel: channelOf(place),
    ...(options.markdown ? { markdown_text: text } : { text }),
    ...(thread !== undefined && { thread_ts: thread }),
    metadata: { event_type: EVENT_TYPE, event_payload: { key: idempotencyKey, agent } },
    ...(options.persona && { username: persona.name, ...iconOf(persona.icon) }),
  };
}

export function channelOf({ conversationId, parentId }: OutboundMessage['place']): string {
  return parentId ?? conversationId;
}

function iconOf(icon: string | undefined): Record<string, string> {
  if (icon === undefined) return {};
  if (icon.startsWith('https://')) return { icon_url: icon };
  return /^:[^:\s]+:$/.test(icon) ? { icon_emoji: icon } : {};
}

/** The key of our send, if the message has one. Trusted only in messages of our own login. */
export function keyIn({ metadata }: SlackMessage): string | undefined {
  const key = metadata?.event_type === EVENT_TYPE ? metadata.event_payload?.['key'] : undefined;
  return typeof key === 'string' && key !== '' ? key : undefined;
}

export function textOf({ text, mentions }: OutboundMessage, { markdown, nameOf }: WriteOptions): string {
  const harmless = withoutPings(text);
  const escaped = markdown ? harmless : escapedText(harmless);
  return withMentions(escaped, mentions, nameOf);
}

/** Forms that Slack reads as a ping, whole or with an escaped bracket. */
const BRACKET = /(<|&lt;|&#0*60;|&#x0*3c;)(?=@[UWB][A-Z0-9]|!(?:here|channel|everyone|subteam)\b)/gi;
/** Words that some clients turn into a ping. */
const WORD = /(^|[^\w@])@(?=(?:here|channel|everyone)\b)/gi;

export function withoutPings(text: string): string {
  return text.replaceAll(BRACKET, `$1${BREAK}`).replaceAll(WORD, `$1@${BREAK}`);
}

/** Plain text has three characters that must be escaped. */
function escapedText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Each mention is written where its `@name` stands outside of code; else in front. */
function withMentions(
  text: string,
  mentions: readonly OutboundMention[],
  nameOf: (id: string) => string | undefined,
): string {
  let out = text;
  const front: string[] = [];
  for (const mention of mentions) {
    const id = accountOf(mention);
    if (id === undefined) continue;
    const names = [mention.name, nameOf(id), id].filter((name): name is string => Boolean(name));
    const at = placeOfName(out, names);
    if (at === undefined) front.push(`<@${id}>`);
    else out = `${out.slice(0, at.start)}<@${id}>${out.slice(at.end)}`;
  }
  return front.length === 0 ? out : `${front.join(' ')} ${out}`;
}

/** The user that a mention is of. People are known by their Slack id; an agent only by an account of its own. */
function accountOf({ identity, account }: OutboundMention): string | undefined {
  const given = account ?? (identity.startsWith('human:') ? identity.slice('human:'.length) : undefined);
  const id = given?.slice(given.lastIndexOf('/') + 1);
  return id !== undefined && USER_ID.test(id) ? id : undefined;
}

/** Next to these a name is part of something else, or was broken on purpose. */
const IN_WORD = /[\p{L}\p{N}_\u200B]/u;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

function placeOfName(text: string, names: readonly string[]): { start: number; end: number } | undefined {
  const code = [...text.matchAll(CODE)].map((hit) => [hit.index, hit.index + hit[0].length] as const);
  const lower = text.toLowerCase();
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    const wanted = `@${name.toLowerCase()}`;
    for (let start = lower.indexOf(wanted); start >= 0; start = lower.indexOf(wanted, start + 1)) {
      const end = start + wanted.length;
      const inCode = code.some(([from, to]) => start >= from && start < to);
      const isPart = IN_WORD.test(text[start - 1] ?? ' ') || IN_WORD.test(text[end] ?? ' ');
      if (!inCode && !isPart) return { start, end };
    }
  }
  return undefined;
}
