// Socket Mode: one connection through Slack's client. Its own reconnecting is off, because it ends the process when a
// token is revoked meanwhile; `session.ts` connects again. An event is acknowledged after the host has stored it.
import type { SocketModeClient, SocketModeOptions } from '@slack/socket-mode';
import type { Clock } from '../../runtime/clock.ts';
import type { Failure } from '../failure.ts';
import type { Taken } from '../hand-over.ts';
import { within } from '../within.ts';
import { SILENT, clientOptions, failureOf } from './api.ts';
import type { GivenAct, TakeAct } from './take-act.ts';
import { alone } from './tell-alone.ts';

export type SocketClient = new (options: SocketModeOptions) => SocketModeClient;

export interface SocketDeps {
  Client: SocketClient;
  appToken: string;
  apiUrl: string | undefined;
  clock: Clock;
  take: (body: unknown) => Promise<Taken>;
  takeAct: TakeAct;
  ignored: (what: string) => void;
}

export interface Socket {
  /** Resolves when the connection has ended, whoever ended it. */
  closed: Promise<void>;
  close(): void;
}

export type Opened = { ok: true; socket: Socket } | { ok: false; failure: Failure };

/** Slack says hello within moments. */
const HELLO_MS = 20_000;

interface Arrived {
  type: string;
  body: unknown;
  ack: (answer?: Record<string, unknown>) => Promise<void>;
  accepts_response_payload?: boolean;
}

export async function openSocket(deps: SocketDeps): Promise<Opened> {
  const { Client, appToken, apiUrl, clock } = deps;
  const client = new Client({
    appToken,
    autoReconnectEnabled: false,
    logger: SILENT,
    clientOptions: clientOptions(apiUrl),
  });
  const closed = new Promise<void>((resolve) => void client.once('disconnected', () => resolve()));
  client.on('slack_event', (arrived: Arrived) => void handle(deps, arrived));
  const close = (): void => void client.disconnect().catch(() => undefined);
  try {
    const hello = await within(
      clock,
      HELLO_MS,
      client.start().then(() => true),
    );
    if (hello === true) return { ok: true, socket: { closed, close } };
    close();
    return { ok: false, failure: { type: 'lost', error: 'Slack accepted the connection and said nothing' } };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

/** What people do comes in envelopes of these types. */
const ACTS: Readonly<Record<string, GivenAct['kind']>> = {
  interactive: 'interaction',
  slash_commands: 'command',
};

/** Without an acknowledgement Slack sends it again. One that is lost makes a repeat, which the host knows. */
async function handle(deps: SocketDeps, arrived: Arrived): Promise<void> {
  const { type, body, ack } = arrived;
  const kind = Object.hasOwn(ACTS, type) ? ACTS[type] : undefined;
  try {
    if (kind !== undefined) return await handleAct(deps, arrived, kind);
    if (type === 'events_api') {
      const taken = await deps.take(body);
      if (taken.type === 'later') return;
    } else deps.ignored(`socket.${type}`);
    await ack();
  } catch {
    // The connection ended meanwhile.
  }
}

/** A command is answered with its acknowledgement. Slack takes nothing to show with that of a button or shortcut. */
async function handleAct(
  { takeAct }: SocketDeps,
  { body, ack, accepts_response_payload }: Arrived,
  kind: GivenAct['kind'],
): Promise<void> {
  const takesAnswer = kind === 'command' && accepts_response_payload === true;
  const taken = await takeAct({ kind, body, takesAnswer });
  if (taken.type === 'later') return;
  await (taken.type === 'done' && taken.answer !== undefined ? ack(alone(taken.answer)) : ack());
}
