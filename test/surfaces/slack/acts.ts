// What people do in a Slack workspace by buttons, shortcuts and commands, in the payloads that Slack makes of it: over HTTP,
// signed, or over Socket Mode. Ours: the emulator has none of it.
import { SocketModeClient } from '@slack/socket-mode';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/runtime/clock.ts';
import { sign } from '../../../src/surfaces/slack/signature.ts';
import { secret } from '../receiver.ts';
import { type Office, type OfficeOptions, office } from './office.ts';
import { type SocketServer, socketServer } from './socket-server.ts';
import { APP_TOKEN, type Person, type Shown, SIGNING_SECRET, type Workspace } from './workspace.ts';

export type Way = 'http' | 'socket';

/** What Slack got back. */
export interface Acknowledged {
  status: number;
  /** What the person is shown with it. */
  text?: string;
  body: string;
}

export interface Acts {
  /** Somebody presses the button with this label. */
  press(who: Person, message: Shown, label: string): Promise<Acknowledged>;
  /** Somebody takes a shortcut on a message. */
  shortcut(who: Person, message: Shown, callback?: string): Promise<Acknowledged>;
  command(who: Person, text: string, more?: Record<string, string>): Promise<Acknowledged>;
  /** Any interaction. */
  interact(payload: unknown): Promise<Acknowledged>;
  /** The last of these once more, as it was. */
  again(): Promise<Acknowledged>;
}

export async function actingOffice(
  way: Way,
  options: OfficeOptions = {},
): Promise<{ o: Office; acts: Acts }> {
  let socket: SocketServer | undefined;
  const overSocket: OfficeOptions = {
    http: false,
    slack: {
      socket: { Client: SocketModeClient, appToken: secret('SLACK_APP_TOKEN', APP_TOKEN) },
      ...options.slack,
    },
    before: async (workspace) => {
      socket = await socketServer(workspace, onTestFinished);
      await options.before?.(workspace);
    },
  };
  const o = await office({ ...options, ...(way === 'socket' && overSocket) });
  const ways = socket === undefined ? overHttp(actionsOf(o), o.wire.clock) : over(socket);
  return { o, acts: actsOf(o.slack, ways) };
}

function over(socket: SocketServer): Ways {
  return {
    interact: (payload) => socket.ask('interactive', payload).then(acknowledged),
    command: (fields) => socket.ask('slash_commands', fields, true).then(acknowledged),
  };
}

/** Posted to this address, signed. */
export function overHttp(url: string, clock: Pick<Clock, 'now'>): Ways {
  const form = (fields: Record<string, string>): Promise<Acknowledged> =>
    post(url, new URLSearchParams(fields).toString(), clock.now());
  return { interact: (payload) => form({ payload: JSON.stringify(payload) }), command: form };
}

const actionsOf = ({ wire }: Office): string => `${wire.url}/v1/surfaces/slack/actions`;

interface Ways {
  interact(payload: unknown): Promise<Acknowledged>;
  command(fields: Record<string, string>): Promise<Acknowledged>;
}

let count = 0;
/** Slack's time of what somebody did. */
const tsNow = (): string => `${Math.floor(Date.now() / 1_000)}.${String(++count).padStart(6, '0')}`;

export function actsOf(slack: Workspace, ways: Ways): Acts {
  let last: (() => Promise<Acknowledged>) | undefined;
  const remember = (act: () => Promise<Acknowledged>): Promise<Acknowledged> => {
    last = act;
    return act();
  };
  const common = (who: Person, message: Shown) => ({
    team: { id: slack.team, domain: 'tests' },
    user: { id: slack.users[who], username: `${who}.handle`, name: `${who}.handle`, team_id: slack.team },
    api_app_id: 'A0EARSHOT',
    trigger_id: `${++count}.trigger`,
    channel: { id: slack.channel, name: 'dev' },
    message: { type: 'message', team: slack.team, ...message },
    response_url: slack.responseUrl(slack.users[who]),
  });
  return {
    press(who, message, label) {
      const elements = message.blocks?.flatMap((block) => block.elements ?? []) ?? [];
      const button = elements.find(({ text }) => typeof text === 'object' && text.text === label);
      if (button === undefined) throw new Error(`there is no button "${label}"`);
      const action = { ...button, type: 'button', block_id: 'earshot', action_ts: tsNow() };
      const payload = { type: 'block_actions', ...common(who, message), actions: [action] };
      return remember(() => ways.interact(payload));
    },
    shortcut(who, message, callback_id = 'earshot_why') {
      const payload = { type: 'message_action', ...common(who, message), callback_id, action_ts: tsNow() };
      return remember(() => ways.interact(payload));
    },
    command(who, text, more = {}) {
      const fields = {
        team_id: slack.team,
        channel_id: slack.channel,
        channel_name: 'dev',
        user_id: slack.users[who],
        user_name: `${who}.handle`,
        command: '/earshot',
        text,
        trigger_id: `${++count}.trigger`,
        response_url: slack.responseUrl(slack.users[who]),
        ...more,
      };
      return remember(() => ways.command(fields));
    },
    interact: (payload) => remember(() => ways.interact(payload)),
    again() {
      if (last === undefined) throw new Error('nothing was done yet');
      return last();
    },
  };
}

/** What is written on the buttons of a message. */
export function buttonsOf({ blocks = [] }: Shown): string[] {
  return blocks.flatMap(({ elements = [] }) =>
    elements.flatMap(({ text }) => (typeof text === 'object' ? [text.text] : [])),
  );
}

/** What comes with an acknowledgement over Socket Mode. */
function acknowledged(payload: unknown): Acknowledged {
  return shown(200, payload === undefined ? '' : JSON.stringify(payload));
}

/** Slack shows what comes back to the person alone only if it says so. */
function shown(status: number, body: string): Acknowledged {
  const isJson = body.startsWith('{');
  const said = isJson ? (JSON.parse(body) as { response_type?: string; text?: string }) : {};
  if (said.text !== undefined && said.response_type !== 'ephemeral') throw new Error('shown to all');
  return { status, body, ...(said.text !== undefined && { text: said.text }) };
}

export interface FormOptions {
  secret?: string;
  ageMs?: number;
}

/** Posts a form to the host, signed. */
export function postForm(
  o: Office,
  body: string,
  { secret: key = SIGNING_SECRET, ageMs = 0 }: FormOptions = {},
): Promise<Acknowledged> {
  return post(actionsOf(o), body, o.wire.clock.now() - ageMs, key);
}

async function post(url: string, body: string, now: number, key = SIGNING_SECRET): Promise<Acknowledged> {
  const at = String(Math.floor(now / 1_000));
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': at,
      'x-slack-signature': sign(key, at, Buffer.from(body)),
    },
  });
  return shown(response.status, await response.text());
}
