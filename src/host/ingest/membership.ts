// Who is in a room. The membership is read again when somebody speaks there who has not been heard before. The read comes
// behind the decision, never in front of it: it is an event of the conversation, for the decisions that come after.
import type { Surface } from '../../surfaces/surface.ts';
import type { HostContext } from '../kernel/context.ts';
import { readConversation } from '../kernel/conversation.ts';
import type { HostNews } from '../kernel/change.ts';
import type { Committer } from './committer.ts';

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
