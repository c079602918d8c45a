// Who is in a room, read again when somebody speaks there who has not been heard before: behind the decision, never in
// front of it. The read is an event of the conversation, for the decisions that come after.
import type { Surface } from '../../surfaces/surface.ts';
import type { HostNews } from '../kernel/context.ts';
import { type IngestDeps, commit } from './ingest.ts';

export const MEMBERSHIP_LIMITS = {
  /** Rooms whose speakers are remembered, and how soon a room is read again. */
  rooms: 10_000,
  everyMs: 10_000,
} as const;

interface Room {
  speakers: Set<string>;
  readAt: number;
}

type Logged = Extract<HostNews, { type: 'logged' }>;

export function createMembership(
  deps: IngestDeps,
  surfaceOf: (conversation: string) => Promise<Surface | undefined>,
): (news: Logged) => void {
  const rooms = new Map<string, Room>();
  const { clock, log } = deps.context;
  return ({ row }) => {
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
    readAgain(deps, row, surfaceOf).catch((error: unknown) => {
      log.warn({ err: error, conversation: row.conversation }, 'the membership could not be read');
    });
  };
}

async function readAgain(
  deps: IngestDeps,
  { record: { event }, conversation: key }: Logged['row'],
  surfaceOf: (conversation: string) => Promise<Surface | undefined>,
): Promise<void> {
  const surface = await surfaceOf(key);
  if (surface?.members === undefined) return;
  const { platform, workspaceId, conversation } = event;
  const { id, parentId } = conversation;
  const place = { workspaceId, conversationId: id, ...(parentId === undefined ? {} : { parentId }) };
  const membership = await surface.members(place);
  if (membership === undefined) return;
  const { clock, random } = deps.context;
  await commit(
    deps,
    {
      eventId: `members_${random.id()}`,
      at: clock.now(),
      platform,
      workspaceId,
      conversation,
      author: { id: 'earshot', kind: 'system' },
      type: 'membership',
      membership,
    },
    surface.id,
  );
}
