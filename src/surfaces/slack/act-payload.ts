// What people do on Slack that is no message: a press of a button, a shortcut on a message, a slash command. From Slack's
// payloads to an act of the host. Pure. The shapes are those of Slack's interaction payloads and slash commands.
import { z } from 'zod';
import type { SurfaceAct, SurfacePlace } from '../surface.ts';
import { choiceOf } from './question.ts';
import { conversationOf, PLATFORM } from './read-event.ts';

/** The callback id of the shortcut in the manifest. */
export const WHY_SHORTCUT = 'earshot_why';

/** Where the answer goes: to one person, in one place. */
export interface Asker {
  channel: string;
  user: string;
  /** The root's ts, for an answer in a thread. */
  thread?: string;
  /** Slack's own address for the answer. It works where the app has not been invited too. */
  responseUrl?: string;
}

export type ReadAct =
  | { type: 'act'; act: SurfaceAct; asker: Asker }
  /** Not for this app's workspace. */
  | { type: 'unknown_team' }
  | { type: 'ignored'; what: string }
  | { type: 'malformed'; problem: string };

const id = z.string().min(1).max(256);
const ts = z.string().regex(/^\d{1,12}\.\d{1,9}$/, 'expected a ts such as 1712345678.000100');
const team = z.object({ id }).nullish();
const user = z.object({ id, name: z.string().nullish(), team_id: id.nullish() });
const message = z.object({ ts, thread_ts: ts.nullish(), team: id.nullish().catch(null) });
const responseUrl = z.string().max(2_048).nullish();

const interactionSchema = z.object({ type: z.string().min(1).max(100) });

const pressSchema = z.object({
  team,
  user,
  channel: z.object({ id }),
  message,
  response_url: responseUrl,
  actions: z
    .array(
      z.object({ action_id: z.string().max(255), value: z.string().max(2_000).nullish(), action_ts: ts }),
    )
    .min(1),
});

const shortcutSchema = z.object({
  team,
  user,
  channel: z.object({ id }),
  message,
  callback_id: z.string().max(255),
  action_ts: ts,
  response_url: responseUrl,
});

const commandSchema = z.object({
  team_id: id,
  channel_id: id,
  user_id: id,
  user_name: z.string().nullish(),
  text: z.string().max(4_000).nullish(),
  trigger_id: id,
  response_url: responseUrl,
});

/** `named`: how people call the one who does it, by Slack's id, where that is known. */
export interface ActReader {
  team: string;
  named: (user: string) => string | undefined;
}

/** A press or a shortcut. */
export function readInteraction(body: unknown, reader: ActReader): ReadAct {
  const parsed = interactionSchema.safeParse(body);
  if (!parsed.success) return malformed(parsed.error);
  switch (parsed.data.type) {
    case 'block_actions':
      return readAs(pressSchema, body, (press) => readPress(press, reader));
    case 'message_action':
      return readAs(shortcutSchema, body, (shortcut) => readShortcut(shortcut, reader));
    default:
      return { type: 'ignored', what: `interactive.${parsed.data.type}` };
  }
}

/** Slack knows no slash commands in threads, so the place is a channel or a direct message. */
export function readCommand(body: unknown, { team: own, named }: ActReader): ReadAct {
  return readAs(commandSchema, body, (given) => {
    if (given.team_id !== own) return { type: 'unknown_team' };
    const { channel_id: channel, user_id: person, user_name, text, trigger_id } = given;
    return {
      type: 'act',
      act: {
        type: 'command',
        actId: trigger_id,
        place: { platform: PLATFORM, workspaceId: own, conversationId: channel },
        person,
        ...nameIn(named(person) ?? user_name),
        text: (text ?? '').replaceAll(LINK, '$1'),
      },
      asker: { channel, user: person, ...urlIn(given.response_url) },
    };
  });
}

/** Slack may write an address as `<https://…|shown>`. */
const LINK = /<(https?:\/\/[^>|\s]+)(?:\|[^>]*)?>/g;

function readPress(press: z.infer<typeof pressSchema>, reader: ActReader): ReadAct {
  const [action] = press.actions;
  const choice = action === undefined ? undefined : choiceOf(action.action_id);
  if (action === undefined || choice === undefined)
    return { type: 'ignored', what: 'interactive.block_actions' };
  if (typeof action.value !== 'string')
    return { type: 'malformed', problem: 'actions.0.value: expected the key of the question' };
  const done = { type: 'choose', question: action.value, choice } as const;
  return interaction(press, reader, `${press.message.ts}:${action.action_ts}:${press.user.id}`, done);
}

function readShortcut(shortcut: z.infer<typeof shortcutSchema>, reader: ActReader): ReadAct {
  const { callback_id, action_ts, message: about } = shortcut;
  if (callback_id !== WHY_SHORTCUT) return { type: 'ignored', what: `message_action.${callback_id}` };
  const done = { type: 'command', text: 'why', about: about.ts } as const;
  return interaction(shortcut, reader, `${about.ts}:${action_ts}:${shortcut.user.id}`, done);
}

type Done =
  | Pick<Extract<SurfaceAct, { type: 'choose' }>, 'type' | 'question' | 'choice'>
  | Pick<Extract<SurfaceAct, { type: 'command' }>, 'type' | 'text' | 'about'>;

function interaction(
  given: Pick<z.infer<typeof pressSchema>, 'team' | 'user' | 'channel' | 'message' | 'response_url'>,
  { team: own, named }: ActReader,
  actId: string,
  done: Done,
): ReadAct {
  // In a channel that workspaces share, the person may be of another one.
  const teams = [given.team?.id, given.user.team_id, given.message.team];
  if (!teams.includes(own)) return { type: 'unknown_team' };
  const { id: conversationId, parentId } = conversationOf(given.channel.id, given.message);
  const place: SurfacePlace = {
    platform: PLATFORM,
    workspaceId: own,
    conversationId,
    ...(parentId !== undefined && { parentId }),
  };
  const person = given.user.id;
  return {
    type: 'act',
    act: { actId, place, person, ...nameIn(named(person) ?? given.user.name), ...done },
    asker: {
      channel: given.channel.id,
      user: person,
      ...(parentId !== undefined && { thread: conversationId }),
      ...urlIn(given.response_url),
    },
  };
}

const NAME_CHARS = 200;

function nameIn(name: string | null | undefined): { personName?: string } {
  return name ? { personName: name.slice(0, NAME_CHARS) } : {};
}

function urlIn(url: string | null | undefined): { responseUrl?: string } {
  return url ? { responseUrl: url } : {};
}

function readAs<S extends z.ZodType>(
  schema: S,
  body: unknown,
  read: (value: z.infer<S>) => ReadAct,
): ReadAct {
  const parsed = schema.safeParse(body);
  return parsed.success ? read(parsed.data) : malformed(parsed.error);
}

function malformed({ issues: [issue] }: z.ZodError): ReadAct {
  return {
    type: 'malformed',
    problem: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`,
  };
}
