// Obligations through the production path: chat.send_message with an obligation, deliveries to a harness that counts
// model turns. The arms of spec/obligations.md, point 10, and the two queries.
import { afterEach, describe, expect, it } from 'vitest';
import type { ObligationOptions } from '../../src/attention/index.ts';
import { METHODS } from '../../src/protocol/methods.ts';
import type { Handed, Harness } from './harness.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const T = 15 * 60_000;
const agents = [
  { id: 'author', lead: 'boss' },
  { id: 'worker', lead: 'chief' },
  { id: 'chief' },
  { id: 'boss' },
];

interface Cast {
  author: Harness;
  worker: Harness;
  chief: Harness;
  boss: Harness;
  question: string;
}

/** Every turn of the recipient ends as the arm says; here silently, unless it has something to say. */
async function cast(
  obligations: ObligationOptions = {},
  onTurn?: (event: Handed, worker: Harness) => Promise<void>,
): Promise<Cast> {
  w = await world({ agents, obligations });
  const queue: Handed[] = [];
  const connect = (agent: string) => w.harness(agent, { version: '2026-06-02', obligations: true });
  const worker = await w.harness('worker', {
    obligations: true,
    onDeliver: (event) => {
      queue.push(event);
      return 'ack';
    },
  });
  const [author, chief, boss] = [await connect('author'), await connect('chief'), await connect('boss')];
  const sent = await author.call('chat.send_message', {
    target: 'agent:worker',
    text: 'Which of the two databases do I migrate?',
    visibility: 'dm',
    directedness: 'to_me',
    obligation: { blocks: 'halted', defaultAction: 'I migrate neither.' },
    idempotencyKey: 'q1',
  });
  if (!sent.ok) throw new Error(sent.error);
  await w.drain();
  const turns = async (): Promise<void> => {
    for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
      await worker.start(`t-${event.eventId}`, event.eventId);
      await onTurn?.(event, worker);
      await worker.end(`t-${event.eventId}`, 'silent');
      await w.drain();
    }
  };
  const advance = w.advance.bind(w);
  w.advance = async (ms) => {
    const step = 60_000;
    for (let left = ms; left > 0; left -= step) {
      await advance(Math.min(step, left));
      await turns();
    }
    if (ms === 0) await advance(0);
  };
  await turns();
  return { author, worker, chief, boss, question: String(sent.result['eventId']) };
}

const turnsOf = ({ turns }: Harness) => turns.map(({ eventId }) => eventId);
const minutes = (harness: Harness, from: number): number[] =>
  harness.got.map((_, index) => Math.round((Number(harness.at[index]) - from) / 60_000));

async function besideThePoint(event: Handed, worker: Harness): Promise<void> {
  if (event.refersTo !== undefined) return;
  await worker.reply(event.eventId, 'Databases are lovely things.', {
    target: 'agent:author',
    visibility: 'dm',
  });
  await worker.call('chat.react', { inReplyTo: event.eventId, signal: 'done' });
  await worker.call('chat.react', { inReplyTo: event.eventId, signal: 'seen' });
}

async function runArmD(read: boolean): Promise<string> {
  const { worker, chief } = await cast({}, async (event, harness) => {
    if (event.refersTo === undefined) {
      await harness.reply(event.eventId, 'Databases are lovely.', {
        target: 'agent:author',
        visibility: 'dm',
      });
      await harness.call('chat.react', { inReplyTo: event.eventId, signal: 'done' });
    }
    if (read) await harness.call('chat.react', { inReplyTo: event.eventId, signal: 'seen' });
  });
  await w.advance(5 * T);
  // Ids of sends come from one seeded source, which a reaction draws from too.
  return JSON.stringify([worker.turns, chief.turns]).replaceAll(/out_[a-z0-9]+|"sequence":\d+/g, 'x');
}

async function ids(harness: Harness, query: string): Promise<string | string[]> {
  const answer = await harness.call('chat.open_set', { query });
  return answer.ok
    ? (answer.result['obligations'] as { eventId: string }[]).map(({ eventId }) => eventId)
    : answer.error;
}

describe('the arms', () => {
  it('A: an answer beside the point, done and seen: it still returns, in a turn [OBL/10/arm-a, OBL/5/content-pullable]', async () => {
    const { worker, question } = await cast({}, besideThePoint);
    await w.advance(T + 60_000);
    expect(turnsOf(worker)).toEqual([question, `${question}/return-1`]);
    const back = worker.turns[1] as Handed;
    expect(METHODS['chat/deliver'].params.safeParse(back).success).toBe(true);
    expect(back).toMatchObject({
      refersTo: question,
      injection: { mode: 'notify' },
      attention: { policy: 'must_respond', reason: 'obligation' },
      obligation: { blocks: 'halted', defaultAction: 'I migrate neither.' },
      knock: { topic: 'owed answer, 15 min old, work halted', ageMs: expect.any(Number) },
    });
    expect(JSON.stringify(back)).not.toContain('databases');
    const pulled = await worker.call('chat.read_thread', { inReplyTo: back.eventId });
    expect(JSON.stringify(pulled)).toContain('Which of the two databases');
  });

  it.each([['author'], ['boss']] as const)(
    'B: discharged by the %s it does not return, not even when a return was on its way [OBL/10/arm-b]',
    async (who) => {
      const { worker, question, ...all } = await cast({}, besideThePoint);
      await w.advance(T - 120_000);
      worker.close();
      await w.drain();
      await w.advance(240_000);
      expect(await w.ended(`${question}/return-1`, 'worker')).toBe('queued');
      // The delegate is the author's coordinator, who is not in the direct message.
      const discharged = { inReplyTo: question, signal: 'agree', recipient: 'agent:worker' };
      await all[who].call('chat.react', discharged);
      await w.drain();
      const again = await w.harness('worker', { obligations: true });
      await w.advance(6 * T);
      expect(again.turns).toEqual([]);
      expect(await w.ended(`${question}/return-1`, 'worker')).toBe('superseded(discharged)');
      expect(all.chief.turns).toEqual([]);
    },
  );

  it('C: silence: returns at t, 2t, 3t, equal gaps, then an escalation elsewhere [OBL/10/arm-c]', async () => {
    const { worker, chief, author, question } = await cast();
    const from = w.clock.now();
    await w.advance(3 * T + 60_000);
    expect(turnsOf(worker)).toEqual([question, ...[1, 2, 3].map((n) => `${question}/return-${n}`)]);
    expect(minutes(worker, from)).toEqual([0, 15, 30, 45]);
    expect(chief.turns).toEqual([]);
    await w.advance(T);
    expect(worker.turns).toHaveLength(4);
    expect(chief.turns).toHaveLength(1);
    expect(chief.turns[0]).toMatchObject({
      injection: { mode: 'notify' },
      attention: { reason: 'obligation', policy: 'must_respond' },
    });
    const pulled = await chief.call('chat.read_thread', { inReplyTo: String(chief.turns[0]?.eventId) });
    expect(JSON.stringify(pulled)).toContain('Which of the two databases');
    expect(author.turns).toEqual([]);
    expect(await w.inbox()).toEqual([]);
  });

  it('D: arm A with read state set and unset is byte-identical [OBL/10/arm-d]', async () => {
    expect(await runArmD(true)).toBe(await runArmD(false));
  });

  it('control: with returns switched off A and C take no turn [OBL/10/control]', async () => {
    const a = await cast({ returns: false }, besideThePoint);
    await w.advance(6 * T);
    expect(turnsOf(a.worker)).toEqual([a.question]);
    const c = await cast({ returns: false });
    await w.advance(6 * T);
    expect(turnsOf(c.worker)).toEqual([c.question]);
    expect(c.chief.turns).toEqual([]);
  });
});

describe('the ladder in the host', () => {
  it('declined escalates at once, by the ladder alone', async () => {
    const { worker, chief, question } = await cast({}, async (event, harness) => {
      await harness.call('chat.react', { inReplyTo: event.eventId, signal: 'declined' });
    });
    await w.drain();
    expect(turnsOf(worker)).toEqual([question]);
    expect(chief.turns.map(({ eventId }) => eventId)).toHaveLength(1);
    expect(chief.turns[0]?.eventId).toMatch(/escalation-1$/);
  });

  it('the human rung is terminal, stays open in the inbox, and closes with its obligation', async () => {
    const { author, chief, worker, question } = await cast();
    await w.advance(5 * T);
    await w.advance(20 * T);
    const open = await w.inbox();
    expect(open.map(({ kind }) => kind)).toEqual(['obligation']);
    const turns = [worker.turns.length, chief.turns.length];
    await w.advance(40 * T);
    expect([worker.turns.length, chief.turns.length]).toEqual(turns);
    await author.call('chat.react', { inReplyTo: question, signal: 'done', recipient: 'agent:worker' });
    await w.drain();
    expect(await w.inbox()).toEqual([]);
  });

  it('no deadline and no reminder hurries or lowers it', async () => {
    const { worker, question } = await cast();
    await w.advance(T - 60_000);
    expect(turnsOf(worker)).toEqual([question]);
    const row = await w.delivery(question, 'worker');
    expect(row?.policy).toBe('must_respond');
  });

  it('after a gap it returns once, with its age, also over a restart', async () => {
    const { question } = await cast();
    await w.restart(10 * T);
    const worker = await w.harness('worker', { obligations: true });
    await w.advance(60_000);
    expect(worker.turns.map(({ eventId }) => eventId)).toEqual([`${question}/return-3`]);
    expect(worker.turns[0]?.knock?.ageMs).toBeGreaterThan(10 * T - 1);
  });

  it('what is not taken is said: a fourth debt to one recipient, a role, a denied author [OBL/11/drops-are-said]', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'shy', ignore: ['human:mallory'] }] });
    await w.harness('lead');
    const obligation = { blocks: 'none', defaultAction: 'I wait.' };
    for (let n = 0; n < 4; n++) {
      await w.say(`question ${n}`, { more: { recipients: ['lead'], obligation } });
    }
    await w.say('anybody?', { more: { recipients: ['role:ops'], obligation } });
    await w.say('hello?', { by: 'mallory', more: { recipients: ['shy'], obligation } });
    const said = (await w.inbox()).filter(({ kind }) => kind === 'obligation');
    expect(said.map(({ detail }) => detail['refused'])).toEqual([
      'too_many_open',
      'not_one_responder',
      'author_denied',
    ]);
  });

  it('the open set: what I owe, what I block, what I wait for, one call each [OBL/9/one-call-each]', async () => {
    const { author, worker, chief, question } = await cast();
    expect(await ids(worker, 'owe')).toEqual([question]);
    expect(await ids(author, 'blocked_on')).toEqual([question]);
    expect(await ids(chief, 'owe')).toEqual([]);
    await w.advance(5 * T);
    expect(await ids(chief, 'owe')).toHaveLength(1);
    expect((await ids(worker, 'blocking')).length).toBeGreaterThan(0);
    await author.call('chat.react', { inReplyTo: question, signal: 'agree', recipient: 'agent:worker' });
    await w.drain();
    for (const [harness, query] of [
      [worker, 'owe'],
      [author, 'blocked_on'],
      [chief, 'owe'],
    ] as const) {
      expect(await ids(harness, query)).toEqual([]);
    }
    expect(await worker.call('chat.open_set', { query: 'owe', cursor: 'x' })).toMatchObject({
      error: 'invalid_params',
    });
  });
});
