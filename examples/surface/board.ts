// A whole surface for a small chat platform, as docs/writing-a-surface.md explains it. "Board" numbers everything that
// happens, tells it to whoever asks for what came after a number, and takes messages and reactions over HTTP.
import type { Clock } from 'earshot/runtime';
import {
  DOES_NOTHING,
  type OutboundMessage,
  onlyMentionsPing,
  type PostOutcome,
  type Surface,
  type SurfaceHealth,
  type SurfaceHost,
} from 'earshot/surface';

/** One thing that happened there, as Board tells it. */
interface Entry {
  number: number;
  at: number;
  room: string;
  by: { id: string; name: string; isBot: boolean };
  text?: string;
  /** A reaction: the emoji, and the number of the message. */
  emoji?: string;
  to?: number;
  /** What we gave it when we posted it. */
  key?: string;
}

interface BoardOptions {
  /** Where Board is. */
  url: string;
  token: string;
  clock: Clock;
}

const CAPABILITIES: Surface['capabilities'] = {
  hears: { edits: false, deletes: false, reactions: true, typing: false, bots: true },
  does: { ...DOES_NOTHING, reactions: true },
  threads: 'flat',
  membership: false,
  idempotentForMs: 0, // Board shows the same key twice if it is posted twice
  findable: true, // but it can be asked for a key
  maxChars: 2_000,
  maxParts: 20,
};

const RETRY_MS = 5_000;
/** A hanging connection ends before the host asks again. */
const CALL_MS = 20_000;

export function boardSurface(options: BoardOptions): Surface {
  const stopping = new AbortController();
  const call = caller(options, stopping.signal);
  let listening: Promise<void> | undefined;
  return {
    id: 'board',
    platform: 'board',
    capabilities: CAPABILITIES,
    async start(host) {
      listening = listen(host, call, options.clock, stopping.signal);
    },
    async stop() {
      stopping.abort();
      await listening;
    },
    async post(message) {
      const said = { room: message.place.conversationId, as: message.persona.name, ...shown(message) };
      return outcome(await call('POST', '/messages', said));
    },
    async react({ idempotencyKey: key, target, glyph, remove = false }) {
      const reaction = { to: Number(target.platformId ?? target.eventId), emoji: glyph, remove, key };
      return outcome(await call('POST', '/reactions', reaction));
    },
    async find(message) {
      const answer = await call('GET', `/messages?key=${encodeURIComponent(message.idempotencyKey)}`);
      if (!answer.ok) return { type: 'unknown', error: answer.error };
      const [found] = answer.value.entries ?? [];
      return found === undefined ? { type: 'absent' } : visible(found.number);
    },
  };
}

/** Until it is stopped: asks for what came after the last number, hands it over, and only then remembers the number. */
async function listen(host: SurfaceHost, call: Call, clock: Clock, stopping: AbortSignal): Promise<void> {
  let last = Number((await host.memory.get('last')) ?? 0);
  while (!stopping.aborted) {
    const answer = await call('GET', `/feed?after=${last}`);
    let failed: string | undefined;
    if (answer.ok) {
      const entries = answer.value.entries ?? [];
      failed = await handOver(host, entries);
      if (failed === undefined && entries.length > 0) {
        last = entries.at(-1)?.number ?? last;
        await host.memory.set('last', String(last));
      }
    } else failed = answer.error;
    if (stopping.aborted) return;
    host.health(healthOf(answer, failed, clock.now()));
    if (failed !== undefined) await pause(clock, stopping);
  }
}

/** Answers why the host could not take them now. An event that it will never take is counted and left behind. */
async function handOver(host: SurfaceHost, entries: readonly Entry[]): Promise<string | undefined> {
  if (entries.length === 0) return undefined;
  for (const result of await host.ingest(entries.map(read))) {
    if (result.status !== 'refused') continue;
    if (result.error.code === 'unavailable') return result.error.message;
    host.ignored(`refused: ${result.error.code}`);
  }
  return undefined;
}

function read({ number, at, room, by, text = '', emoji, to, key }: Entry) {
  const event = {
    eventId: String(number),
    at,
    platform: 'board',
    workspaceId: 'main',
    conversation: { id: room, kind: 'channel' as const },
    author: { id: by.id, kind: by.isBot ? ('agent' as const) : ('human' as const), displayName: by.name },
    // The host knows its own posts by the key, and by the platform's id where the key got lost.
    ...(by.isBot && { platformId: String(number), ...(key !== undefined && { echoOf: key }) }),
  };
  return emoji === undefined
    ? { ...event, type: 'message' as const, text }
    : { ...event, type: 'reaction' as const, targetEventId: String(to), glyph: emoji };
}

/** Board pings whoever is written as @id. */
function shown({ text, mentions, idempotencyKey: key }: OutboundMessage): { text: string; key: string } {
  return { text: onlyMentionsPing(text, mentions, { form: (id) => `@${id}`, inCode: 'inert' }), key };
}

interface Answered {
  number?: number;
  entries?: Entry[];
}
type Answer =
  | { ok: true; value: Answered }
  /** `status` 0: there was no answer, so nobody knows whether it was done. */
  | { ok: false; status: number; error: string; afterMs?: number };
type Call = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>;

function caller({ url, token }: BoardOptions, stopping: AbortSignal): Call {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_MS)]);
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      const response = await fetch(new URL(path, url), { method, headers, signal, ...payload });
      if (response.ok) return { ok: true, value: (await response.json()) as Answered };
      const seconds = Number(response.headers.get('retry-after') ?? 0);
      const error = `Board answered with HTTP ${response.status}`;
      return { ok: false, status: response.status, error, ...(seconds > 0 && { afterMs: seconds * 1_000 }) };
    } catch (error) {
      return { ok: false, status: 0, error: String(error) };
    }
  };
}

/** What became of a post. Only an answer that says "not done" may be tried again without looking. */
function outcome(answer: Answer): PostOutcome {
  if (answer.ok) return visible(answer.value.number);
  const { status, error, afterMs } = answer;
  if (status === 429) return { type: 'retry', error, ...(afterMs !== undefined && { afterMs }) };
  if (status === 0 || status >= 500) return { type: 'unknown', error };
  return { type: 'refused', error, ...(status === 401 && { scope: 'account' as const }) };
}

function visible(number: number | undefined): PostOutcome {
  return { type: 'visible', platformId: String(number) };
}

function healthOf(answer: Answer, failed: string | undefined, now: number): SurfaceHealth {
  if (failed === undefined) return { state: 'up' };
  if (!answer.ok && answer.status === 401)
    return { state: 'down', error: failed, fix: 'make a new token in Board' };
  return { state: 'retrying', error: failed, nextAt: now + RETRY_MS };
}

function pause(clock: Clock, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(RETRY_MS, resolve);
    stopping.onabort = () => {
      cancel();
      resolve();
    };
  });
}
