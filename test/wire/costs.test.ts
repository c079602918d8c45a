// What turns cost: as the harness reports it, else as an estimate; counted once; and what happens at a budget.
import { describe, expect, it } from 'vitest';
import type { AgentsPage, StatsAnswer } from '../../src/protocol/operator-api.ts';
import { type WireHost, type WireHostOptions, until } from './host.ts';
import { harness, hostWith, type Seen, type WireHarness } from './ways.ts';

const DAY_MS = 24 * 3_600_000;
/** Ways whose harness reports its turns. */
const TURNS = ['websocket', 'pull'] as const;
const USAGE = {
  inputTokens: 12_000,
  outputTokens: 300,
  cachedInputTokens: 9_000,
  costUsd: 0.0125,
  model: 'local/large',
  source: 'reported',
} as const;

let turns = 0;

/** One turn about the event. Answers with the turn's id. */
async function answer(lead: WireHarness, seen: Seen, usage?: object): Promise<string> {
  const turnId = `t${++turns}`;
  await lead.request('turn/started', { turnId, eventIds: [seen.eventId] });
  expect(await lead.reply(seen, `Answer ${turnId}.`, { turnId })).toMatchObject({ ok: true });
  await lead.request('turn/ended', { turnId, outcome: 'answered', ...(usage && { usage }) });
  return turnId;
}

async function asked(wire: WireHost, lead: WireHarness, text: string): Promise<Seen> {
  const id = await wire.say(text);
  await wire.pass(3_000);
  return lead.next(({ eventId }) => eventId === id, id);
}

async function stats(wire: WireHost, query = ''): Promise<StatsAnswer> {
  const now = wire.clock.now();
  const [from, to] = [now - DAY_MS, now + 1_000].map((at) => new Date(at).toISOString());
  const token = await wire.token('operator', 'ops');
  const { body } = await wire.call('GET', `/v1/stats?from=${from}&to=${to}&bucket=hour${query}`, token);
  return body as unknown as StatsAnswer;
}

async function spentBy(wire: WireHost, agent: string) {
  const { body } = await wire.call('GET', '/v1/agents', await wire.token('operator', 'ops'));
  return (body as unknown as AgentsPage).agents.find(({ id }) => id === agent)?.spent;
}

describe.each(TURNS)('over %s', (way) => {
  it('what a turn cost is counted as it was reported, and once', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const turnId = await answer(lead, await asked(wire, lead, '@lead is the build green?'), USAGE);
    await lead.request('turn/ended', { turnId, outcome: 'answered', usage: USAGE });
    const counted = {
      tokens: 12_300,
      tokensIn: 12_000,
      tokensOut: 300,
      tokensCached: 9_000,
      tokensEstimated: 0,
      usd: 0.0125,
    };
    const answered = await stats(wire);
    expect(answered.totals).toMatchObject(counted);
    expect(answered.byAgent.find(({ agent }) => agent === 'lead')).toMatchObject(counted);
    expect(answered.byConversation).toMatchObject([counted]);
    expect((await stats(wire, '&agent=lead')).totals).toMatchObject(counted);
    expect(await spentBy(wire, 'lead')).toMatchObject({
      turns: 1,
      tokens: 12_300,
      tokensEstimated: 0,
      usd: 0.0125,
    });
    const metrics = await fetch(`${wire.url}/metrics`, {
      headers: { authorization: `Bearer ${await wire.token('operator', 'ops')}` },
    });
    const text = await metrics.text();
    expect(text).toMatch(/earshot_tokens_total\{agent="lead",kind="in",source="reported"\} 12000/);
    expect(text).toMatch(/earshot_tokens_total\{agent="lead",kind="cached",source="reported"\} 9000/);
    expect(text).toMatch(/earshot_cost_usd_total\{agent="lead"\} 0\.0125/);
  });

  it('where nobody counts, it is an estimate and marked as one', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await answer(lead, await asked(wire, lead, `@lead ${'is the build green? '.repeat(20)}`));
    const { totals } = await stats(wire);
    expect(totals.tokens).toBeGreaterThan(90);
    expect(totals.tokensEstimated).toBe(totals.tokens);
  });

  it('a usage that is none is refused by name', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const seen = await asked(wire, lead, '@lead is the build green?');
    await lead.request('turn/started', { turnId: 't', eventIds: [seen.eventId] });
    const wrong = { turnId: 't', outcome: 'silent', usage: { ...USAGE, inputTokens: -1 } };
    await expect(lead.request('turn/ended', wrong)).rejects.toThrow(/usage\.inputTokens/);
  });
});

const lines = ({ platform }: WireHost): string[] =>
  platform.texts().filter((text) => text.includes('budget'));

describe('a budget', () => {
  const BUDGET: WireHostOptions = {
    agents: [{ id: 'lead', name: 'Lead', budget: { turnsPerDay: 2, stopAt: 1.5 } }, { id: 'builder' }],
  };
  it('that is reached is said once; then only what must be answered is, and then nobody is, until the day is over', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead', BUDGET);
    await answer(lead, await asked(wire, lead, '@lead one?'));
    expect(lines(wire)).toEqual([]);
    await answer(lead, await asked(wire, lead, '@lead two?'));
    await until(() => lines(wire).length > 0);
    expect(lines(wire)).toEqual([
      'Lead has used its budget for today. Until 00:00 UTC it answers only when it is asked directly.',
    ]);
    expect(await spentBy(wire, 'lead')).toMatchObject({ level: 'spent', turns: 2 });

    // What it may answer takes no turn; what it must answer does.
    const may = await wire.say('what do you think of this, lead', { by: 'bob' });
    await wire.pass(3_000);
    const { decision } = await wire.why(may, 'lead');
    expect(decision).toMatchObject({ policy: 'may_respond', mode: 'notify' });
    expect(decision?.trace.lowered).toContain('budget');
    await answer(lead, await asked(wire, lead, '@lead three?'));
    expect(await spentBy(wire, 'lead')).toMatchObject({ level: 'overspent', turns: 3 });

    const held = await wire.say('@lead four?');
    const again = await wire.say('@lead five?', { by: 'bob' });
    await wire.pass(30_000);
    await until(() => lines(wire).length === 2);
    expect(lines(wire)[1]).toBe(
      'Lead has used up its budget for today and answers nobody until 00:00 UTC. Your message waits until then.',
    );
    expect(lead.seen.map(({ eventId }) => eventId)).not.toContain(held);
    expect(JSON.stringify(await wire.why(held, 'lead'))).toContain('has used its budget of the day');

    // The lines wake nobody, and the next day what waited comes.
    await wire.pass(Math.ceil(DAY_MS - (wire.clock.now() % DAY_MS)) + 5_000, 600_000);
    const next = await harness(wire, 'lead', 'websocket');
    await wire.pass(5_000);
    await next.next(({ eventId }) => eventId === held);
    await next.next(({ eventId }) => eventId === again);
    expect(lines(wire)).toHaveLength(2);
    expect(await spentBy(wire, 'lead')).toMatchObject({ level: 'within', turns: 0 });
  });
});
