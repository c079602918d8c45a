// SIGTERM under load: a node refuses with a time to come back, its agents go on elsewhere, and nothing is left behind.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seededRandom } from '../../src/runtime/random.ts';
import { folder, message, until } from '../server/up.ts';
import { Balancer } from './chaos/balancer.ts';
import { agentAt, nodeOf } from './host-nodes.ts';
import { StoreSchema } from './store-schema.ts';

const AGENTS = ['lead', 'builder', 'reviewer'];

/** They answer as fast as they are asked. */
function configured(): string {
  const file = join(folder(), 'earshot.yaml');
  const agents = AGENTS.map((id) => `  - { id: ${id} }`).join('\n');
  writeFileSync(file, `agents:\n${agents}\nhost: { limits: { sendsPerMinute: 100000 } }\n`);
  return file;
}

/** What callers of the node were told. */
interface Told {
  stored: string[];
  refused: { status: number; retryAfter: string | null }[];
  /** Calls without any answer. */
  cut: string[];
  isOver: boolean;
}

/** Somebody who writes as fast as they are answered, until it is over. */
async function load(url: string, source: string | undefined, agent: string, told: Told): Promise<void> {
  for (let n = 1; !told.isOver; n++) {
    const conversation = { id: `${agent}-${n}`, kind: 'channel' };
    // Each by somebody else: there is a limit for each author.
    const author = { id: `person-${agent}-${n}`, kind: 'human' };
    const event = message(`@${agent}, question ${n}?`, { conversation, author });
    try {
      const { status, headers } = await fetch(`${url}/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${source}`, 'content-type': 'application/json' },
        body: JSON.stringify(event),
      });
      if (status === 202) told.stored.push(event.eventId);
      else told.refused.push({ status, retryAfter: headers.get('retry-after') });
    } catch (error) {
      told.cut.push(String((error as Error).cause));
    }
  }
}

/** A node hears with each beat who else is there. */
async function knowEachOther(urls: readonly string[]): Promise<void> {
  const client = await schema.client();
  const beats = async (): Promise<Map<string, number>> => {
    const { rows } = await client.query<{ url: string; at: Date }>('SELECT url, until AS at FROM node');
    return new Map(rows.map(({ url, at }) => [url, at.getTime()]));
  };
  const all = await until(async () => {
    const now = await beats();
    return urls.every((url) => now.has(url)) && now;
  });
  // The next beat of each has heard of all, and its answer has come by the one after it.
  for (let beat = 0, before = all; beat < 2; beat++)
    before = await until(async () => {
      const now = await beats();
      return urls.every((url) => (now.get(url) ?? 0) > (before.get(url) ?? 0)) && now;
    });
}

let schema: StoreSchema;
beforeEach(() => {
  schema = new StoreSchema();
});
afterEach(() => schema.dispose());

it('a node that is told to stop sends its agents away, refuses with a time, and owes nobody an answer', async () => {
  const argv = ['--config', configured()];
  const [a, b] = [await nodeOf(schema, { argv }), await nodeOf(schema, { argv })];
  const { tokens } = a;
  const source = tokens.surfaces['dev'];
  const ports = [a, b].map(({ url }) => Number(new URL(url).port));
  // All begin at the node that will stop.
  const balancer = await Balancer.over(() => ports, { ...seededRandom(1), next: () => 0 }, true);
  const agents = AGENTS.map((id) => agentAt(balancer.url, tokens.agents[id]));
  await until(async () => agents.every(({ status }) => status === 'ready'));
  await knowEachOther([a.url, b.url]);
  const told: Told = { stored: [], refused: [], cut: [], isOver: false };
  const loads = AGENTS.map((agent) => load(balancer.url, source, agent, told));
  await until(async () => told.stored.length > 10);
  const readiness: number[] = [];
  const asking = (async () => {
    for (;;) {
      // Until it listens no more.
      const answer = await a.call('GET', '/readyz').catch(() => undefined);
      if (answer === undefined) return;
      readiness.push(answer.status);
    }
  })();
  expect(await a.stop()).toBe(0);
  await asking;
  expect(readiness).toContain(503);
  const before = told.stored.length;
  await until(async () => told.stored.length > before + 10);
  told.isOver = true;
  await Promise.all(loads);
  expect(told.cut).toEqual([]);
  expect(told.refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([]);

  const client = await schema.client();
  const rows = async (sql: string): Promise<string[]> =>
    (await client.query<{ what: string }>(sql)).rows.map(({ what }) => what);
  await until(async () => (await rows('SELECT url AS what FROM node')).includes(b.url));
  expect(await rows('SELECT url AS what FROM node')).toEqual([b.url]);
  await until(async () => (await rows(`SELECT name AS what FROM lease WHERE name = 'sweep'`)).length === 1);
  // Every agent has gone on elsewhere.
  await until(async () => agents.every(({ status }) => status === 'ready'));
  for (const agent of AGENTS) {
    const last = message(`@${agent}, the last one?`, {
      conversation: { id: `last-${agent}`, kind: 'channel' },
    });
    expect((await b.call('POST', '/v1/events', source, last)).status).toBe(202);
    told.stored.push(last.eventId);
  }
  // Whatever was acknowledged is answered, and once.
  await until(async () => (await rows('SELECT key AS what FROM delivery WHERE open = 1')).length === 0);
  const answered = await rows(
    `SELECT doc::json ->> 'inReplyTo' AS what FROM outbox WHERE doc::json ->> 'text' LIKE 'Heard%'`,
  );
  expect(new Set(answered).size).toBe(answered.length);
  const settled = await rows(`SELECT source AS what FROM delivery WHERE state = 'settled'`);
  expect(told.stored.filter((id) => !settled.includes(id))).toEqual([]);
  await Promise.all(agents.map((agent) => agent.close()));
  await b.stop();
  await balancer.close();
});
