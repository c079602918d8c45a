// What a surface is asked about a conversation: what was said before, and who is there.
// History: the first event of an unknown conversation makes the host ask its surface once, within a time. The answer is
// stored in front of the event, all of it or nothing, as `backfill`. It feeds facts and is context for the first turn; it
// is never decided.
import { isPairingText } from '../../attention/index.ts';
import { type ChatEvent, chatEventSchema } from '../../protocol/chat-event.ts';
import { instantMs } from '../../protocol/log-record.ts';
import { readParams } from '../../protocol/read-params.ts';
import type { HistoryRequest, Surface } from '../../surfaces/surface.ts';
import { combineUnits, type HostNews } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { conversationKeyOf, placeOf, readConversation } from '../kernel/conversation.ts';
import { surfacePlace } from '../outbox/on-platform.ts';
import type { Committer } from './committer.ts';
import type { Echoes } from './own-posts.ts';
import { refusedBy } from './ingest.ts';

export interface Histories {
  /** Is this the first that is heard of its conversation, on a surface that remembers? */
  isDue(event: ChatEvent, conversation: string, surface: string): boolean;
  /** Never rejects: without history it goes on as without a past. */
  take(event: ChatEvent, conversation: string, surface: string): Promise<void>;
}

export const HISTORY_LIMITS = {
  /** Older than this is no context for what is said now. */
  ageMs: 24 * 3_600_000,
  /** Conversations asked about and not yet known; beyond it a few may be asked about twice. */
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
    async take(event, conversation, surface) {
      if (asked.size >= HISTORY_LIMITS.asked) asked.clear();
      asked.add(conversation);
      try {
        const answer = await ask(deps, event, surface);
        await store(deps, pastOf(context, answer, event, surface), surface);
      } catch (error) {
        context.log.warn({ err: error, conversation }, 'the history could not be read; it begins here');
      }
    },
  };
}

/** Whatever comes later than the limit is not waited for, and not used: by then people have gone on. */
function ask({ context, surface }: HistoryDeps, event: ChatEvent, id: string): Promise<readonly unknown[]> {
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

/** The newest messages of the conversation before the event, the oldest first by the source's clock. */
function pastOf(
  { clock, settings: { limits }, log }: HostContext,
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
    if (event === undefined || refusedBy(event, surface) !== undefined || !isOf(event, conversation)) {
      unusable++;
      continue;
    }
    const at = instantMs(event.at);
    // What is not older may still come by itself, and is then to be decided.
    if (event.eventId === live.eventId || at >= before || at < since) continue;
    // A code in the past is nobody's to use any more.
    if (isPairingText(event.text ?? '')) continue;
    past.set(event.eventId, { ...event, conversation: live.conversation, origin: 'backfill' });
  }
  if (unusable > 0) log.warn({ surface, unusable }, 'a history held what is no message of its conversation');
  const inOrder = [...past.values()].toSorted((a, b) => instantMs(a.at) - instantMs(b.at));
  return inOrder.slice(-limits.historyEvents);
}

function isOf(event: ChatEvent, conversation: string): event is Extract<ChatEvent, { type: 'message' }> {
  return event.type === 'message' && conversationKeyOf(placeOf(event)) === conversation;
}

async function store(
  { context, committer, echoes }: HistoryDeps,
  past: readonly ChatEvent[],
  surface: string,
): Promise<void> {
  if (past.length === 0) return;
  const inputs = await Promise.all(past.map((event) => echoes.prepareNamed(committer, event, surface)));
  await context.apply(combineUnits(inputs.map((input) => committer.unit(input))));
}

// Membership: it is read again when somebody speaks who has not been heard there before. The read comes behind the
// decision, never in front of it: it is an event of the conversation, for the decisions that come after.

export const MEMBERSHIP_LIMITS = {
  /** Rooms whose speakers are remembered, and how soon a room is read again. */
  rooms: 10_000,
  everyMs: 10_000,
} as const;

interface MembershipDeps {
  context: HostContext;
  committer: Committer;
  surface: (id: string) => Surface | undefined;
}

/** Who has been heard in a conversation since the host started, and when its members were last read. */
interface HeardThere {
  speakers: Set<string>;
  readAt: number;
}

type Logged = Extract<HostNews, { type: 'logged' }>;

/** Listens to the log from now on. */
export function startMembership(deps: MembershipDeps): void {
  const rooms = new Map<string, HeardThere>();
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
    // A membership that came with the message itself is as good as one that was asked for.
    if (event.membership !== undefined || clock.now() - room.readAt < MEMBERSHIP_LIMITS.everyMs) return;
    room.readAt = clock.now();
    readAgain(deps, row).catch((error: unknown) => {
      log.warn({ err: error, conversation: row.conversation }, 'the membership could not be read');
    });
  });
}

async function readAgain(
  { context, committer, surface: surfaceOf }: MembershipDeps,
  { record: { event }, conversation: key }: Logged['row'],
): Promise<void> {
  const state = await readConversation(context.store, key);
  const surface = state === undefined ? undefined : surfaceOf(state.surface);
  if (surface?.members === undefined) return;
  const { platform, workspaceId, conversation } = event;
  const { id, parentId } = conversation;
  const place = { workspaceId, conversationId: id, ...(parentId === undefined ? {} : { parentId }) };
  const membership = await surface.members(place);
  if (membership === undefined) return;
  await committer.record({
    eventId: `members_${context.random.id()}`,
    at: context.clock.now(),
    platform,
    workspaceId,
    conversation,
    author: { id: 'earshot', kind: 'system' },
    type: 'membership',
    membership,
  });
}
