// A host for tests of promises: the real host and server on loopback sockets, a real platform behind its source, and
// harnesses over every way (ways.ts). Only the store is in memory, and time passes only when the test says so.
import { setTimeout as rest } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import {
  type AttentionSettingsInput,
  attentionSettingsSchema,
  type ObligationOptions,
} from '../../src/attention/index.ts';
import { openSurfaces } from '../../src/cli/surfaces.ts';
import { openWebChat } from '../../src/cli/web-chat.ts';
import { createHostStateCodec } from '../../src/host/attend/rebuild-state.ts';
import { createHost, type Host } from '../../src/host/host.ts';
import { createApply } from '../../src/host/kernel/change.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import type { InboundRates } from '../../src/host/security/rate-limit.ts';
import { createRedactor } from '../../src/host/security/redact.ts';
import type { ShareOptions } from '../../src/host/security/shares.ts';
import { createTokens } from '../../src/host/security/tokens.ts';
import { createServer } from '../../src/host/server.ts';
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import type { WhyAgent, WhyAnswer } from '../../src/protocol/operator-api.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import type { OpinionModel } from '../../src/host/opinion/second-opinion.ts';
import type { Surface } from '../../src/surfaces/surface.ts';
import { type Platform, SECRET, startPlatform } from './platform.ts';

export const START = Date.parse('2026-06-02T09:00:00Z');

/** The source of all events, unless a test names another. Its sends go to the platform. */
export const SOURCE = 'chat';

export interface WireHostOptions {
  agents?: AttentionSettingsInput['agents'];
  attention?: Omit<AttentionSettingsInput, 'agents'>;
  /** Settings of the host. `webhooks` are added by the tests' webhook harnesses. */
  /** Everybody on the source may read its channels. */
  openChannels?: boolean;
  /** The source shows files of agents. */
  files?: boolean;
  /** Any message of the source can carry a thread. */
  threads?: 'any';
  /** The platform shows that an agent is at work. */
  typing?: boolean;
  /** The longest message of the platform. */
  maxChars?: number;
  host?: {
    limits?: Record<string, unknown>;
    sensitive?: unknown[];
    approvers?: string[];
    webhooks?: unknown[];
    secondOpinion?: unknown;
  };
  /** Further sources that pull. */
  sources?: readonly { id: string; platform?: string }[];
  /** How much may come in. */
  rateLimits?: Partial<InboundRates>;
  /** How much each caller may use. */
  shares?: ShareOptions;
  /** The ladder of obligations, for tests that want shorter intervals. */
  obligations?: ObligationOptions;
  /** What the host may ask the platform for. Default: nothing. */
  asks?: readonly ('attachments' | 'history')[];
  /** Who is in a conversation, when the host asks the platform. No shipped source can be asked, so this is in process. */
  members?: NonNullable<Surface['members']>;
  /** Asked where attention is unsure. */
  opinionModel?: OpinionModel;
  /** Further surfaces, such as that of a chat platform. */
  surfaces?: (clock: VirtualClock) => readonly Surface[];
  /** Who ends it. Default: the end of the test. `afterAll` for a host that the tests of a file share. */
  finished?: Finished;
}

export type Finished = (end: () => Promise<void> | void) => void;

/** What a person says. Everything but the text has a default. */
export interface Line {
  id?: string;
  /** The conversation's id. `thread` names its parent. */
  in?: string;
  kind?: 'channel' | 'dm' | 'thread';
  thread?: string;
  by?: string;
  byKind?: 'human' | 'agent';
  /** Further fields of the event. */
  more?: Record<string, unknown>;
}

export interface WireHost {
  /** Ends something together with the host. */
  finished: Finished;
  url: string;
  clock: VirtualClock;
  host: Host;
  platform: Platform;
  agents: readonly string[];
  /** Issues a token. The same subject gets the same token. */
  token(kind: 'agent' | 'surface' | 'operator' | 'person', subject: string): Promise<string>;
  /** Calls the HTTP API. */
  call(method: string, path: string, token: string, body?: unknown): Promise<Called>;
  /** Posts events over HTTP as the source. Answers with one result each. */
  post(...events: readonly object[]): Promise<Posting[]>;
  /** Posts one message and answers with its event id. Fails when it is refused. */
  say(text: string, line?: Line): Promise<string>;
  /** The event that `say` posts. */
  event(text: string, line?: Line): ChatEvent;
  /** Lets time pass, step by step, with room for network traffic between the steps. Long waits take longer steps. */
  pass(ms: number, stepMs?: number): Promise<void>;
  /** What was decided about an event for an agent, from `/v1/why`. */
  why(eventId: string, agent: string): Promise<WhyAgent>;
}

export interface Called {
  status: number;
  body: Record<string, unknown>;
}

export interface Posting {
  eventId: string;
  sourceId?: string;
  status: 'accepted' | 'repeat' | 'refused';
  seq?: number;
  error?: { code: string; message: string; retryAfterMs?: number };
}

/** The mutation check lowers it: there, many a wait is in vain. */
const UNTIL_TRIES = Number(process.env['EARSHOT_UNTIL_TRIES'] ?? 2_000);

/** Waits in real time until it is there. Fails the test when it does not come. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what = 'it',
): Promise<T> {
  for (let tries = 0; tries < UNTIL_TRIES; tries++) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await rest(tries < 20 ? 1 : 10);
  }
  throw new Error(`waited for ${what}, and it did not come`);
}

/** Room for network traffic: a few turns of the event loop, with a little real time. */
async function breathe(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await rest(2);
}

/** Shorter than any wait of the host that a message could be about. */
const STEP_MS = 500;

/** So that ids never meet, however many hosts a test file starts. */
let said = 0;

export async function wireHost(options: WireHostOptions = {}): Promise<WireHost> {
  const clock = new VirtualClock(START);
  const { finished = onTestFinished } = options;
  const platform = await startPlatform(() => clock.now(), finished);
  const agents = options.agents ?? [{ id: 'lead' }, { id: 'builder', lead: 'lead' }];
  const attention = attentionSettingsSchema.parse({ ...options.attention, agents });
  const settings = hostSettingsSchema.parse({
    ...options.host,
    sources: [
      {
        id: SOURCE,
        url: platform.url,
        secret: SECRET,
        openChannels: options.openChannels ?? false,
        files: options.files ?? false,
        typing: options.typing ?? false,
        ...(options.threads === undefined ? {} : { threads: options.threads }),
        ...(options.maxChars === undefined ? {} : { maxChars: options.maxChars }),
        ...(options.asks?.includes('attachments') ? { attachmentsUrl: platform.url } : {}),
        ...(options.asks?.includes('history') ? { historyUrl: platform.url } : {}),
      },
      ...(options.sources ?? []),
    ],
  });
  const store = openMemoryStore({ clock, codec: createHostStateCodec(attention, options.obligations) });
  const tokens = createTokens({ store, apply: createApply(store), clock, random: systemRandom });
  const web = openWebChat(store, tokens, attention);
  const { surfaces, sources } = openSurfaces(settings, ['other'], clock, web.door);
  const { clean, findSecrets } = createRedactor();
  const host = await createHost({
    store,
    clock,
    random: systemRandom,
    log: silentLog,
    attention,
    settings,
    configVersion: 'v1',
    surfaces: [
      ...surfaces.map((one) =>
        one.id === SOURCE && options.members !== undefined ? { ...one, members: options.members } : one,
      ),
      ...(options.surfaces?.(clock) ?? []),
    ],
    findSecrets,
    ...(options.opinionModel === undefined ? {} : { opinionModel: options.opinionModel }),
    ...(options.rateLimits === undefined ? {} : { rateLimits: options.rateLimits }),
    ...(options.shares === undefined ? {} : { shares: options.shares }),
    ...(options.obligations === undefined ? {} : { obligationOptions: options.obligations }),
  });
  const server = await createServer({
    host,
    tokens,
    random: systemRandom,
    metrics: createMetrics(),
    clean,
    sources,
    defaultSource: SOURCE,
    instance: 'wire',
    wide: false,
    web,
    backup: () => Promise.reject(new Error('no backups here')),
  });
  const url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  finished(async () => {
    const drained = server.drain();
    await breathe();
    server.app.server.closeAllConnections(); // clients keep theirs open for a minute
    await drained;
    await store.close();
  });
  const issued = new Map<string, Promise<string>>();
  const wire: WireHost = {
    finished,
    url,
    clock,
    host,
    platform,
    agents: attention.agents.map(({ id }) => id),
    token(kind, subject) {
      const known = issued.get(`${kind} ${subject}`);
      const token = known ?? tokens.issue({ kind, subject, label: 'wire' }).then((made) => made.token);
      issued.set(`${kind} ${subject}`, token);
      return token;
    },
    async call(method, path, token, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    async post(...events) {
      const token = await wire.token('surface', SOURCE);
      const { body } = await wire.call('POST', '/v1/events', token, { events });
      return body['events'] as Posting[];
    },
    async say(text, line) {
      const event = wire.event(text, line);
      const [result] = await wire.post(event);
      if (result?.status !== 'accepted')
        throw new Error(`"${text}" was not accepted: ${JSON.stringify(result)}`);
      return result.eventId;
    },
    event: (text, line = {}) => eventOf(text, line, clock.now()),
    async pass(ms, stepMs = STEP_MS) {
      await breathe();
      const end = clock.now() + ms;
      while (clock.now() < end) {
        clock.advanceTo(Math.min(end, clock.now() + stepMs));
        await breathe();
      }
    },
    async why(eventId, agent) {
      const path = `/v1/why/${encodeURIComponent(eventId)}?agent=${encodeURIComponent(agent)}`;
      const { body } = await wire.call('GET', path, await wire.token('operator', 'ops'));
      const told = (body as unknown as WhyAnswer).agents.find((one) => one.agent === agent);
      if (told === undefined) throw new Error(`nothing was decided about ${eventId} for ${agent}`);
      return told;
    },
  };
  return wire;
}

function eventOf(text: string, line: Line, at: number): ChatEvent {
  const { id = `m${++said}`, thread, by = 'ada', byKind = 'human', more = {} } = line;
  const kind = line.kind ?? (thread === undefined ? 'channel' : 'thread');
  return {
    eventId: id,
    at,
    platform: SOURCE,
    workspaceId: 'w',
    conversation: {
      id: line.in ?? 'general',
      kind,
      ...(thread === undefined ? {} : { parentId: thread }),
    },
    author: { id: by, kind: byKind, displayName: by.charAt(0).toUpperCase() + by.slice(1) },
    type: 'message',
    text,
    ...more,
  };
}
