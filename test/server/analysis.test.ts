// Counting, trying and comparing: /v1/stats, /v1/what-if, /v1/replay.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/cli/config.ts';
import type { ReplayAnswer, StatsAnswer, WhatIfAnswer } from '../../src/protocol/operator-api.ts';
import { type Fixture, fixture, message, send, START } from './fixture.ts';

const MINUTE = 60_000;

async function stats({ call }: Fixture, query = ''): Promise<StatsAnswer> {
  const { status, body } = await call('GET', `/v1/stats?${query}`, 'operator');
  expect([query, status]).toEqual([query, 200]);
  return body as unknown as StatsAnswer;
}

/** Four messages: a mention, its follow-up, thanks with a mention, a line for nobody; and one answer. */
async function spent() {
  const host = await fixture();
  const ada = { author: { id: 'ada', kind: 'human' } };
  const asked = message('@lead can you look at the build?', ada);
  const say = async (event: unknown, waitMs: number) => {
    expect((await host.call('POST', '/v1/events', 'dev', event)).status).toBe(202);
    host.clock.advance(waitMs);
  };
  await say(asked, MINUTE);
  await host.tool('lead', 'chat.send_message', send(asked.eventId, { text: 'Looking at it now.' }));
  const [row] = (await host.call('GET', '/v1/outbox', 'dev')).body['messages'] as {
    idempotencyKey: string;
  }[];
  await host.call('POST', '/v1/outbox/ack', 'dev', { key: row?.idempotencyKey, platformId: 'p1' });
  host.clock.advance(MINUTE);
  await say(message('and can you check the tests too?', ada), 2 * MINUTE);
  await say(message('@lead thanks!', ada), 60 * MINUTE);
  await say(
    message('lunch?', {
      author: { id: 'ben', kind: 'human' },
      conversation: { id: 'random', kind: 'channel' },
    }),
    1,
  );
  return { host };
}

async function followUp() {
  const host = await fixture();
  await host.call('POST', '/v1/events', 'dev', message('@lead can you look?'));
  host.clock.advance(MINUTE);
  const more = message('crew, can you look at the tests too?');
  await host.call('POST', '/v1/events', 'dev', more);
  return { host, more };
}

const askWhatIf = async ({ call }: Fixture, body: unknown) => call('POST', '/v1/what-if', 'operator', body);

const askReplay = async ({ call }: Fixture, body: unknown) => {
  const { status, body: answer, text } = await call('POST', '/v1/replay', 'operator', body);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return answer as unknown as ReplayAnswer;
};

describe('GET /v1/stats', () => {
  it('counts turns, and what the two simple policies would have spent', async () => {
    const { host } = await spent();
    const { totals, byAgent, byConversation, complete } = await stats(host, 'bucket=hour');
    // Four messages of people reach two agents each, lead's own reaches builder.
    expect(totals).toMatchObject({ messages: 5, everythingTurns: 9, answers: 1 });
    // The mention and the follow-up take a turn; thanks do not.
    expect(totals).toMatchObject({
      turns: 2,
      savedEverything: 7,
      mentionTurns: 2,
      mentionMissed: 1,
      mentionAdded: 1,
    });
    const chars = '@lead can you look at the build?'.length + 'and can you check the tests too?'.length;
    expect(totals.tokens).toBe(Math.round(chars / 4));
    expect(byAgent).toMatchObject([
      { agent: 'builder', turns: 0, everythingTurns: 5, answers: 0 },
      { agent: 'lead', turns: 2, everythingTurns: 4, answers: 1 },
    ]);
    expect(byConversation).toMatchObject([
      { id: 'general', messages: 4 },
      { id: 'random', messages: 1, turns: 0 },
    ]);
    expect(complete).toBe(true);
  });

  it('is the sum of its buckets, and keeps to the period, agent and conversation', async () => {
    const { host } = await spent();
    const { buckets, totals } = await stats(host, `from=${START}&bucket=minute`);
    expect(buckets.length).toBeGreaterThan(2);
    for (const name of ['messages', 'turns', 'everythingTurns', 'mentionMissed', 'answers'] as const) {
      expect(buckets.reduce((sum, bucket) => sum + bucket[name], 0)).toBe(totals[name]);
    }
    expect((await stats(host, `from=${START + 2 * MINUTE}&to=${START + 3 * MINUTE}`)).totals.messages).toBe(
      1,
    );
    expect((await stats(host, 'agent=builder')).totals).toMatchObject({ messages: 5, turns: 0, answers: 0 });
    expect((await stats(host, 'conversation=random')).totals).toMatchObject({
      messages: 1,
      everythingTurns: 2,
    });
  });

  it.each([
    ['from=2026-06-03T00:00:00Z&to=2026-06-02T00:00:00Z', 'from has to be before to'],
    ['from=2020-01-01T00:00:00Z&bucket=minute', 'choose a larger bucket'],
    ['bucket=week', 'bucket'],
  ])('%s is refused', async (query, words) => {
    const host = await fixture();
    const { status, text } = await host.call('GET', `/v1/stats?${query}`, 'operator');
    expect([status, text]).toEqual([400, expect.stringContaining(words) as string]);
  });
});

describe('POST /v1/what-if', () => {
  it('decides the same without a change, and otherwise with one, in words', async () => {
    const { host, more } = await followUp();
    const same = (await askWhatIf(host, { eventId: more.eventId, agent: 'lead' }))
      .body as unknown as WhatIfAnswer;
    expect(same).toMatchObject({ differs: false, complete: true, records: 1 });
    expect(same.now).toMatchObject({ reason: 'exchange', policy: 'must_respond' });
    expect(same.now).toEqual(same.decided);
    expect(same.words).toBe('Nothing changes: lead must answer either way.');
    const off = (
      await askWhatIf(host, {
        eventId: more.eventId,
        agent: 'lead',
        settings: { agent: { stickiness: 'off' } },
      })
    ).body as unknown as WhatIfAnswer;
    expect(off).toMatchObject({ differs: true, now: { reason: 'exchange' }, changed: { reason: 'ambient' } });
    expect(off.words).toBe('With this change lead stays silent; without it, it must answer.');
    expect(off.changed?.steps.length).toBeGreaterThan(2);
  });

  it.each<[Record<string, unknown>, string | null]>([
    [{ preset: 'typeclaw' }, 'solo_human'],
    [{ limits: { followUpMessages: 1, owesMessages: 1, exchangeMs: 1 } }, 'ambient'],
    [{ conversation: { stickiness: 'off' } }, 'ambient'],
    [{ agent: { ignore: ['human:ada'] } }, 'denied'],
    [{ agent: { conversations: ['elsewhere'] } }, null],
    [{ agent: { aliases: ['crew'] } }, 'mention'],
  ])('with %j it comes out as %s', async (settings, reason) => {
    const { host, more } = await followUp();
    const { status, body } = await askWhatIf(host, { eventId: more.eventId, agent: 'lead', settings });
    expect(status).toBe(200);
    expect((body as unknown as WhatIfAnswer).changed?.reason ?? null).toBe(reason);
  });

  it.each<[Record<string, unknown>, number, string]>([
    [{ eventId: 'none', agent: 'lead' }, 404, 'no event'],
    [{ eventId: 'x', agent: 'ghost' }, 404, 'this host has lead, builder'],
    [{ agent: 'lead' }, 400, 'eventId'],
  ])('%j is refused', async (body, status, words) => {
    const host = await fixture();
    const answer = await askWhatIf(host, body);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words) as string]);
  });

  it('names the setting that is wrong', async () => {
    const { host, more } = await followUp();
    const settings = { agent: { stickyness: 'off' } };
    const { status, text } = await askWhatIf(host, { eventId: more.eventId, agent: 'lead', settings });
    expect([status, text]).toEqual([400, expect.stringContaining('stickyness') as string]);
    const limits = await askWhatIf(host, {
      eventId: more.eventId,
      agent: 'lead',
      settings: { limits: { composeMs: -1 } },
    });
    expect([limits.status, limits.text]).toEqual([
      400,
      expect.stringContaining('settings.limits.composeMs') as string,
    ]);
  });
});

describe('POST /v1/replay', () => {
  const transcript = readFileSync('examples/standup.jsonl', 'utf8');
  const config = parseConfig(readFileSync('examples/earshot.yaml', 'utf8'), 'earshot.yaml');
  it('compares a transcript under two configurations, decision by decision', async () => {
    const host = await fixture();
    const same = await askReplay(host, { transcript, config, against: config });
    expect(same).toMatchObject({
      source: 'transcript',
      different: 0,
      differences: [],
      turnsAdded: 0,
      turnsSaved: 0,
    });
    expect(same.events).toBeGreaterThan(30);
    const other = await askReplay(host, { transcript, config, against: { ...config, preset: 'typeclaw' } });
    expect(other.different).toBeGreaterThan(0);
    expect(other.differences).toHaveLength(other.different);
    expect(other.turnsBefore - other.turnsSaved + other.turnsAdded).toBe(other.turnsAfter);
    expect(other.differences[0]?.before?.headline).toContain(other.differences[0]?.agent ?? '?');
    const all = await askReplay(host, { transcript, config, against: config, all: true });
    expect(all.differences).toHaveLength(all.decisions);
  });

  it('skips malformed lines and says which, never what', async () => {
    const host = await fixture();
    const broken = `${transcript}{"secret-word":\n{"type":"message"}\n`;
    const { malformed, events } = await askReplay(host, { transcript: broken, config, against: config });
    expect(events).toBeGreaterThan(30);
    expect(malformed.count).toBe(2);
    expect(JSON.stringify(malformed)).not.toContain('secret-word');
  });

  it('decides a period of the log again: the same under the same settings, otherwise under others', async () => {
    const host = await fixture();
    const texts = [
      '@lead can you look?',
      'and at the tests?',
      'thanks',
      'lunch anybody?',
      '@builder status?',
    ];
    for (const [n, text] of texts.entries()) {
      await host.call(
        'POST',
        '/v1/events',
        'dev',
        message(text, { author: { id: n === 3 ? 'ben' : 'ada', kind: 'human' } }),
      );
      host.clock.advance(MINUTE);
    }
    const period = { from: START, to: START + 60 * MINUTE };
    const same = await askReplay(host, period);
    expect(same).toMatchObject({ source: 'log', before: 'decided', different: 0, complete: true, events: 5 });
    const agents = [
      { id: 'lead', stickiness: 'off' },
      { id: 'builder', lead: 'lead' },
    ];
    const quieter = await askReplay(host, { ...period, config: { agents } });
    expect(quieter.differences[0]).toMatchObject({
      agent: 'lead',
      text: 'and at the tests?',
      before: { reason: 'exchange' },
      after: { reason: 'ambient' },
    });
    expect(quieter).toMatchObject({ turnsAdded: 0 });
    expect(quieter.turnsSaved).toBeGreaterThan(0);
    // What came before the period is known in it.
    const late = await askReplay(host, { from: START + MINUTE, to: START + 2 * MINUTE });
    expect(late).toMatchObject({ events: 1, different: 0 });
    const two = await askReplay(host, { ...period, config: { agents }, against: { agents } });
    expect(two).toMatchObject({ before: 'config', different: 0 });
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, 'give a transcript'],
    [{ from: 'then' }, '2026-06-02T09:00:00Z'],
    [{ from: START, transcript: 'x' }, 'not both'],
    [{ transcript: 'x', config: { agents: [{ id: 'a b' }] } }, 'config.agents.0.id'],
    [{ transcript: 'x', against: { limits: { nope: 1 } } }, 'nope'],
  ])('%j is refused', async (body, words) => {
    const host = await fixture();
    const { status, text } = await host.call('POST', '/v1/replay', 'operator', body);
    expect([status, text]).toEqual([400, expect.stringContaining(words) as string]);
  });

  it('takes 5 MB of transcript and no more, one at a time', async () => {
    const host = await fixture();
    const tooLong = await host.call('POST', '/v1/replay', 'operator', {
      transcript: 'x'.repeat(5 * 1_048_576 + 1),
    });
    expect(tooLong.status).toBe(400);
    const many = Array.from({ length: 600 }, (_, n) =>
      JSON.stringify(message(`line ${n}`, { at: START + n })),
    ).join('\n');
    const [first, second] = await Promise.all([
      host.call('POST', '/v1/replay', 'operator', { transcript: many }),
      host.call('POST', '/v1/replay', 'operator', { transcript: many }),
    ]);
    expect(new Set([first.status, second.status])).toEqual(new Set([200, 429]));
  });
});
