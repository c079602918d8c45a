// Failure is said: a turn that fails is tried again over minutes, whoever asked is told once that something is wrong and
// once when it is given up, and the answer comes once. Over every way by which an agent reports its turns.
import { describe, expect, it } from 'vitest';
import { asksSomething } from '../../src/attention/intent/intent.ts';
import { foldText } from '../../src/attention/text.ts';
import { TROUBLE_LINES } from '../../src/host/outbox/trouble-lines.ts';
import { FAILED_TURN_LIMITS } from '../../src/host/deliver/failed-turn.ts';
import type { ShownAgent } from '../../src/protocol/operator-api.ts';
import type { WireHost } from './host.ts';
import { harness, hostWith, type Seen, type WireHarness } from './ways.ts';

const TEAM = [{ id: 'lead' }, { id: 'builder', lead: 'lead' }];
const TROUBLE = 'builder ran into a problem and is trying again.';
const GAVE_UP = 'builder could not answer this and has stopped trying. Whoever runs it can see the reason.';

/** Takes every event that arrives into a turn and fails it, until it is told to work. */
function failing(agent: WireHarness) {
  let turns = 0;
  const done = new Set<string>();
  const next = (): Seen | undefined => agent.seen.find(({ eventId }) => !done.has(eventId));
  return {
    tried: () => turns,
    async step(wire: WireHost, error: string | undefined, retryable?: boolean): Promise<void> {
      for (let seen = next(); seen !== undefined; seen = next()) {
        done.add(seen.eventId);
        const turnId = `t${++turns}`;
        await agent.request('turn/started', { turnId, eventIds: [seen.eventId] });
        if (error === undefined) await agent.reply(seen, 'It is green.', { turnId });
        const how = error === undefined ? { outcome: 'answered' } : { outcome: 'failed', error, retryable };
        await agent.request('turn/ended', { turnId, ...how });
      }
      await wire.pass(1);
    },
  };
}

async function run(wire: WireHost, ms: number, step: () => Promise<void>): Promise<void> {
  for (let passed = 0; passed < ms; passed += 2_500) {
    await step();
    await wire.pass(2_500, 2_500);
  }
  await step();
}

async function shown(wire: WireHost, agent: string): Promise<ShownAgent | undefined> {
  const { body } = await wire.call('GET', '/v1/agents', await wire.token('operator', 'ops'));
  return (body['agents'] as ShownAgent[]).find(({ id }) => id === agent);
}

describe.each(['websocket', 'pull', 'webhook'] as const)('a turn that fails over %s', (way) => {
  it('for five minutes is tried again, its asker is told once, and the answer comes once', async () => {
    const { wire, agent } = await hostWith(way, 'builder', { agents: TEAM });
    const turns = failing(agent);
    await wire.say('@builder is the build green?');
    await run(wire, 300_000, () => turns.step(wire, 'connect ECONNREFUSED 127.0.0.1:11434'));
    expect(wire.platform.texts()).toEqual([TROUBLE]);
    expect(turns.tried()).toBeGreaterThan(3);
    await run(wire, 300_000, () => turns.step(wire, undefined));
    expect(wire.platform.texts()).toEqual([TROUBLE, 'It is green.']);
  });

  it('for good is given up with one line, and nobody is woken by either', async () => {
    const { wire, agent } = await hostWith(way, 'builder', { agents: TEAM });
    const lead = await harness(wire, 'lead', 'websocket');
    const turns = failing(agent);
    await wire.say('@builder is the build green?');
    const { giveUpAfterMs } = FAILED_TURN_LIMITS;
    await run(wire, giveUpAfterMs - 60_000, () => turns.step(wire, 'out of order'));
    expect([wire.platform.texts(), lead.seen]).toEqual([[TROUBLE], []]);
    await run(wire, 180_000, () => turns.step(wire, 'out of order'));
    expect(wire.platform.texts()).toEqual([TROUBLE, GAVE_UP]);
    // The lead is told, by the escalation, and by nothing else.
    expect(lead.seen.map(({ policy, mode }) => [policy, mode])).toEqual([['must_respond', 'notify']]);
    expect(lead.seen[0]?.raw['unanswered']).toEqual({
      by: 'agent:builder',
      why: 'turn_failed',
      error: 'out of order',
    });
  });
});

describe('a turn that fails', () => {
  it('is given up at once when its harness says that trying again is useless', async () => {
    const { wire, agent } = await hostWith('websocket', 'builder', { agents: [{ id: 'builder' }] });
    const turns = failing(agent);
    await wire.say('@builder is the build green?');
    await run(wire, 10_000, () => turns.step(wire, 'bad request', false));
    expect([turns.tried(), wire.platform.texts()]).toEqual([1, [GAVE_UP]]);
    const { body } = await wire.call('GET', '/v1/inbox', await wire.token('operator', 'ops'));
    expect(JSON.stringify(body)).toContain('bad request');
  });

  it('of may_respond is tried again without a word in the room', async () => {
    const { wire, agent } = await hostWith('websocket', 'builder', {
      agents: [{ id: 'builder' }],
      attention: { conversations: [] },
    });
    const turns = failing(agent);
    await wire.say('@builder is the build green?');
    await run(wire, 2_500, () => turns.step(wire, undefined));
    await wire.say('nice weather today');
    await run(wire, 60_000, () => turns.step(wire, 'out of order'));
    expect(agent.seen.at(-1)?.policy).toBe('may_respond');
    expect(turns.tried()).toBeGreaterThan(3);
    expect(wire.platform.texts()).toEqual(['It is green.']);
  });

  it('keeps its error from the room, without secrets, for whoever runs the agent', async () => {
    const { wire, agent } = await hostWith('websocket', 'builder', { agents: TEAM });
    const turns = failing(agent);
    const key = `sk-ant-api03-${'k3Y9'.repeat(24)}-AAAA`;
    const id = await wire.say('@builder is the build green?');
    await run(wire, 5_000, () => turns.step(wire, `Not logged in\nPlease run /login ${key}`));
    expect(await shown(wire, 'builder')).toMatchObject({
      failing: { turns: 1, error: expect.stringMatching(/^Not logged in Please run \/login \[redacted\]/) },
    });
    const operator = await wire.token('operator', 'ops');
    const { body: log } = await wire.call('GET', '/v1/log?type=turn', operator);
    expect(JSON.stringify(log)).toContain('"error":"Not logged in');
    expect(JSON.stringify(log)).not.toContain(key);
    expect((await wire.why(id, 'builder')).since.map(({ words }) => words).join(' ')).toContain(
      'Not logged in',
    );
    await run(wire, 20_000, () => turns.step(wire, undefined));
    expect((await shown(wire, 'builder'))?.failing).toBeNull();
  });

  it('is told where it was asked, in the language of the question', async () => {
    const { wire, agent } = await hostWith('websocket', 'builder', { agents: TEAM });
    const turns = failing(agent);
    await wire.say('@builder kannst du bitte die Rechnung prüfen?', { in: 'rechnungen', kind: 'dm' });
    await run(wire, 5_000, () => turns.step(wire, 'kaputt'));
    expect(wire.platform.shown).toMatchObject([
      { text: TROUBLE_LINES.de.trouble('builder'), place: { conversationId: 'rechnungen' } },
    ]);
  });

  it('does not keep other conversations waiting', async () => {
    const { wire, agent } = await hostWith('websocket', 'builder', { agents: TEAM });
    const turns = failing(agent);
    await wire.say('@builder is the build green?');
    await run(wire, 60_000, () => turns.step(wire, 'out of order'));
    await wire.say('@builder and here?', { in: 'other' });
    await run(wire, 2_500, () => turns.step(wire, undefined));
    expect(wire.platform.texts()).toEqual([TROUBLE, 'It is green.']);
  });
});

describe('a question that waits for its next try', () => {
  it('does not wait when somebody says something new there', async () => {
    const { wire, agent } = await hostWith('websocket', 'builder', { agents: TEAM });
    const turns = failing(agent);
    await wire.say('@builder is the build green?');
    await run(wire, 70_000, () => turns.step(wire, 'out of order'));
    const before = turns.tried();
    await wire.say('@builder are you there?');
    await run(wire, 5_000, () => turns.step(wire, undefined));
    // The question is tried at once. What is said meanwhile is a correction: both are handed over as one.
    expect(turns.tried()).toBe(before + 2);
    expect(agent.seen.at(-1)?.text).toBe('@builder is the build green?\n@builder are you there?');
    expect(wire.platform.texts()).toEqual([TROUBLE, 'It is green.']);
  });

  it('does not wait when the agent connects anew', async () => {
    const { wire, agent } = await hostWith('websocket', 'builder', { agents: TEAM });
    const turns = failing(agent);
    await wire.say('@builder is the build green?');
    await run(wire, 70_000, () => turns.step(wire, 'Not logged in'));
    await agent.close();
    const mended = await harness(wire, 'builder', 'websocket');
    const seen = await mended.next(({ text }) => text.includes('build green'));
    await mended.reply(seen, 'It is green.');
    await wire.pass(1_000);
    expect(wire.platform.texts()).toEqual([TROUBLE, 'It is green.']);
  });

  it('has the new words after an edit, and is over when its message is deleted', async () => {
    const { wire, agent } = await hostWith('websocket', 'builder', { agents: TEAM });
    const turns = failing(agent);
    const id = await wire.say('@builder is the build green?');
    const gone = await wire.say('@builder is the site up?', { in: 'other' });
    await run(wire, 5_000, () => turns.step(wire, 'out of order'));
    const { text: _, ...place } = wire.event('', {}) as unknown as Record<string, unknown>;
    const edit = { ...place, eventId: `${id}-edit`, type: 'edit', targetEventId: id };
    await wire.post({ ...edit, text: '@builder is the release build green?' });
    const other = wire.event('', { in: 'other' }) as unknown as Record<string, unknown>;
    const { text: __, ...elsewhere } = other;
    await wire.post({ ...elsewhere, eventId: `${gone}-gone`, type: 'delete', targetEventId: gone });
    await run(wire, 60_000, () => turns.step(wire, undefined));
    expect(agent.seen.at(-1)?.text).toBe('@builder is the release build green?');
    expect(wire.platform.texts().filter((text) => text === 'It is green.')).toHaveLength(1);
  });
});

it('a harness that dies of a question gets it after a pause, and its asker is told', async () => {
  const { wire, agent: first } = await hostWith('websocket', 'builder', { agents: TEAM });
  await wire.say('@builder is the build green?');
  let agent = first;
  for (let crash = 1; crash <= 4; crash++) {
    await wire.pass(2_500);
    const seen = agent.seen.at(-1);
    if (seen !== undefined)
      await agent.request('turn/started', { turnId: `c${crash}`, eventIds: [seen.eventId] });
    await agent.close();
    agent = await harness(wire, 'builder', 'websocket');
  }
  expect(wire.platform.texts()).toEqual([TROUBLE]);
  expect(await shown(wire, 'builder')).toMatchObject({
    failing: { error: 'its harness ended in the middle of the turn' },
  });
});

it('a delivery that is never acknowledged is given up with a word to its asker', async () => {
  const { wire } = await hostWith(
    'websocket',
    'builder',
    { agents: TEAM, host: { limits: { handAttempts: 2 } } },
    { onDeliver: () => 'silence' },
  );
  await wire.say('@builder is the build green?');
  await wire.pass(60_000, 2_000);
  expect(wire.platform.texts()).toEqual([GAVE_UP]);
});

it('the SDK says what its handler threw', async () => {
  let runs = 0;
  const { wire } = await hostWith(
    'sdk',
    'builder',
    { agents: TEAM },
    {
      onTurn: () => {
        if (++runs < 5) throw new Error('the provider cannot be reached');
        return 'It is green.';
      },
    },
  );
  await wire.say('@builder is the build green?');
  await wire.pass(20_000, 1_000);
  expect((await shown(wire, 'builder'))?.failing).toMatchObject({ error: 'the provider cannot be reached' });
  await wire.pass(300_000, 2_500);
  expect([runs, wire.platform.texts()]).toEqual([5, [TROUBLE, 'It is green.']]);
});

it('no line asks for anything, in any language', () => {
  for (const lines of Object.values(TROUBLE_LINES))
    for (const line of Object.values(lines))
      expect([line('lead'), asksSomething(foldText(line('lead')))]).toEqual([line('lead'), false]);
});
