// The lists at the top of a Slack export: who the users are, which folder is which conversation, and who is in it.
import { z } from 'zod';
import { EVENT_LIMITS } from '../../protocol/chat-event.ts';
import { type User, personOf } from '../../surfaces/slack/people.ts';
import type { NameOf } from '../../surfaces/slack/read-text.ts';
import { CommandError } from '../io.ts';
import type { Account } from './account.ts';
import { type ExportFiles, readJson } from './files.ts';
import { IMPORT_LIMITS } from './limits.ts';
import { Unreadable } from './zip.ts';

export interface SlackRoom {
  id: string;
  title: string | undefined;
  members: readonly string[];
  /** A direct message of two or more: an app hears it only when it is in it. */
  direct: boolean;
}

export interface SlackIndex {
  team: string;
  nameOf: NameOf;
  /** By the folder's name. */
  rooms: ReadonlyMap<string, SlackRoom>;
  /** Where the lists are, with a slash at the end; mostly nothing. */
  root: string;
}

const USERS = ['users.json', 'org_users.json'];
const ROOMS = ['channels.json', 'groups.json', 'dms.json', 'mpims.json'] as const;
export const LISTS: readonly string[] = [
  ...USERS,
  ...ROOMS,
  'integration_logs.json',
  'canvases.json',
  'content_flags.json',
];

const text = z.string().min(1).max(256);
const userSchema = z.object({
  id: text,
  team_id: text.nullish().catch(null),
  name: z.string().optional().catch(undefined),
  real_name: z.string().optional().catch(undefined),
  is_bot: z.boolean().optional().catch(undefined),
  profile: z
    .object({
      display_name: z.string().optional().catch(undefined),
      real_name: z.string().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
const roomSchema = z.object({
  id: text,
  name: z.string().nullish().catch(null),
  members: z.array(z.string()).nullish().catch(null),
});

export async function readSlackIndex(files: ExportFiles, account: Account): Promise<SlackIndex> {
  const root = rootOf(files);
  const list = (name: string): Promise<unknown[]> => readList(files, `${root}${name}`, account);
  const people = new Map<string, NonNullable<ReturnType<NameOf>>>();
  let team = 'slack';
  for (const one of (await Promise.all(USERS.map(list))).flat().slice(0, IMPORT_LIMITS.names)) {
    const parsed = userSchema.safeParse(one);
    if (!parsed.success) continue;
    const { id, team_id, ...user } = parsed.data;
    const person = personOf({ user: user as NonNullable<User['user']> });
    if (person !== undefined && person.name !== '') people.set(id, person);
    if (team_id) team = team_id;
  }
  const rooms = new Map<string, SlackRoom>();
  for (const name of ROOMS) {
    for (const one of await list(name)) {
      const parsed = roomSchema.safeParse(one);
      if (!parsed.success) continue;
      const room = roomOf(parsed.data, name);
      rooms.set(room.id, room);
      if (parsed.data.name) rooms.set(parsed.data.name, room);
    }
  }
  return { team, nameOf: (id) => people.get(id), rooms, root };
}

function roomOf({ id, name, members }: z.infer<typeof roomSchema>, list: (typeof ROOMS)[number]): SlackRoom {
  const direct = list === 'dms.json' || list === 'mpims.json';
  const title = direct || !name ? undefined : `#${name}`.slice(0, EVENT_LIMITS.nameChars);
  return { id, title, members: members ?? [], direct };
}

function rootOf({ name, paths }: ExportFiles): string {
  const lists = paths.filter((path) =>
    /(?:^|\/)(?:(?:org_)?users|channels|groups|dms|mpims)\.json$/.test(path),
  );
  const [first] = lists
    .filter((path) => !path.startsWith('__MACOSX/'))
    .map((path) => path.slice(0, path.lastIndexOf('/') + 1))
    .toSorted((a, b) => a.length - b.length);
  if (first !== undefined) return first;
  const discord = paths.some((path) => /(?:^|\/)messages\/c?\d+\//i.test(path));
  throw new CommandError(
    1,
    `${name} is no Slack export: expected users.json and channels.json beside one folder for each channel; ${
      discord ? 'for Discord write  earshot import discord' : 'name the zip that Slack made, or its folder'
    }`,
  );
}

async function readList(files: ExportFiles, path: string, account: Account): Promise<unknown[]> {
  if (!files.paths.includes(path)) return [];
  try {
    const value = await readJson(files, path);
    if (Array.isArray(value)) return value as unknown[];
    throw new Unreadable('expected a list');
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    account.problem(path, error.message);
    return [];
  }
}
