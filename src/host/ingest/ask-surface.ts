// What the host asks a surface about a conversation: its earlier messages, and its members. Both are optional: a
// surface that cannot answer changes nothing.
//
// History is asked for once, when the first event of an unknown conversation arrives. The answer is stored before that
// event, all of it or nothing, as `backfill`. It gives facts and context to the first turn; no agent decides about it.
import { isPairingText } from '../../attention/index.ts';
import { type ChatEvent, chatEventSchema } from '../../protocol/chat-event.ts';
import { hostId } from '../../protocol/derived-id.ts';
import { instantMs } from '../../protocol/log-record.ts';
import { readParams } from '../../protocol/read-params.ts';
import type { HistoryRequest, Surface } from '../../surfaces/surface.ts';
import { combineUnits, type HostNews } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { conversationKeyOf, placeOf, readConversation } from '../kernel/conversation.ts';
import { surfacePlace } from '../outbox/on-platform.ts';
import type { Committer } from './committer.ts';
import type { Echoes } from './own-posts.ts';
import { refusalFor } from './door.ts';

export interface Histories {
  /** Whether this is the first event of its conversation, on a surface that has a history. */
  isDue(event: ChatEvent, conversation: string, surface: string): boolean;
  /** Asks for the history and stores it. Never rejects: after a failure the conversation begins without history. */
  load(event: ChatEvent, conversation: string, surface: string): Promise<void>;
}

export const HISTORY_LIMITS = {
  /** Older messages are no context for the current one. */
  ageMs: 24 * 3_600_000,
  /** Conversations remembered as asked. When it is full it starts empty, and a few may be asked about twice. */
  asked: 10_000,
} as const;

export interface HistoryDeps {
  context: HostContext;
  committer: Committer;
  echoes: Echoes;
  surface: (id: string) => Surface | undefined;
  isKnown: (conversation: string) => boolean;
}

export function createHistories(deps: HistoryDeps): Histories {
  const { context } = deps;
  const { historyEvents, historyTimeoutMs } = context.settings.limits;
  const off = historyEvents === 0 || historyTimeoutMs === 0;
  const asked = new Set<string>();
  return {
    isDue: (event, conversation, surface) =>
      !off &&
      deps.surface(surface)?.history !== undefined &&
      !deps.isKnown(conversation) &&
      !asked.has(conversation) &&
      event.origin !== 'backfill',
    async load(event, conversation, surface) {
      if (asked.size >= HISTORY_LIMITS.asked) asked.clear();
      asked.add(conversation);
      try {
        // Another host has begun it.
        if (!context.changes.isAlone && (await context.store.state(conversation)) !== undefined) return;
        const answer = await askHistory(deps, event, surface);
        await storeBackfill(deps, usableHistory(context, answer, event, surface), surface);
      } catch (error) {
        context.log.warn({ err: error, conversation }, 'the history could not be read; it begins here');
      }
    },
  };
}

/** Rejects after the time limit. An answer that comes later is not used, because the conversation has gone on. */
function askHistory(
  { context, surface }: HistoryDeps,
  event: ChatEvent,
  id: string,
): Promise<readonly unknown[]> {
  const { historyEvents, historyTimeoutMs } = context.settings.limits;
  const abort = new AbortController();
  const request: HistoryRequest = {
    place: surfacePlace(placeOf(event)),
    before: instantMs(event.at),
    limit: historyEvents,
    signal: abort.signal,
  };
  return new Promise((resolve, reject) => {
    const cancel = context.clock.after(historyTimeoutMs, () => {
      reject(new Error(`no answer within ${historyTimeoutMs} ms`));
      abort.abort();
    });
    Promise.resolve()
      .then(() => surface(id)?.history?.(request) ?? [])
      .then(resolve, reject)
      .finally(cancel);
  });
}

/** The newest usable messages from before the event, oldest first by the source's clock. */
function usableHistory(
  { clock, settings: { limits }, log, speakers }: HostContext,
  answer: readonly unknown[],
  live: ChatEvent,
  surface: string,
): ChatEvent[] {
  const before = instantMs(live.at);
  const since = clock.now() - HISTORY_LIMITS.ageMs;
  const conversation = conversationKeyOf(placeOf(live));
  const past = new Map<string, ChatEvent>();
  let unusable = 0;
  for (const value of answer) {
    const read = readParams(chatEventSchema, value);
    const event = read.ok ? read.value : undefined;
    if (
      event === undefined ||
      refusalFor(speakers, event, surface) !== undefined ||
      !isMessageOf(event, conversation)
    ) {
      unusable++;
      continue;
    }
    const at = instantMs(event.at);
    // A message that is not older may still arrive as an event, and is decided then.
    if (event.eventId === live.eventId || at >= before || at < since) continue;
    // A pairing code in the history must not be shown or used.
    if (isPairingText(event.text ?? '')) continue;
    past.set(event.eventId, { ...event, conversation: live.conversation, origin: 'backfill' });
  }
  if (unusable > 0) log.warn({ surface, unusable }, 'a history held what is no message of its conversation');
  const inOrder = [...past.values()].toSorted((a, b) => instantMs(a.at) - instantMs(b.at));
  return inOrder.slice(-limits.historyEvents);
}

function isMessageOf(
  event: ChatEvent,
  conversation: string,
): event is Extract<ChatEvent, { type: 'message' }> {
  return event.type === 'message' && conversationKeyOf(placeOf(event)) === conversation;
}

async function storeBackfill(
  { context, committer, echoes }: HistoryDeps,
  past: readonly ChatEvent[],
  surface: string,
): Promise<void> {
  if (past.length === 0) return;
  const inputs = await Promise.all(
    past.map((event) => echoes.prepareWithEventIds(committer, event, surface, 'source')),
  );
  await context.apply(combineUnits(inputs.map((input) => committer.unit(input))));
}

// Membership is read again when somebody speaks for the first time in a conversation. The read never delays the
// decision about that message: the answer becomes an event of its own, for the decisions that follow.

export const MEMBERSHIP_LIMITS = {
  /** Rooms whose speakers are remembered. */
  rooms: 10_000,
  /** A room is read again at most this often. */
  everyMs: 10_000,
} as const;

interface MembershipDeps {
  context: HostContext;
  committer: Committer;
  surface: (id: string) => Surface | undefined;
}

/** Who has spoken in a conversation since the host started, and when its members were last read. */
interface SpeakersOf {
  speakers: Set<string>;
  readAt: number;
}

type Logged = Extract<HostNews, { type: 'logged' }>;

/** Starts to listen to the log. */
export function startMembership(deps: MembershipDeps): void {
  const rooms = new Map<string, SpeakersOf>();
  const { clock, log, bus } = deps.context;
  bus.listen((news) => {
    if (news.type !== 'logged') return;
    const { row } = news;
    const { event } = row.record;
    if (event.type !== 'message' || event.author.kind !== 'human') return;
    const room = rooms.get(row.conversation) ?? { speakers: new Set(), readAt: Number.NEGATIVE_INFINITY };
    if (room.speakers.has(event.author.id)) return;
    if (rooms.size >= MEMBERSHIP_LIMITS.rooms) rooms.clear();
    rooms.set(row.conversation, room);
    room.speakers.add(event.author.id);
    // The message brought its own membership, so there is no need to ask.
    if (event.membership !== undefined || clock.now() - room.readAt < MEMBERSHIP_LIMITS.everyMs) return;
    room.readAt = clock.now();
    readMembers(deps, row).catch((error: unknown) => {
      log.warn({ err: error, conversation: row.conversation }, 'the membership could not be read');
    });
  });
}

async function readMembers(
  { context, committer, surface: surfaceOf }: MembershipDeps,
  { record: { event }, conversation: key }: Logged['row'],
): Promise<void> {
  const state = await readConversation(context.store, key);
  const surface = state === undefined ? undefined : surfaceOf(state.surface);
  if (surface?.members === undefined) return;
  const { platform, workspaceId, conversation } = event;
  const membership = await surface.members(surfacePlace(placeOf(event)));
  if (membership === undefined) return;
  await committer.record({
    eventId: hostId('members', context.random.id()),
    at: context.clock.now(),
    platform,
    workspaceId,
    conversation,
    author: { id: 'earshot', kind: 'system' },
    type: 'membership',
    membership,
  });
}
