// A room for one cell: a host with its sockets in this process, the local provider, and the client as a process beside
// it, started with `earshot run` as people start it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { resolveConfig } from '../../src/cli/host-config.ts';
import { start, type Started } from '../../src/cli/start.ts';
import { type Client, type Place, UNAVAILABLE } from './client.ts';
import { NotHere } from './columns/column.ts';
import type { Installed } from './install.ts';
import { endMarked, MARK } from './marked.ts';
import { type ClientsProvider, startClientsProvider } from './provider/server.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');
const DRIVERS = resolve(import.meta.dirname, 'drivers');
const AGENT = 'lead';
const ASK_AGAIN_MS = 50;

export interface Answer {
  key: string;
  text: string;
  replyTo: string | undefined;
  conversation: string;
}

export interface RoomOptions {
  client: Client;
  home: string;
  /** Undefined for a client of the tree. */
  installed: Installed | undefined;
}

export class Room {
  readonly client: Client;
  readonly place: Place;
  readonly provider: ClientsProvider;
  readonly #host: Started;
  readonly #folder: string;
  readonly #data: string;
  readonly #installed: Installed | undefined;
  readonly #mark = `cell-${process.pid}-${crypto.randomUUID()}`;
  readonly #answers = new Map<string, Answer>();
  /** What the host has said for the agent so far. */
  readonly hostLines: string[] = [];
  #child: ChildProcess | undefined;
  #log = '';
  #events = 0;

  private constructor(
    { client, installed }: RoomOptions,
    place: Place,
    provider: ClientsProvider,
    host: Started,
    folder: string,
  ) {
    this.client = client;
    this.place = place;
    this.provider = provider;
    this.#host = host;
    this.#folder = folder;
    this.#data = join(folder, 'data');
    this.#installed = installed;
  }

  static async open(options: RoomOptions): Promise<Room> {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-clients-'));
    const [data, work] = [join(folder, 'data'), join(folder, 'work')];
    for (const made of [data, work, options.home]) mkdirSync(made, { recursive: true });
    const provider = await startClientsProvider({ woken: options.client.woken === true });
    const config = await resolveConfig({ data, port: '0' }, {});
    const log = { write: () => undefined, level: 'error', pretty: false } as const;
    const host = await start({ config, env: {}, log });
    const place: Place = {
      home: options.home,
      work,
      provider: provider.url,
      key: provider.key,
      host: host.url,
      token: host.tokens?.agents[AGENT] ?? '',
    };
    return new Room(options, place, provider, host, folder);
  }

  /** Starts the client. It connects by itself. */
  start(): void {
    const { client, place } = this;
    client.prepare?.(place);
    const argv =
      client.driver === undefined
        ? [MAIN, 'run', '--agent', AGENT, '--data', this.#data, ...client.argv(place)]
        : [join(DRIVERS, client.driver), ...client.argv(place)];
    const child = spawn(process.execPath, argv, {
      cwd: place.work,
      env: {
        PATH: [this.#installed?.bin ?? [], process.env['PATH'] ?? ''].flat().join(':'),
        HOME: place.home,
        NODE_NO_WARNINGS: '1',
        DO_NOT_TRACK: '1',
        CI: '1',
        [MARK]: this.#mark,
        ...(client.driver === undefined ? {} : this.#driverEnv()),
        ...client.env(place),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#log += text));
    this.#child = child;
  }

  /** A driver connects by itself, so it gets the token. */
  #driverEnv(): Record<string, string> {
    const { host, token } = this.place;
    return {
      EARSHOT_HTTP: host,
      EARSHOT_URL: `${host.replace('http', 'ws')}/c2a`,
      EARSHOT_TOKEN: token,
      CLIENT_PACKAGES: this.#installed?.packages ?? '',
    };
  }

  /** What `earshot run` has logged so far. */
  get log(): string {
    return this.#log;
  }

  /** How many turns have failed so far. */
  get failures(): number {
    return this.#log.split('the handler failed').length - 1;
  }

  /** Ends it as a crash does: at once, and whatever it had started. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const gone = child.exitCode !== null || child.signalCode !== null ? undefined : once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    endMarked(this.#mark);
  }

  /** Ada says something. Resolves with its id once it is stored. */
  async say(text: string, more: Record<string, unknown> = {}): Promise<string> {
    const eventId = `m${++this.#events}`;
    const event = {
      eventId,
      at: new Date().toISOString(),
      platform: 'dev',
      workspaceId: 'local',
      conversation: { id: 'general', kind: 'channel' },
      author: { id: 'ada', kind: 'human', displayName: 'Ada' },
      type: 'message',
      text,
      ...more,
    };
    const { status } = await this.#call('POST', '/v1/events', event);
    if (status !== 202) throw new Error(`the host answered ${status} to an event`);
    return eventId;
  }

  /** All that the agent has posted so far, in order. Each is acknowledged, as a platform does. */
  async answers(conversation = 'general'): Promise<Answer[]> {
    const { body } = await this.#call('GET', '/v1/outbox');
    for (const one of (body['messages'] ?? []) as Record<string, unknown>[]) {
      const key = String(one['idempotencyKey']);
      await this.#call('POST', '/v1/outbox/ack', { key, platformId: `p-${key}` });
      if (one['type'] !== 'message') continue;
      // What the host says for the agent, that it is not connected for one, is no answer.
      if (key.startsWith(`${AGENT}/`)) {
        this.hostLines.push(String(one['text']));
        continue;
      }
      const place = one['place'] as { conversationId: string };
      this.#answers.set(key, {
        key,
        text: String(one['text']),
        replyTo: one['replyTo'] as string | undefined,
        conversation: place.conversationId,
      });
    }
    return [...this.#answers.values()].filter((answer) => answer.conversation === conversation);
  }

  /** Asks until the answer is one. The cell's limit ends it. */
  async until<T>(ask: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
    for (;;) {
      const answer = await ask();
      const code = this.#child?.exitCode ?? null;
      if (code === UNAVAILABLE) throw new NotHere(this.client.unavailable);
      if (code !== null) throw new Error(`the client ended by itself, with ${code}`);
      if (answer !== undefined && answer !== false) return answer;
      await rest(ASK_AGAIN_MS);
    }
  }

  /** The first posted text that fits. */
  posted(pattern: RegExp, conversation = 'general'): Promise<Answer> {
    return this.until(async () => (await this.answers(conversation)).find(({ text }) => pattern.test(text)));
  }

  /** Whether the host has given a question up, and put it before a person instead. */
  async gaveUp(): Promise<boolean> {
    const { body } = await this.#call('GET', '/v1/inbox', undefined, this.#host.tokens?.operator);
    const items = (body['inbox'] ?? []) as { kind: string }[];
    return items.some(({ kind }) => kind === 'no_answer' || kind === 'dead_letter');
  }

  async close(): Promise<void> {
    await this.kill();
    await this.provider.close();
    await this.#host.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #call(method: string, path: string, body?: unknown, token = this.#host.tokens?.surfaces['dev']) {
    const response = await fetch(`${this.#host.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token ?? ''}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
    };
  }
}
