// Answers in threads. Where any message can carry a thread, an answer to a message of a room goes into the thread on that
// message (`replies: thread`), or stays in the room (`replies: room`). The thread is a conversation of its own from the
// first answer on: its id is the root's on the platform, its parent the room. In the log, the outbox and the state the
// answer belongs there, so its echo is known and the next line in the thread is heard as one to the agent.
import type { Place } from '../../attention/index.ts';
import type { LogRow } from '../../store/tables.ts';
import type { StoreReader } from '../kernel/context.ts';
import { conversationKeyOf, placeOf, readConversation } from '../kernel/conversation.ts';
import { subjectOf } from '../kernel/log-row.ts';
import { namedEvent } from '../outbox/on-platform.ts';
import type { Destination, DestinationDeps } from './private-way.ts';
import type { SendInput } from './send-rules.ts';

/** The thread that an answer to the room goes to; undefined when it stays where it is. */
export async function threadOfAnswer(
  deps: DestinationDeps,
  { visibility }: SendInput,
  { key, to, opens }: Destination,
  answers: LogRow | undefined,
): Promise<Destination | undefined> {
  // What one reader alone sees opens no thread for the others.
  if (visibility === 'ephemeral') return undefined;
  if (answers === undefined || to !== undefined || opens !== undefined || answers.conversation !== key)
    return undefined;
  const { store } = deps.context;
  const room = await readConversation(store, key);
  if (room === undefined || room.place.conversation.kind !== 'channel') return undefined;
  const surface = deps.context.speakers.homeOf(room);
  if (visibility !== 'thread' && repliesIn(deps, room.place, surface) === 'room') return undefined;
  const root = await store.get('log', subjectOf(answers));
  return root === undefined ? undefined : threadOn(deps, root, surface);
}

/** The thread that `thread:ROOT` names before anybody has said anything in it. */
export async function unopenedThread(
  deps: DestinationDeps,
  target: string,
  near: Place | undefined,
): Promise<{ room: string; destination: Destination } | undefined> {
  if (!target.startsWith('thread:')) return undefined;
  const { store } = deps.context;
  const root = await rootNamed(store, target.slice('thread:'.length), near);
  const room = root === undefined ? undefined : await readConversation(store, root.conversation);
  if (root === undefined || room?.place.conversation.kind !== 'channel') return undefined;
  const destination = await threadOn(deps, root, deps.context.speakers.homeOf(room));
  return destination === undefined ? undefined : { room: root.conversation, destination };
}

/** How many events with the same source's id are looked through for one of the place. */
const NAMESAKES = 16;

/** The message with this id: ours, or the one that the platform gave it in the workspace where the agent is. */
async function rootNamed(
  store: StoreReader,
  id: string,
  near: Place | undefined,
): Promise<LogRow | undefined> {
  const isNear = ({ record: { event } }: LogRow): boolean =>
    near === undefined || (event.platform === near.platform && event.workspaceId === near.workspaceId);
  const own = await store.get('log', id);
  if (own?.type === 'message' && isNear(own)) return own;
  const others = await store.scan('log', 'bySourceId', { eq: [id], limit: NAMESAKES, descending: true });
  return others.find((row) => row.type === 'message' && isNear(row));
}

/** Undefined where no message can carry a thread, or where this one has no id on the platform yet. */
async function threadOn(
  deps: DestinationDeps,
  root: LogRow,
  surface: string,
): Promise<Destination | undefined> {
  if (deps.surface(surface)?.capabilities.threads !== 'any') return undefined;
  const { platformId: id } = await namedEvent(deps.context.store, root.key);
  if (id === undefined) return undefined;
  const { platform, workspaceId, conversation } = placeOf(root.record.event);
  const place: Place = {
    platform,
    workspaceId,
    conversation: { id, kind: 'thread', parentId: conversation.id },
  };
  return { key: conversationKeyOf(place), opens: { place, surface, root: root.key } };
}

/** The conversation's setting, else the surface's, else threads. */
function repliesIn(deps: DestinationDeps, place: Place, surface: string): 'thread' | 'room' {
  return deps.context.rosterAt(place).replies ?? deps.surface(surface)?.replies ?? 'thread';
}
