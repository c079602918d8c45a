// What a Claude Code channel carries: knocks and withdrawals, as `notifications/claude/channel`. Its `content` becomes the
// body of a <channel> tag and each member of `meta` an attribute, so both are made of code words, ids and sanitised names
// only. Invariant: not a byte of what people wrote, except a name; the message is read with a tool.
import { headerWord } from '../../protocol/identity.ts';
import type { Knock } from '../../protocol/knock.ts';
import { toolNameForModel } from '../../protocol/tool-name.ts';
import { WIRE_LIMITS } from '../../protocol/wire-fields.ts';

/** A client listens for notices when the server offers this experimental capability. */
export const CHANNEL_CAPABILITY = 'claude/channel';
export const CHANNEL_METHOD = 'notifications/claude/channel';
/** With this one it also tells the server when it asks for permission, and takes a verdict. */
export const PERMISSION_CAPABILITY = 'claude/channel/permission';
export const PERMISSION_REQUEST_METHOD = 'notifications/claude/channel/permission_request';
export const PERMISSION_METHOD = 'notifications/claude/channel/permission';

export interface ChannelNotice {
  content: string;
  /** Keys may hold letters, digits and underscores. A client drops other keys. */
  meta: Record<string, string>;
}

export interface KnockNotice {
  eventId: string;
  knock: Knock;
  /** True when it is offered to a role. The agent must claim it before reading it. */
  claimFirst: boolean;
  nth: number;
  of: number;
}

const READ = toolNameForModel('chat.read_thread');
const CLAIM = toolNameForModel('chat.claim');
const WAIT = toolNameForModel('chat.wait_events');

export function knockNotice({ eventId, knock, claimFirst, nth, of }: KnockNotice): ChannelNotice {
  const { directedness, policy, priority, topic, ageMs } = knock;
  const [id, from, where] = [idOf(eventId), harmless(knock.from), harmless(knock.where)];
  const name = knock.name === undefined ? undefined : harmless(knock.name);
  const seconds = String(Math.round(ageMs / 1_000));
  const who = name === undefined ? from : `${name} (${from})`;
  const facts = `${topic}, ${directedness}, ${policy}, ${priority} priority, ${seconds} s old`;
  const act = claimFirst
    ? `It is offered to your role: take it with ${CLAIM}, inReplyTo "${id}", or react declined.`
    : `Take it with ${WAIT}, or look at it first with ${READ}, inReplyTo "${id}".`;
  const again = nth === 1 ? '' : ` Knock ${nth} of ${of}: it has not been taken yet.`;
  return {
    content: `${who} in ${where}: ${facts}. ${act}${again}`,
    meta: {
      kind: 'knock',
      event_id: id,
      from,
      ...(name === undefined ? {} : { name }),
      where,
      directedness,
      policy,
      priority,
      topic,
      age_s: seconds,
      knock: String(nth),
      read_with: claimFirst ? CLAIM : WAIT,
    },
  };
}

export function withdrawnNotice(eventId: string, reason: string): ChannelNotice {
  const id = idOf(eventId);
  const why = /^[a-z][a-z_]{0,63}$/.test(reason) ? reason : 'withdrawn';
  return {
    content: `Event "${id}" was withdrawn (${why}). Stop working on it and do not answer it.`,
    meta: { kind: 'withdrawn', event_id: id, reason: why },
  };
}

function idOf(eventId: string): string {
  return harmless(headerWord(eventId, WIRE_LIMITS.idChars));
}

/** Replaces every character that could end an attribute, or begin or end a tag. */
function harmless(word: string): string {
  return word.replace(/["'<>&]/g, '_');
}
