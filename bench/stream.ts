// How long a word takes from the harness to the page: a model's tokens go through the SDK, the host (in a process of its
// own, as `earshot up` starts it) and a tab's WebSocket. Beside each token a frame of the same size goes to a bare
// WebSocket server and back, so the ratio is what the host adds. Two paces: slow enough that every token is a frame, and
// as fast as models write, where tokens share frames.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect, type Turn } from '../src/agent/index.ts';
import { Served, summary, withFolder } from './measure.ts';

interface Pace {
  name: string;
  words: number;
  /** Between two tokens. */
  everyMs: number;
}

const PACES: readonly Pace[] = [
  { name: '20 words a second, a frame each', words: 200, everyMs: 50 },
  { name: '100 words a second, shared frames', words: 2_000, everyMs: 10 },
];

type Times = ReturnType<typeof summary>;
export interface StreamTimes {
  name: string;
  words: number;
  /** From a token to the tab: everything before that token's word. */
  pageMs: Times;
  echoMs: Times;
  ratio: number;
  /** Frames that the tab got. */
  frames: number;
  /** Messages of the agent in the room at the end. */
  messages: number;
}

const CONFIG = 'agents:\n  - id: lead\nlimits:\n  composeMs: 20\n';
const MAIN = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));

export function measureStream(): Promise<StreamTimes[]> {
  return withFolder(async (data) => {
    writeFileSync(join(data, 'earshot.yaml'), CONFIG);
    const echo = await Served.start('./echo-server.ts', {});
    const host = spawn(process.execPath, [MAIN, 'up', '--json', '--no-demo', '--port', '0', '--data', data], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = new Promise<void>((resolve) => host.once('exit', () => resolve()));
    try {
      const line = await new Promise<string>((resolve, reject) => {
        createInterface({ input: host.stdout }).once('line', resolve);
        void exited.then(() => reject(new Error('earshot up ended')));
      });
      const { url } = JSON.parse(line) as { url: string };
      const echoed = await openSocket(`ws://127.0.0.1:${echo.ready.port}/`);
      const beside = new Echo(echoed);
      const all: StreamTimes[] = [];
      for (const pace of PACES) all.push(await measurePace(pace, url, data, beside));
      echoed.close();
      return all;
    } finally {
      host.kill('SIGTERM');
      await exited;
      await echo.stop();
    }
  });
}

/** When each text was there to be shown, and when the tab had it. */
class Arrivals {
  readonly #written: number[] = [];
  readonly #seen: number[] = [];
  #shown = '';
  frames = 0;

  /** A token with this word was written. It lets the word before it be shown. */
  wrote(word: number): void {
    this.#written[word - 1] = performance.now();
  }

  heard({ from, text }: { from: number; text: string }): void {
    const now = performance.now();
    this.frames += 1;
    this.#shown = this.#shown.slice(0, from) + text;
    const last = Number(/word(\d+)$/.exec(this.#shown)?.[1] ?? -1);
    for (let word = this.#seen.length; word <= last; word++) this.#seen.push(now);
  }

  get times(): number[] {
    return this.#seen.flatMap((at, word) => {
      const written = this.#written[word];
      return written === undefined ? [] : [at - written];
    });
  }
}

async function measurePace(pace: Pace, url: string, data: string, echo: Echo): Promise<StreamTimes> {
  const { name, words, everyMs } = pace;
  const tokens = JSON.parse(readFileSync(join(data, 'tokens.json'), 'utf8')) as {
    operator: string;
    agents: Record<string, string>;
  };
  const wire = url.replace('http', 'ws');
  const person = await personToken(url, tokens.operator);
  const arrivals = new Arrivals();
  const ended = Promise.withResolvers<void>();
  const room = `bench-${everyMs}`;
  const tab = await openTab(`${wire}/web`, person, (method, params) => {
    if (method === 'growing') arrivals.heard(params as { from: number; text: string });
    const { message } = params as { message?: { author: { id: string } } };
    if (method === 'message' && message?.author.id === 'lead') ended.resolve();
  });
  const agent = connect({ url: `${wire}/c2a`, token: tokens.agents['lead'] ?? '', compose: { quietMs: 20 } });
  agent.onTurn((turn) => write(turn, words, everyMs, arrivals, () => echo.send()));
  await tab.ask('create', { kind: 'channel', key: room, name: room });
  await tab.ask('post', { key: `${room}-q`, conversation: room, text: '@lead tell me everything' });
  await ended.promise;
  const { messages } = (await tab.ask('open', { conversation: room })) as {
    messages: { author: { id: string } }[];
  };
  await agent.close();
  tab.close();
  const pageMs = summary(arrivals.times);
  const echoMs = summary(echo.take());
  const answers = messages.filter(({ author }) => author.id === 'lead').length;
  return {
    name,
    words,
    pageMs,
    echoMs,
    ratio: pageMs.p50 / echoMs.p50,
    frames: arrivals.frames,
    messages: answers,
  };
}

async function write(
  turn: Turn,
  words: number,
  everyMs: number,
  arrivals: Arrivals,
  beside: () => void,
): Promise<void> {
  const out = turn.stream();
  let next = performance.now();
  for (let word = 0; word < words; word++) {
    next += everyMs;
    await rest(Math.max(0, next - performance.now()));
    arrivals.wrote(word);
    out.write(` word${word}`);
    beside();
  }
  await out.end();
}

const ECHO_BYTES = 200;

/** Sends frames to the bare server and times their return. */
class Echo {
  readonly #socket: WebSocket;
  #times: number[] = [];

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      this.#times.push(performance.now() - Number(String(data).split(' ', 1)[0]));
    });
  }

  send(): void {
    this.#socket.send(`${performance.now()} ${'x'.repeat(ECHO_BYTES)}`);
  }

  /** The times since the last call. */
  take(): number[] {
    return this.#times.splice(0);
  }
}

async function personToken(url: string, operator: string): Promise<string> {
  const response = await fetch(`${url}/v1/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'person', subject: `ada${Math.round(performance.now())}`, label: 'Ada' }),
  });
  return ((await response.json()) as { token: string }).token;
}

async function openSocket(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  return socket;
}

async function openTab(url: string, token: string, hear: (method: string, params: unknown) => void) {
  const socket = await openSocket(url);
  const waiting = new Map<string, (result: unknown) => void>();
  let ids = 0;
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as {
      id?: string;
      method?: string;
      params?: unknown;
      result?: unknown;
    };
    if (frame.method !== undefined) hear(frame.method, frame.params);
    else waiting.get(String(frame.id))?.(frame.result);
  });
  const ask = (method: string, params: object): Promise<unknown> => {
    const id = String(++ids);
    const answered = new Promise<unknown>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return answered;
  };
  await ask('hello', { token });
  return { ask, close: () => socket.close() };
}

export function streamRows(all: readonly StreamTimes[]): [string, string, string][] {
  return all.flatMap(
    ({ name, words, pageMs, echoMs, ratio, frames, messages }): [string, string, string][] => [
      [`a growing answer, ${name}`, `p50 ${pageMs.p50.toFixed(1)} ms, p99 ${pageMs.p99.toFixed(1)} ms`, ''],
      // Where tokens share frames, most of the time is the wait for the next frame, and a ratio says nothing.
      [
        '  beside a WebSocket echo',
        `p50 ${echoMs.p50.toFixed(2)} ms${frames < words / 2 ? '' : `, ratio ${ratio.toFixed(1)}`}`,
        '',
      ],
      ['  words, frames, messages', `${words}, ${frames}, ${messages}`, '1 message'],
    ],
  );
}

if (import.meta.main) {
  const measured = await measureStream();
  if (process.argv.includes('--json')) console.log(JSON.stringify({ kind: 'stream', measured }));
  else
    for (const [what, got, budget] of streamRows(measured))
      console.log(`${what.padEnd(56)}${got.padEnd(34)}${budget}`);
}
