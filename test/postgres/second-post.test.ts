// A node that is stopped between the last check and the socket, for longer than its lease and a post may take: what people
// see once it wakes. Only a platform that can be asked, and does not know a post again, shows the message twice; and only if
// it was asked before the first post arrived.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EmbeddedHost, startHost, stateCodecFor } from '../../src/embed/start-host.ts';
import type { Store } from '../../src/store/store.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import type { OutboundMessage, PostOutcome, Surface } from '../../src/surfaces/surface.ts';
import { until } from '../server/up.ts';
import { agentOn } from './embedded-agent.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { StoreSchema } from './store-schema.ts';

let schema: StoreSchema;
beforeEach(() => {
  schema = new StoreSchema();
});
afterEach(() => schema.dispose());

const ATTENTION = { agents: [{ id: 'lead' }] };
const TIMES = { leaseMs: 3_000, postTimeoutMs: 1_000 };

interface Kind {
  /** It knows a post again by its key. */
  idempotent: boolean;
  /** It can say whether a post was shown. */
  findable: boolean;
}

/** What people see, and how the nodes reach it. */
class Platform {
  readonly seen: string[] = [];
  readonly asked: string[] = [];
  readonly #kind: Kind;
  readonly #keys = new Set<string>();
  /** The post of the first node stops here, behind the last check. */
  readonly reached = Promise.withResolvers<void>();
  readonly woken = Promise.withResolvers<void>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  show({ eventId, idempotencyKey, text }: OutboundMessage): PostOutcome {
    if (!this.#kind.idempotent || !this.#keys.has(idempotencyKey)) this.seen.push(text);
    this.#keys.add(idempotencyKey);
    return { type: 'visible', platformId: eventId };
  }

  surface(stops: boolean): Surface {
    const { everywhere: _, capabilities, ...inner } = internalSurface('chat');
    const { idempotent, findable } = this.#kind;
    return {
      ...inner,
      capabilities: { ...capabilities, findable, idempotentForMs: idempotent ? Infinity : 0 },
      post: async (message) => {
        if (stops) {
          this.reached.resolve();
          await this.woken.promise;
        }
        return this.show(message);
      },
      find: async ({ eventId, idempotencyKey }) => {
        this.asked.push(idempotencyKey);
        return this.#keys.has(idempotencyKey) ? { type: 'visible', platformId: eventId } : { type: 'absent' };
      },
    };
  }
}

async function hostOf(
  platform: Platform,
  name: string,
  url: string,
): Promise<{ host: EmbeddedHost; store: Store }> {
  const { leaseMs, postTimeoutMs } = TIMES;
  const codec = stateCodecFor(ATTENTION);
  const store = await schema.open({ url, node: name, codec, leaseMs, patienceMs: 1_000 });
  const surfaces = [platform.surface(name === 'a')];
  const host = await startHost({
    store,
    attention: ATTENTION,
    surfaces,
    settings: { limits: { postTimeoutMs } },
  });
  return { host, store };
}

/** The first node stops with its post in its hands; the second takes over and settles the send. Then the first wakes. */
async function played(
  kind: Kind,
  arrives: 'before it is asked' | 'on waking',
): Promise<{ seen: number; state: string }> {
  const platform = new Platform(kind);
  const proxy = await CuttingProxy.to(schema.url);
  const a = await hostOf(platform, 'a', proxy.url);
  const question = {
    eventId: 'q',
    at: Date.now(),
    platform: 'chat',
    workspaceId: 'w',
    conversation: { id: 'general', kind: 'channel' },
    author: { id: 'ada', kind: 'human' },
    type: 'message',
    text: '@lead, is it green?',
    mentions: [{ kind: 'agent', id: 'lead' }],
  };
  const agent = agentOn(a.host, 'lead', 'It is.');
  await a.host.ingest([question], 'chat');
  await platform.reached.promise;
  const b = await hostOf(platform, 'b', schema.url);
  await proxy.close();
  if (arrives === 'before it is asked') platform.woken.resolve();
  const send = async () => {
    const rows = await b.store.scan('outbox', 'byAgentConversation', {
      eq: ['lead', 'c/chat/w/general'],
      limit: 10,
    });
    return rows.find(({ inReplyTo }) => inReplyTo === 'q');
  };
  const state = await until(async () => {
    const row = await send();
    return row !== undefined && ['visible', 'lost'].includes(row.state) && row.state;
  });
  const before = platform.seen.length;
  platform.woken.resolve();
  if (arrives === 'on waking' && !kind.idempotent) await until(async () => platform.seen.length > before);
  await agent.close();
  await Promise.allSettled([b.host.stop(), a.host.stop()]);
  return { seen: platform.seen.length, state };
}

const LONG = { timeout: 120_000 };

it('a platform that knows a post again shows it once', LONG, async () => {
  expect(await played({ idempotent: true, findable: false }, 'on waking')).toEqual({
    seen: 1,
    state: 'visible',
  });
});

it('one that can be asked shows it once, if the post had arrived when it was asked', LONG, async () => {
  const kind = { idempotent: false, findable: true };
  expect(await played(kind, 'before it is asked')).toEqual({ seen: 1, state: 'visible' });
});

it('one that can be asked shows it twice, if the post comes after it was asked', LONG, async () => {
  expect(await played({ idempotent: false, findable: true }, 'on waking')).toEqual({
    seen: 2,
    state: 'visible',
  });
});

it(
  'one that can neither is asked for nothing: the send counts as lost, and may be shown once',
  LONG,
  async () => {
    expect(await played({ idempotent: false, findable: false }, 'on waking')).toEqual({
      seen: 1,
      state: 'lost',
    });
  },
);
