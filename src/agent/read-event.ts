// Reads by hand what the host sends, without a schema library, because an agent author pays for every import. Nothing
// here throws. A missing or unknown value gets the quieter meaning, so a strange frame never starts a turn.
import {
  AUTHOR_KINDS,
  BLOCKS,
  CONVERSATION_KINDS,
  DIRECTEDNESS,
  INJECTION_MODES,
  POLICIES,
  SIGNALS,
} from '../protocol/vocabulary.ts';
import type {
  SeenEvent,
  TurnAttachment,
  TurnAuthor,
  TurnConversation,
  TurnDebt,
  TurnEvent,
  TurnKnock,
} from './event.ts';
import type { Participants } from './names.ts';
import type { AgentIdentity } from './prefix.ts';

export type ReadEvent = { ok: true; event: TurnEvent } | { ok: false; problem: string };

type Fields = Readonly<Record<string, unknown>>;
const NOTHING: Fields = {};

export function readEvent(params: unknown): ReadEvent {
  const fields = record(params);
  const eventId = string(fields['eventId']);
  if (eventId === undefined) return { ok: false, problem: 'eventId: expected a string' };
  const conversation = readConversation(fields);
  if (conversation === undefined) return { ok: false, problem: 'conversation: expected an id and a kind' };
  const [attention, injection, target] = [fields['attention'], fields['injection'], fields['target']].map(
    record,
  );
  const knock = readKnock(fields['knock']);
  const event: TurnEvent = {
    eventId,
    conversation,
    author: readAuthor(fields['author']) ?? { id: 'unknown', kind: 'system' },
    mentions: list(target?.['mentions']).flatMap((mention) => string(mention) ?? []),
    directedness: oneOf(DIRECTEDNESS, target?.['directedness']) ?? 'ambient',
    policy: oneOf(POLICIES, attention?.['policy']) ?? 'must_not_respond',
    reason: codeWord(attention?.['reason']) ?? 'unknown',
    priority: attention?.['priority'] === 'urgent' ? 'urgent' : 'normal',
    mode: oneOf(INJECTION_MODES, injection?.['mode']) ?? 'tool_mailbox',
    context: injection?.['context'] === 'thread_window' ? 'thread_window' : 'none',
    notices: list(attention?.['notices']).flatMap((notice) => codeWord(notice) ?? []),
    requiresThreadCheck: attention?.['requiresThreadCheck'] === true,
    attempt: Math.max(1, integer(record(fields['reliability'])['attempt']) ?? 1),
    // A knock withholds the body, even if one came with it.
    ...(knock === undefined ? readContent(fields['content']) : { text: '', attachments: [], knock }),
  };
  return { ok: true, event: Object.assign(event, optional(fields, attention ?? NOTHING)) };
}

function optional(fields: Fields, attention: Fields): Partial<TurnEvent> {
  const more: Partial<TurnEvent> = {};
  const refersTo = string(fields['refersTo']);
  if (refersTo !== undefined) more.refersTo = refersTo;
  const sourceId = string(record(fields['source'])['eventId']) ?? string(fields['sourceId']);
  if (sourceId !== undefined) more.sourceId = sourceId;
  const deadlineMs = integer(attention['deadlineMs']);
  if (deadlineMs !== undefined) more.deadlineMs = deadlineMs;
  const createdAt = instant(record(fields['timing'])['createdAt'] ?? fields['createdAt']);
  if (createdAt !== undefined) more.createdAt = createdAt;
  const goesOnMs = integer(record(fields['timing'])['goesOnMs']);
  if (goesOnMs !== undefined && goesOnMs >= 0) more.goesOnMs = goesOnMs;
  const addsWithinMs = integer(record(fields['timing'])['addsWithinMs']);
  if (addsWithinMs !== undefined && addsWithinMs >= 0) more.addsWithinMs = addsWithinMs;
  const reaction = record(fields['reaction']);
  const [signal, targetEventId] = [oneOf(SIGNALS, reaction['signal']), string(reaction['targetEventId'])];
  if (signal !== undefined && targetEventId !== undefined) {
    const recipient = string(reaction['recipient']);
    more.reaction = { targetEventId, signal, ...(recipient === undefined ? {} : { recipient }) };
  }
  const owed = record(fields['obligation']);
  const blocks = oneOf(BLOCKS, owed['blocks']);
  const unseen = record(fields['notShown']);
  const [sentId, why] = [string(unseen['eventId']), codeWord(unseen['why'])];
  if (sentId !== undefined && why !== undefined) {
    const reason = string(unseen['reason']);
    more.notShown = { eventId: sentId, why, ...(reason === undefined ? {} : { reason }) };
  }
  const failed = record(fields['unanswered']);
  const [by, because] = [string(failed['by']), codeWord(failed['why'])];
  if (by !== undefined && because !== undefined) {
    const error = string(failed['error']);
    more.unanswered = { by, why: because, ...(error === undefined ? {} : { error }) };
  }
  if (blocks !== undefined) more.obligation = { blocks, defaultAction: string(owed['defaultAction']) ?? '' };
  const { blockedOn, items } = record(fields['escalation']);
  if (string(blockedOn) !== undefined) {
    more.escalation = { blockedOn: string(blockedOn) ?? '', items: list(items).flatMap(readDebt) };
  }
  return more;
}

function readDebt(value: unknown): TurnDebt[] {
  const fields = record(value);
  const eventId = string(fields['eventId']);
  if (eventId === undefined) return [];
  return [
    {
      eventId,
      author: string(fields['author']) ?? 'unknown',
      blocks: oneOf(BLOCKS, fields['blocks']) ?? 'none',
      defaultAction: string(fields['defaultAction']) ?? '',
    },
  ];
}

/** Reads from `turn/started` what was seen while the agent was quiet. */
export function readSeen(result: unknown): SeenEvent[] {
  return list(record(result)['seen']).flatMap((value) => {
    const fields = record(value);
    const eventId = string(fields['eventId']);
    const author = readAuthor(fields['author']);
    if (eventId === undefined || author === undefined) return [];
    const createdAt = instant(fields['createdAt']);
    const seen: SeenEvent = {
      eventId,
      author,
      to: list(fields['to']).flatMap((who) => string(who) ?? []),
      leadIn: fields['leadIn'] === true,
      ...readContent(fields['content']),
    };
    return [createdAt === undefined ? seen : { ...seen, createdAt }];
  });
}

/** Reads from `turn/started` who is in the conversation. */
export function readParticipants(result: unknown): Participants {
  const fields = record(result);
  const found = list(fields['participants']).flatMap((value) => readAuthor(value) ?? []);
  return { list: found, more: Math.max(0, integer(fields['moreParticipants']) ?? 0) };
}

/** Reads from `initialize` who the agent is. */
export function readIdentity(value: unknown): AgentIdentity {
  const fields = record(value);
  const [name, lead] = [string(fields['name']), string(fields['lead'])?.replace(/^agent:/, '')];
  return {
    aliases: readIds(fields['aliases']),
    roles: readIds(fields['roles']),
    ...(name === undefined ? {} : { name }),
    ...(lead === undefined ? {} : { lead }),
  };
}

/** Reads the messages of `chat.read_thread`, without deleted and withheld ones. */
export function readListed(data: unknown): SeenEvent[] {
  const messages = list(record(data)['events']).filter((value) => {
    const { type, deleted, mode } = record(value);
    return type === 'message' && deleted !== true && mode !== 'notify';
  });
  return readSeen({ seen: messages }).filter(
    ({ text, attachments }) => text !== '' || attachments.length > 0,
  );
}

export function readIds(value: unknown): string[] {
  return list(value).flatMap((id) => string(id) ?? []);
}

export function readTyping(params: unknown): { id: string; author: TurnAuthor; typing: boolean } | undefined {
  const fields = record(params);
  const conversation = record(fields['conversation']);
  const id = string(conversation['threadId']) ?? string(conversation['id']);
  const author = readAuthor(fields['author']);
  if (id === undefined || author === undefined) return undefined;
  return { id, author, typing: fields['typing'] !== false };
}

function readConversation(fields: Fields): TurnConversation | undefined {
  const [source, conversation] = [record(fields['source']), record(fields['conversation'])];
  const id = string(conversation['id']);
  const kind = oneOf(CONVERSATION_KINDS, conversation['kind']);
  if (id === undefined || kind === undefined) return undefined;
  const [threadId, streamId] = [string(conversation['threadId']), string(conversation['streamId'])];
  return {
    id,
    kind,
    platform: string(source['platform']) ?? '',
    workspaceId: string(source['workspaceId']) ?? '',
    target: threadId === undefined ? `${kind}:${id}` : `thread:${threadId}`,
    ...(threadId === undefined ? {} : { threadId }),
    ...(streamId === undefined ? {} : { streamId }),
  };
}

function readAuthor(value: unknown): TurnAuthor | undefined {
  const fields = record(value);
  const [id, kind] = [string(fields['id']), oneOf(AUTHOR_KINDS, fields['kind'])];
  if (id === undefined || kind === undefined) return undefined;
  const displayName = string(fields['displayName']);
  return { id, kind, ...(displayName === undefined ? {} : { displayName }) };
}

function readContent(value: unknown): { text: string; attachments: TurnAttachment[] } {
  const parts = list(value).map(record);
  const text = parts
    .flatMap((part) => (part['type'] === 'text' ? (string(part['text']) ?? []) : []))
    .join('\n');
  const attachments = parts
    .filter((part) => part['type'] === 'attachment')
    .flatMap((part): TurnAttachment[] => {
      const id = string(part['id']);
      if (id === undefined) return [];
      const [name, bytes] = [string(part['name']), integer(part['bytes'])];
      const known = { id, kind: codeWord(part['kind']) ?? 'file', ...(name === undefined ? {} : { name }) };
      return [bytes === undefined ? known : { ...known, bytes }];
    });
  return { text, attachments };
}

function readKnock(value: unknown): TurnKnock | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = record(value);
  const [name, ageMs] = [string(fields['name']), integer(fields['ageMs'])];
  return {
    from: string(fields['from']) ?? 'unknown',
    where: string(fields['where']) ?? 'unknown',
    topic: string(fields['topic']) ?? 'message',
    pullWith: fields['pullWith'] === 'chat.list_events' ? 'chat.list_events' : 'chat.read_thread',
    ...(name === undefined ? {} : { name }),
    ...(ageMs === undefined ? {} : { ageMs }),
  };
}

export function record(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NOTHING;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function string(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function integer(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

function codeWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(value) ? value : undefined;
}

function instant(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((word) => word === value);
}
