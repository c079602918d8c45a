// Socket Mode, as far as the surface needs it. Ours: the emulator has none. Events go to the newest connection of each app
// and to nobody while there is none, as on Slack.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { AppName, Told, Workspace } from './workspace.ts';

export interface SocketServer {
  /** Open connections, oldest first. */
  open: WebSocket[];
  /** How many were ever made, and the most that were open at a time. */
  count: number;
  most: number;
  /** Events that were sent and not acknowledged yet, by envelope id. */
  waiting: Map<string, Told>;
  acknowledged: Told[];
  /** Called at each acknowledgement, with the event. */
  onAck: (told: Told) => void;
  /** Ends every connection without a word, or those of one app. */
  drop(app?: AppName): void;
  /** Open connections of one app. */
  openOf(app: AppName): WebSocket[];
  /** Asks for a new connection, as Slack does every few hours. */
  refresh(): void;
  /** Sends any payload. */
  send(message: Record<string, unknown>): void;
  /** Sends an envelope, and answers with what comes with its acknowledgement. */
  ask(type: string, payload: unknown, acceptsAnswer?: boolean): Promise<unknown>;
}

interface Ack {
  envelope_id: string;
  payload?: unknown;
}

export async function socketServer(
  workspace: Workspace,
  finished: (end: () => void) => void,
): Promise<SocketServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  workspace.socketUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const apps = new Map<WebSocket, string>();
  const made: SocketServer = {
    open: [],
    count: 0,
    most: 0,
    waiting: new Map(),
    acknowledged: [],
    onAck: () => undefined,
    drop(app) {
      const gone = app === undefined ? [...made.open] : made.openOf(app);
      made.open = made.open.filter((one) => !gone.includes(one));
      for (const socket of gone) socket.terminate();
    },
    openOf: (app) => made.open.filter((one) => apps.get(one) === app),
    refresh: () => made.send({ type: 'disconnect', reason: 'refresh_requested' }),
    send: (message) => made.open.at(-1)?.send(JSON.stringify(message)),
    ask: (type, payload, acceptsAnswer = false) =>
      new Promise((resolve) => {
        const envelope_id = `envelope-${++envelopes}`;
        answers.set(envelope_id, resolve);
        made.send({ type, envelope_id, payload, accepts_response_payload: acceptsAnswer });
      }),
  };
  const answers = new Map<string, (answer: unknown) => void>();
  let envelopes = 0;
  workspace.tells = (told, app) => {
    const envelope_id = `envelope-${++envelopes}`;
    const socket = made.openOf(app).at(-1);
    if (socket !== undefined) made.waiting.set(envelope_id, told);
    const message = { type: 'events_api', envelope_id, payload: told, accepts_response_payload: false };
    socket?.send(JSON.stringify(message));
    return false;
  };
  server.on('connection', (socket, { url }) => {
    made.count++;
    apps.set(socket, new URLSearchParams(url?.slice(2)).get('app') ?? 'earshot');
    made.open.push(socket);
    made.most = Math.max(made.most, made.open.length);
    socket.on('close', () => (made.open = made.open.filter((one) => one !== socket)));
    socket.on('message', (data: Buffer) => {
      const { envelope_id: id, payload } = JSON.parse(data.toString()) as Ack;
      answers.get(id)?.(payload);
      const told = made.waiting.get(id);
      made.waiting.delete(id);
      if (told === undefined) return;
      made.acknowledged.push(told);
      made.onAck(told);
    });
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
  });
  finished(() => {
    made.drop();
    server.close();
  });
  return made;
}
