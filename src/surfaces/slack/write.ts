// What an agent says, as Slack takes it. Only `mentions` ping: they are written as `<@U1>`, and whatever else would ping
// somebody is made harmless. The key of the send travels as metadata, by which the message is recognised when it comes back or is looked for.
import {
  onlyMentionsPing,
  type OutboundAmendment,
  type OutboundMention,
  type OutboundMessage,
  type PingSyntax,
} from '../surface.ts';
import type { SlackMessage } from './payload.ts';

/** As much Markdown as Slack takes in one message. */
const SLACK_CHARS = 12_000;
/** What an agent may say in one: mentions and what makes pings harmless come on top. */
export const MAX_CHARS = 11_000;
const EVENT_TYPE = 'earshot';
const USER_ID = /^[UW][A-Z0-9]+$/;

export type Edit = Extract<OutboundAmendment, { type: 'edit' }>;

export interface WriteOptions {
  /** False: this server knows no Markdown, so the text goes as plain text. */
  markdown: boolean;
  /** Whether the app may post under the agent's name. */
  persona: boolean;
  /** How people are called, to find where a text mentions them. */
  nameOf: (id: string) => string | undefined;
}

/** The arguments of chat.postMessage. Undefined: it is longer than Slack takes. */
export function postOf(message: OutboundMessage, options: WriteOptions): Record<string, unknown> | undefined {
  const { place, persona, idempotencyKey, agent } = message;
  const thread = threadOf(place);
  const text = textOf(message, options);
  if (text.length > SLACK_CHARS) return undefined;
  return {
    channel: channelOf(place),
    ...(options.markdown ? { markdown_text: text } : { text }),
    ...(thread !== undefined && { thread_ts: thread }),
    metadata: metadataOf(idempotencyKey, agent),
    ...(options.persona && shownAs(persona)),
  };
}

/** What nobody sees, and the message is known by. */
export function metadataOf(key: string, agent: string): Record<string, unknown> {
  return { event_type: EVENT_TYPE, event_payload: { key, agent } };
}

/** The arguments of chat.update. Slack keeps the name, the thread and the metadata of the message. */
export function updateOf(
  { place, text, mentions }: Edit,
  ts: string,
  options: WriteOptions,
): Record<string, unknown> | undefined {
  const written = textOf({ text, mentions }, options);
  if (written.length > SLACK_CHARS) return undefined;
  return {
    channel: channelOf(place),
    ts,
    ...(options.markdown ? { markdown_text: written } : { text: written }),
  };
}

export function channelOf({ conversationId, parentId }: OutboundMessage['place']): string {
  return parentId ?? conversationId;
}

/** The root's ts, for a message in a thread. */
export function threadOf({ conversationId, parentId, opens }: OutboundMessage['place']): string | undefined {
  return opens?.platformId ?? (parentId === undefined ? undefined : conversationId);
}

/** The agent's name and icon, where the app may post under them. */
export function shownAs({ name, icon }: OutboundMessage['persona']): Record<string, string> {
  return { username: name, ...iconOf(icon) };
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

export function textOf(
  { text, mentions }: Pick<OutboundMessage, 'text' | 'mentions'>,
  { markdown, nameOf }: WriteOptions,
): string {
  const safe = markdown ? text.replaceAll(ESCAPED, `$1${JOINER}`) : escapedText(text);
  return onlyMentionsPing(
    safe,
    mentions.flatMap((mention) => named(mention, nameOf)),
    SYNTAX,
  );
}

/** Slack reads its own forms inside of code too. */
const SYNTAX: PingSyntax = { form: (account) => `<@${account}>`, inCode: 'pings' };
/** A bracket that Markdown would turn into one. */
const ESCAPED = /(&lt;|&#0*60;|&#x0*3c;)(?=[@!])/gi;
const JOINER = '\u2060';

/** Plain text has three characters that must be escaped. */
function escapedText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Somebody under every name that a text may have for them. Who has no Slack id is left as text. */
function named(mention: OutboundMention, nameOf: (id: string) => string | undefined): OutboundMention[] {
  const { identity, account = '' } = mention;
  const id = account.slice(account.lastIndexOf('/') + 1);
  if (!USER_ID.test(id)) return [];
  const names = new Set([mention.name, nameOf(id), id].filter((name): name is string => Boolean(name)));
  return [...names].map((name) => ({ identity, name, account: id }));
}
