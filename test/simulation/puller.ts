// An agent that pulls: it posts JSON-RPC to the host's real HTTP endpoint, one request at a time, and waits for events
// with a long poll. Requests and answers get lost, doubled and delayed as the frames of the others. It has no memory:
// one that died in a turn knows nothing of it, and what it had taken must come back.
import { readEvent } from '../../src/agent/read-event.ts';
import type { TurnEvent } from '../../src/agent/event.ts';
import { refusedByStore } from '../../src/host/harness/share.ts';
import type { Host } from '../../src/host/host.ts';
import { methodsFor } from '../../src/host/http/routes/c2a.ts';
import { fillCall } from '../../src/host/mcp/fill-call.ts';
import type { ToolName } from '../../src/protocol/tool-name.ts';
import { createHttpEndpoint, type HttpEndpoint } from '../../src/transport/http-server.ts';
import { type Life, lifeOf } from '../host/stepped-clock.ts';
import { answerTo } from './answer.ts';
import { request } from './http-way.ts';
import type { SimWorld, WorldAgent } from './world.ts';

const POLL_MS = 20_000;
const EVENTS_AT_ONCE = 5;
/** A caller that has no answer by then takes the request for lost. */
const ANSWER_MS = 6_000;
const AGAIN_MS = 400;
/** So often it tells the end of a turn. Then it gives up, as one that has died. */
const TRIES = 4;

const WAIT = { name: 'chat.wait_events', arguments: { timeoutMs: POLL_MS, limit: EVENTS_AT_ONCE } };
const AGREED = {
  protocolVersion: '2026-06-02',
  clientInfo: { name: 'sim' },
  capabilities: { delivery: { ack: true, redelivery: true, idempotency: true } },
};

type Body = Readonly<Record<string, unknown>>;

export class SimPuller implements WorldAgent {
  readonly id: string;
  readonly #world: SimWorld;
  #endpoint: { host: Host; post: HttpEndpoint<string> } | undefined;
  #life: Life | undefined;
  #gone = new AbortController();
  #turns = 0;
  #requests = 0;

  constructor(id: string, world: SimWorld) {
    this.id = id;
    this.#world = world;
  }

  start(): void {
    this.die();
    const life = lifeOf(this.#world.clock);
    this.#life = life;
    void this.#loop(life);
  }

  die(): void {
    this.#life?.end();
    this.#life = undefined;
    this.cut();
  }

  /** Each request is a connection of its own. */
  mute(): void {
    this.cut();
  }

  cut(): void {
    this.#gone.abort();
    this.#gone = new AbortController();
  }

  revive(): void {
    if (this.#life === undefined) this.start();
  }

  async #loop(life: Life): Promise<void> {
    if (this.#world.draw('agrees', this.id) < 0.7) await this.#surely(life, 'initialize', AGREED);
    while (this.#life === life) {
      const answer = await this.#call(life, 'tools/call', WAIT);
      const events = eventsIn(answer);
      // A refusal too: whoever asks again at once would ask for ever.
      if (answer === undefined || answer['isError'] === true) await wait(life, AGAIN_MS);
      for (const list of Map.groupBy(events, ({ conversation }) => conversation.target).values())
        await this.#turn(life, list);
    }
  }

  async #turn(life: Life, events: readonly TurnEvent[]): Promise<void> {
    const { draw, trace, isHealed } = this.#world;
    const turnId = `pull-${this.id}-${++this.#turns}`;
    const ids = events.map(({ eventId }) => eventId);
    const chance = (what: string): number => draw(what, this.id, ids.join(), this.#turns);
    trace.note(`${this.id} pulled ${ids.join()}`);
    const started = await this.#surely(life, 'turn/started', { turnId, eventIds: ids });
    if (started === undefined) return;
    await wait(life, isHealed ? 10 : Math.floor(chance('wait') * 3_000));
    const superseded = (started['superseded'] ?? []) as string[];
    const left = events.filter(({ eventId }) => !superseded.includes(eventId));
    if (!isHealed && chance('forgets') < 0.06) return;
    const said = await this.#act(life, left, turnId, chance);
    await this.#surely(life, 'turn/ended', { turnId, outcome: said ? 'answered' : 'silent' });
  }

  /** True when it has answered. */
  async #act(
    life: Life,
    events: readonly TurnEvent[],
    turnId: string,
    chance: (what: string) => number,
  ): Promise<boolean> {
    const about = events.at(-1);
    if (about === undefined) return false;
    const must = events.some(({ policy }) => policy === 'must_respond');
    const claimed = await this.#claimed(life, events);
    if (claimed === 'held' || (!must && chance('speaks') < 0.5)) return false;
    const kind = this.#world.isHealed ? 1 : chance('does');
    const file = about.attachments[0];
    if (file !== undefined && chance('reads') < 0.5)
      await this.#tool(
        life,
        'chat.read_attachment',
        { inReplyTo: about.eventId, attachmentId: file.id },
        about,
      );
    if (kind < 0.08) return false;
    if (kind < 0.16) {
      await this.#tool(life, 'chat.react', { signal: 'done', turnId }, about);
      return true;
    }
    if (kind < 0.22) {
      await this.#tool(life, 'chat.defer', { reason: 'later', ttlMs: 4_000, turnId }, about);
      return true;
    }
    const token = claimed === undefined ? {} : { token: claimed };
    const idempotencyKey = `${turnId}-answer`;
    const text = answerTo(events);
    await this.#tool(life, 'chat.send_message', { text, idempotencyKey, turnId, ...token }, about);
    return true;
  }

  async #claimed(life: Life, events: readonly TurnEvent[]): Promise<number | 'held' | undefined> {
    const offered = events.find(({ notices }) => notices.includes('claim_first'));
    if (offered === undefined) return undefined;
    const { clock, seen } = this.#world;
    const answer = await this.#tool(life, 'chat.claim', {}, offered);
    const { token, expiresAt } = (answer?.['structuredContent'] ?? {}) as {
      token?: number;
      expiresAt?: string;
    };
    if (token === undefined || expiresAt === undefined) return 'held';
    const until = Date.parse(expiresAt);
    seen.granted.push({ agent: this.id, about: offered.eventId, token, until, at: clock.now() });
    return token;
  }

  #tool(life: Life, name: ToolName, given: Body, about: TurnEvent): Promise<Body | undefined> {
    const subject = { eventId: about.eventId, target: about.conversation.target };
    return this.#surely(life, 'tools/call', { name, arguments: fillCall(name, { ...given }, subject) });
  }

  /** Again until it is answered, for a while. */
  async #surely(life: Life, method: string, params: Body): Promise<Body | undefined> {
    for (let tried = 0; tried < TRIES && this.#life === life; tried++) {
      const answer = await this.#call(life, method, params);
      if (answer !== undefined) return answer;
      await wait(life, AGAIN_MS * 2 ** tried);
    }
    return undefined;
  }

  /** Undefined: there was no answer, or one that asks to come again. */
  async #call(life: Life, method: string, params: Body): Promise<Body | undefined> {
    const { host } = this.#world;
    if (host === undefined) return undefined;
    const post = this.#postTo(host);
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#requests, method, params });
    const patience = method === 'tools/call' && params['name'] === 'chat.wait_events' ? POLL_MS : 0;
    const text = await request(this.#world.linkPorts(this.id), {
      body,
      perform: async (signal) => {
        // A request that comes late may find the next host.
        if (this.#world.host !== host) throw new Error('connection refused');
        return (await post({ identity: this.id, body, contentType: JSON_TYPE, signal })).body;
      },
      clock: life,
      withinMs: patience + ANSWER_MS,
      cut: this.#gone.signal,
    });
    if (text === undefined) return undefined;
    const { result, error } = JSON.parse(text) as { result?: Body; error?: { data?: { name?: string } } };
    return error?.data?.name === 'unavailable' ? undefined : (result ?? {});
  }

  #postTo(host: Host): HttpEndpoint<string> {
    if (this.#endpoint?.host === host) return this.#endpoint.post;
    const { seen } = this.#world;
    const post = createHttpEndpoint<string>({
      handlersFor: (agent) => methodsFor({ host }, { agent }),
      answerTo: refusedByStore,
      onError: (error) => {
        if (this.#world.host === host) seen.problem(`a call over HTTP failed: ${error.stack}`);
      },
    });
    this.#endpoint = { host, post };
    return post;
  }
}

const JSON_TYPE = 'application/json';

/** A caller that has agreed to nothing gets a shorter form. */
function inFull(event: unknown): unknown {
  const { policy, content } = event as { policy?: unknown; content?: unknown };
  if (policy === undefined) return event;
  const text = typeof content === 'string' ? { content: [{ type: 'text', text: content }] } : {};
  return { ...(event as object), attention: { policy }, ...text };
}

function eventsIn(answer: Body | undefined): TurnEvent[] {
  const { events = [] } = (answer?.['structuredContent'] ?? {}) as { events?: unknown[] };
  return events.flatMap((event) => {
    const read = readEvent(inFull(event));
    return read.ok ? [read.event] : [];
  });
}

function wait(life: Life, ms: number): Promise<void> {
  return new Promise((resolve) => life.after(ms, resolve));
}
