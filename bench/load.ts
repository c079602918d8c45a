// The clients of the benches: a surface that sends batches and harnesses that acknowledge. Both use bare sockets, so
// that the client costs as little as possible.
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';

export const LINES = [
  'can you check whether the deploy is blocked? the second run passed on my machine',
  'what did we decide about the retry limit, and where is it written down?',
  'please have a look at the billing export when you are done with the other one',
  'the token seems to expire after ten minutes or so and then every request is a 401, can you look?',
];
const CONVERSATIONS = 50;
const PEOPLE = 12;

export type BenchEvent = ReturnType<typeof eventAt>;

/** Every message names one of the agents, so that every event is decided, delivered and acknowledged once. */
export function eventAt(run: string, index: number, agents: number, text?: string) {
  const agent = `agent-${index % agents}`;
  return {
    eventId: `${run}-${index}`,
    at: Date.now(),
    platform: 'bench',
    workspaceId: 'w',
    conversation: { id: `C${index % CONVERSATIONS}`, kind: 'channel' },
    author: { id: `U${(index * 7) % PEOPLE}`, kind: 'human', displayName: `Person ${(index * 7) % PEOPLE}` },
    type: 'message',
    text: text ?? `@${agent} ${LINES[index % LINES.length] ?? ''}`,
    ...(text === undefined ? { mentions: [{ kind: 'agent', id: agent }] } : {}),
  };
}

interface Incoming {
  id?: string | number;
  method?: string;
  params?: { eventId?: string };
  result?: unknown;
  error?: { message: string; data?: { retryAfterMs?: number } };
}

export class Client {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Incoming) => void>();
  #id = 0;
  /** A harness and what it received. It acknowledges at once unless `stalled`. */
  onDeliver: (eventId: string) => void = () => {};
  stalled = false;
  /** The number of deliveries, and the total size of their frames. */
  delivered = 0;
  deliveredBytes = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      this.#received(JSON.parse(data.toString()) as Incoming, data.length);
    });
  }

  static connect(url: string, token: string): Promise<Client> {
    const socket = new WebSocket(url, ['c2a'], {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
    });
    const client = new Client(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(client));
      socket.once('error', reject);
    });
  }

  static async harness(url: string, agent: string): Promise<Client> {
    const client = await Client.connect(url, agent);
    await client.request('initialize', {
      protocolVersion: '2026-06-02',
      capabilities: {
        injection: { immediate: true, buffered: true, notify: true, tool_mailbox: true, digest: true },
      },
    });
    return client;
  }

  static async surface(url: string): Promise<Client> {
    const client = await Client.connect(url, 'surface');
    await client.request('initialize', { protocolVersion: '2026-06-02' });
    return client;
  }

  request(method: string, params: object): Promise<unknown> {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result);
        else reject(Object.assign(new Error(error.message), { data: error.data }));
      });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  ingest(events: readonly object[]): Promise<unknown> {
    return this.request('ingest/events', { events });
  }

  close(): void {
    this.#socket.terminate();
  }

  #received(message: Incoming, bytes: number): void {
    if (message.method === undefined) {
      const waiting = this.#waiting.get(Number(message.id));
      this.#waiting.delete(Number(message.id));
      waiting?.(message);
      return;
    }
    if (message.method === 'chat/deliver') {
      this.delivered++;
      this.deliveredBytes += bytes;
      this.onDeliver(message.params?.eventId ?? '');
      if (this.stalled) return;
    }
    if (message.id !== undefined) this.#socket.send(`{"jsonrpc":"2.0","id":"${message.id}","result":{}}`);
  }
}

/** One surface, and one harness per agent, connected while the server is measured. */
export class Crew {
  readonly surface: Client;
  readonly harnesses: readonly Client[];

  constructor(surface: Client, harnesses: readonly Client[]) {
    this.surface = surface;
    this.harnesses = harnesses;
  }

  static async connect(url: string, agents: number): Promise<Crew> {
    const harnesses = await Promise.all(
      Array.from({ length: agents }, (_, index) => Client.harness(url, `agent-${index}`)),
    );
    return new Crew(await Client.surface(url), harnesses);
  }

  /** From now on, every arrival is passed to this function. */
  onDeliver(take: (eventId: string, harness: number) => void): void {
    for (const [index, harness] of this.harnesses.entries()) {
      harness.onDeliver = (eventId) => take(eventId, index);
    }
  }

  meanFrameBytes(): number {
    const sum = (of: (harness: Client) => number): number =>
      this.harnesses.reduce((total, harness) => total + of(harness), 0);
    return sum(({ deliveredBytes }) => deliveredBytes) / sum(({ delivered }) => delivered);
  }

  close(): void {
    this.surface.close();
    for (const harness of this.harnesses) harness.close();
  }
}

export interface ClosedLoop {
  run: string;
  events: number;
  /** Events per frame, and frames sent before the first is answered. */
  batch: number;
  inFlight: number;
  /** Stops sending after this time, so that a busy machine does fewer events instead of a longer bench. */
  forMs: number;
}

/** Sends as fast as answers come. Ends when every event is acknowledged to the surface and has reached its harness. */
export async function closedLoop(
  crew: Crew,
  { run, events, batch, inFlight, forMs }: ClosedLoop,
  drained: () => Promise<unknown> = () => Promise.resolve(),
): Promise<{ perSecond: number; events: number }> {
  const agents = crew.harnesses.length;
  const all = Promise.withResolvers<void>();
  let arrived = 0;
  let sent = 0;
  let over = false;
  const look = (): void => {
    if (over && arrived === sent) all.resolve();
  };
  crew.onDeliver(() => {
    arrived++;
    look();
  });
  const started = performance.now();
  const send = async (): Promise<void> => {
    while (sent < events && performance.now() - started < forMs) {
      const from = sent;
      sent = Math.min(events, sent + batch);
      await crew.surface.ingest(
        Array.from({ length: sent - from }, (_, index) => eventAt(run, from + index, agents)),
      );
    }
  };
  await Promise.all(Array.from({ length: inFlight }, send));
  over = true;
  look();
  await all.promise;
  await drained();
  return { perSecond: sent / ((performance.now() - started) / 1_000), events: sent };
}

/** Sends over HTTP as fast as answers come, on `inFlight` connections. Ends when the last is answered. */
export async function postLoop(
  url: string,
  { run, events, inFlight, forMs }: ClosedLoop,
  agents: number,
): Promise<{ perSecond: number }> {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const headers = { authorization: 'Bearer surface', 'content-type': 'application/json' };
  const post = (event: BenchEvent): Promise<void> =>
    new Promise((resolve, reject) => {
      const asked = request(
        { hostname, port, agent, method: 'POST', path: '/v1/events', headers },
        (answer) => {
          answer.resume();
          answer.once('end', () => {
            if (answer.statusCode === 202) resolve();
            else reject(new Error(`POST /v1/events answered ${answer.statusCode}`));
          });
        },
      );
      asked.once('error', reject);
      asked.end(JSON.stringify(event));
    });
  let sent = 0;
  const started = performance.now();
  const send = async (): Promise<void> => {
    while (sent < events && performance.now() - started < forMs) await post(eventAt(run, sent++, agents));
  };
  await Promise.all(Array.from({ length: inFlight }, send));
  agent.destroy();
  return { perSecond: sent / ((performance.now() - started) / 1_000) };
}

export interface OpenLoop {
  run: string;
  perSecond: number;
  events: number;
  /** This harness receives and never acknowledges. */
  stalled?: number;
}

/** Calls `send` at a steady rate, independent of what becomes of it. What is late is made up for at once. */
export async function atRate(
  perSecond: number,
  { isOver, send }: { isOver: (sent: number) => boolean; send: (index: number) => void },
): Promise<void> {
  const started = performance.now();
  for (let sent = 0; !isOver(sent); ) {
    const due = Math.floor(((performance.now() - started) * perSecond) / 1_000);
    while (sent < due && !isOver(sent)) send(sent++);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Sends at a steady rate, independent of the answers. Measures the time to the answer and to the harness. */
export async function openLoop(crew: Crew, { run, perSecond, events, stalled = -1 }: OpenLoop) {
  const agents = crew.harnesses.length;
  const sentAt = new Map<string, number>();
  const committedMs: number[] = [];
  const arrivedMs: number[] = [];
  const expected = events - (stalled < 0 ? 0 : Math.ceil((events - stalled) / agents));
  const all = Promise.withResolvers<void>();
  crew.onDeliver((eventId, harness) => {
    const at = sentAt.get(eventId);
    if (at === undefined || harness === stalled) return;
    arrivedMs.push(performance.now() - at);
    if (arrivedMs.length === expected) all.resolve();
  });
  const stuck = crew.harnesses[stalled];
  if (stuck !== undefined) stuck.stalled = true;
  const answers: Promise<void>[] = [];
  await atRate(perSecond, {
    isOver: (sent) => sent === events,
    send(index) {
      const event = eventAt(run, index, agents);
      const at = performance.now();
      sentAt.set(event.eventId, at);
      answers.push(crew.surface.ingest([event]).then(() => void committedMs.push(performance.now() - at)));
    },
  });
  await Promise.all(answers);
  await all.promise;
  return { committedMs, arrivedMs };
}
