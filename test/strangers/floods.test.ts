// A small version of `npm run floods`: strangers misbehave without a pause at a real process, and those who have a token
// get in and are served. Counts, no times.
import { describe, expect, it } from 'vitest';
import { type Attack, WAYS } from '../../bench/flood-ways.ts';
import { Client } from '../../bench/load.ts';
import { STRANGER_LIMITS } from '../../src/host/security/stranger-limits.ts';
import { message, type Up, up, until } from '../server/up.ts';

const EVENTS = 20;

async function metric(host: Up, name: string): Promise<number> {
  const { text } = await host.call('GET', '/metrics', host.tokens.operator);
  const at = text.split('\n').find((line) => line.startsWith(`${name} `));
  return Number(at?.slice(name.length + 1) ?? Number.NaN);
}

/** Runs a way until it is told to stop. */
function flood(host: Up, name: string): { answers: Record<string, number>; end: () => Promise<void> } {
  const way = WAYS.find((known) => known.name === name);
  if (way === undefined) throw new Error(`no such way: ${name}`);
  let over = false;
  const answers: Record<string, number> = {};
  const attack: Attack = {
    url: host.url,
    tokens: { agents: {}, source: '', badSource: '', badOperator: '' },
    eventId: '',
    attachmentId: '',
    stopped: () => over,
    count: (what) => void (answers[what] = (answers[what] ?? 0) + 1),
    random: Math.random,
  };
  const running = way.run(attack);
  return {
    answers,
    async end() {
      over = true;
      await running;
    },
  };
}

describe('while strangers flood', () => {
  it.each([
    ['1,200 sockets at /web', 'earshot_turned_away_total{why="room"}'],
    ['2,000 silent connections', 'earshot_turned_away_total{why="room"}'],
    ['400 dribbling requests', 'earshot_turned_away_total{why="bodies"}'],
    ['guessing tokens', 'earshot_turned_away_total{why="wrong_tokens"}'],
  ])('%s: agents connect, events are taken and delivered, once each', async (name, turnedAway) => {
    const host = await up();
    const { answers, end } = flood(host, name);
    await until(async () => (await metric(host, turnedAway)) > 0);

    const got: string[] = [];
    const lead = await Client.harness(
      `${host.url.replace('http', 'ws')}/c2a`,
      host.tokens.agents['lead'] ?? '',
    );
    lead.onDeliver = (eventId) => void got.push(eventId);
    const sent = Array.from({ length: EVENTS }, (_, i) => message(`@lead is number ${i} done?`));
    for (const event of sent) expect((await host.post(event)).status).toBe(202);
    await until(async () => got.length >= EVENTS);
    expect(got.toSorted()).toEqual(sent.map(({ eventId }) => eventId).toSorted());
    expect(await metric(host, 'earshot_connections{who="stranger"}')).toBeLessThanOrEqual(
      STRANGER_LIMITS.connections,
    );
    expect(Object.keys(answers)).not.toEqual([]);
    lead.close();
    await end();
    expect((await host.call('GET', '/healthz', host.tokens.operator)).status).toBe(200);
    expect(await host.stop()).toBe(0);
  });
});
