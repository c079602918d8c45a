// A platform that takes one connection: of several hosts one has it, and another only after the first has let go.
import { setTimeout as rest } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EmbeddedHost, startHost, stateCodecFor } from '../../src/embed/start-host.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import type { Surface } from '../../src/surfaces/surface.ts';
import { until } from '../server/up.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { StoreSchema } from './store-schema.ts';

let schema: StoreSchema;
beforeEach(() => {
  schema = new StoreSchema();
});
afterEach(() => schema.dispose());

const ATTENTION = { agents: [{ id: 'lead' }] };
const LEASE_MS = 6_000;
/** A platform is not left in an instant. */
const LEAVING_MS = 800;

/** Who was connected, in order, and whether ever two were. */
class Platform {
  readonly came: string[] = [];
  readonly #there = new Set<string>();
  hadTwo = false;

  surface(host: string): Surface {
    const { everywhere: _, ...inner } = internalSurface('chat');
    return {
      ...inner,
      start: async () => {
        this.came.push(host);
        this.#there.add(host);
        this.hadTwo ||= this.#there.size > 1;
      },
      stop: async () => {
        await rest(LEAVING_MS);
        this.#there.delete(host);
      },
    };
  }

  get there(): string[] {
    return [...this.#there];
  }
}

async function hostOf(platform: Platform, name: string, url: string): Promise<EmbeddedHost> {
  const codec = stateCodecFor(ATTENTION);
  const store = await schema.open({ url, node: name, codec, leaseMs: LEASE_MS, patienceMs: 1_000 });
  return startHost({ store, attention: ATTENTION, surfaces: [platform.surface(name)] });
}

it('it moves when its host stops, and when its host is cut off', async () => {
  const platform = new Platform();
  const proxy = await CuttingProxy.to(schema.url);
  const a = await hostOf(platform, 'a', schema.url);
  await until(async () => platform.there.includes('a'));
  const b = await hostOf(platform, 'b', proxy.url);
  const c = await hostOf(platform, 'c', schema.url);
  await a.stop();
  await until(async () => platform.there.length === 1);
  const [second = ''] = platform.there;
  expect(['b', 'c']).toContain(second);
  if (second === 'c') await c.stop();
  await until(async () => platform.there.includes('b'));
  const d = await hostOf(platform, 'd', schema.url);
  await proxy.close();
  await until(async () => platform.there.some((name) => name === 'c' || name === 'd'));
  expect([platform.hadTwo, platform.there.length]).toEqual([false, 1]);
  await Promise.allSettled([b.stop(), c.stop(), d.stop()]);
  expect(platform.there).toEqual([]);
});
