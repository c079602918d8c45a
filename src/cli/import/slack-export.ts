// A Slack export as events. It has one file for each channel and day; the days are read one after the other, so no more
// than a day is in memory. Words, authors and conversations are read by the surface's own readers.
import { type ChatEvent, EVENT_LIMITS, type MessageEvent } from '../../protocol/chat-event.ts';
import { DEFAULT_GLYPHS, signalOfGlyph } from '../../protocol/glyphs.ts';
import { isObject } from '../complaint.ts';
import { type SlackMessage, messageSchema, msOfTs } from '../../surfaces/slack/payload.ts';
import { type Known, isSaid, readEvent, readMessage } from '../../surfaces/slack/read-event.ts';
import type { NameOf } from '../../surfaces/slack/read-text.ts';
import type { Account } from './account.ts';
import { type ChatExport, inOrder } from './chat-export.ts';
import { type ExportFiles, readJson } from './files.ts';
import { LISTS, type SlackIndex, type SlackRoom, readSlackIndex } from './slack-index.ts';
import { Unreadable } from './zip.ts';

interface DayFile {
  path: string;
  folder: string;
}

const DAY = /^([^/]+)\/(\d{4}-\d{2}-\d{2})\.json$/;
const DAY_MS = 86_400_000;

export async function slackExport(files: ExportFiles, account: Account): Promise<ChatExport> {
  const index = await readSlackIndex(files, account);
  const { days, others } = daysOf(files, index.root);
  for (const path of files.refused) account.add('outside', path);
  return {
    caveats: [
      'Slack does not say when a reaction was set, so it stands right after its message.',
      'Who is in a channel is known as of the day of the export.',
    ],
    warnings: [],
    nameOf: (id) => index.nameOf(id)?.name,
    isApp: (id) => index.nameOf(id)?.isBot === true,
    async *events(counts, since) {
      for (const path of others) counts.add('others', path.replace(/.*\//, ''));
      for (const [day, ofDay] of days) {
        // A day of the export may begin up to a day apart from one of UTC.
        if (Date.parse(`${day}T00:00:00Z`) + 2 * DAY_MS < since) continue;
        const events: ChatEvent[] = [];
        for (const { path, folder } of ofDay) {
          for (const event of await readDay(files, path, folder, index, counts)) {
            if (Number(event.at) >= since) events.push(event);
          }
        }
        yield* inOrder(events);
      }
    },
  };
}

function daysOf({ paths }: ExportFiles, root: string): { days: [string, DayFile[]][]; others: string[] } {
  const days = new Map<string, DayFile[]>();
  const others: string[] = [];
  for (const path of paths) {
    const inside = path.startsWith(root) ? path.slice(root.length) : undefined;
    const [, folder, day] = DAY.exec(inside ?? '') ?? [];
    if (folder === undefined || day === undefined) {
      if (inside === undefined || !LISTS.includes(inside)) others.push(path);
      continue;
    }
    const ofDay = days.get(day);
    if (ofDay === undefined) days.set(day, [{ path, folder }]);
    else ofDay.push({ path, folder });
  }
  return { days: [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)), others };
}

async function readDay(
  files: ExportFiles,
  path: string,
  folder: string,
  index: SlackIndex,
  account: Account,
): Promise<ChatEvent[]> {
  let messages: unknown;
  try {
    messages = await readJson(files, path);
    if (!Array.isArray(messages)) throw new Unreadable('expected a list of messages');
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    account.problem(path, error.message);
    return [];
  }
  const listed = index.rooms.get(folder);
  const room = listed ?? { id: folder, title: undefined, members: [], direct: folder.startsWith('mpdm-') };
  return (messages as unknown[]).flatMap((message) => {
    const events = readOne(message, room, index, account);
    if (listed === undefined && events.length > 0) account.add('rooms', folder);
    return events;
  });
}

function readOne(raw: unknown, room: SlackRoom, index: SlackIndex, account: Account): ChatEvent[] {
  if (!isObject(raw)) return malformed(account, 'no object');
  const { type, subtype } = raw;
  if (type !== undefined && type !== 'message')
    return notice(account, typeof type === 'string' ? type : 'no type');
  const known = knownFrom(raw, index);
  if (isDeaf(room, known.nameOf))
    return left(account, 'direct', room.members.length > 2 ? 'group' : 'two people');
  if (subtype === 'message_changed' || subtype === 'message_deleted')
    return readAmendment(raw, room, known, account);
  const parsed = messageSchema.safeParse(raw);
  if (!parsed.success) return malformed(account, parsed.error.issues[0]?.path.join('.') ?? '');
  const message = parsed.data;
  if (message.subtype === 'tombstone') return left(account, 'deleted', 'tombstone');
  if (!isSaid(message)) return notice(account, message.subtype ?? 'streaming');
  const event = placed(readMessage(message, room.id, known) as MessageEvent, room, known.nameOf);
  if (message.edited) account.add('edited', room.title ?? 'direct');
  if (message.user && known.nameOf(message.user) === undefined) account.add('strangers', message.user);
  return [event, ...reactionsOf(raw['reactions'], message, event, known, account)];
}

/** An export with edit logs tells edits and deletes as the Events API does. */
function readAmendment(
  raw: Record<string, unknown>,
  room: SlackRoom,
  known: Known,
  account: Account,
): ChatEvent[] {
  const event = {
    ...raw,
    type: 'message',
    subtype: raw['subtype'] as string,
    channel: room.id,
    previous_message: raw['previous_message'] ?? raw['original'],
  };
  const read = readEvent({ type: 'event_callback', event }, known);
  if (read.type === 'malformed') return malformed(account, read.problem);
  if (read.type === 'ignored') return notice(account, read.what ?? event.subtype);
  return read.events as ChatEvent[];
}

/** People whom the lists do not have are known from their messages. */
function knownFrom(raw: Record<string, unknown>, { team, nameOf }: SlackIndex): Known {
  const { user, user_profile: profile } = raw;
  const own = isObject(profile)
    ? profile['display_name'] || profile['real_name'] || profile['name']
    : undefined;
  return {
    team,
    self: { user: '' },
    nameOf: (id) =>
      nameOf(id) ?? (id === user && typeof own === 'string' ? { name: own, isBot: false } : undefined),
    // Nothing of an export is late: it is read as if it were told when it happened.
    now: 0,
  };
}

/** What people say to each other directly reaches no app. */
function isDeaf({ direct, members }: SlackRoom, nameOf: NameOf): boolean {
  return direct && !members.some((id) => nameOf(id)?.isBot === true);
}

/** A direct message has no name of its own. */
const MEMBERS_NAMED = 4;

function placed(
  event: MessageEvent,
  { id, title, members, direct }: SlackRoom,
  nameOf: NameOf,
): MessageEvent {
  const shown =
    title ??
    members
      .slice(0, MEMBERS_NAMED)
      .map((one) => nameOf(one)?.name ?? one)
      .join(', ');
  if (shown !== '' && event.conversation.id === id)
    event.conversation.title = shown.slice(0, EVENT_LIMITS.nameChars);
  const agents = members.filter((one) => nameOf(one)?.isBot === true);
  if (members.length > 0)
    event.membership = { humans: members.length - agents.length, agents: agents.length, complete: true };
  // A direct message is for the other one.
  const isOwn = agents.includes(event.author.id);
  const other = members.find((one) => agents.includes(one) !== isOwn);
  if (direct && members.length === 2 && other !== undefined) event.recipients = [other];
  return event;
}

function reactionsOf(
  reactions: unknown,
  { ts }: SlackMessage,
  target: MessageEvent,
  known: Known,
  account: Account,
): ChatEvent[] {
  if (!Array.isArray(reactions)) return [];
  return (reactions as unknown[]).flatMap((reaction) => {
    if (!isObject(reaction) || typeof reaction['name'] !== 'string') return [];
    const { name, users } = reaction;
    return (Array.isArray(users) ? (users as unknown[]) : []).flatMap((user) => {
      const event = {
        type: 'reaction_added',
        user,
        reaction: name,
        item: { channel: target.conversation.id, ts },
        event_ts: ts,
      };
      const read = readEvent({ type: 'event_callback', event }, known);
      const [told] = read.type === 'events' ? read.events : [];
      const glyph = told !== undefined && 'glyph' in told ? told.glyph : '';
      const signal = signalOfGlyph(DEFAULT_GLYPHS, glyph);
      if (told === undefined || signal === undefined) return left(account, 'reactions', name);
      const { glyph: _, ...rest } = told as { glyph: string } & ChatEvent;
      return [{ ...rest, at: msOfTs(ts), conversation: target.conversation, signal } as ChatEvent];
    });
  });
}

function left(account: Account, kind: 'direct' | 'deleted' | 'reactions', name: string): [] {
  account.add(kind, name);
  return [];
}

function notice(account: Account, name: string): [] {
  account.add('notices', name.slice(0, 64));
  return [];
}

function malformed(account: Account, where: string): [] {
  account.add('malformed', where.slice(0, 128));
  return [];
}
