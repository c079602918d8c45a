// One obligation licenses one answer, in its place. A platform that refuses a post does not make two of it, whatever
// the agent does about it; and what nobody asked for counts against a budget.
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/agent/index.ts';
import { until, type WireHost, wireHost } from './host.ts';
import { harness, hostWith, type Seen, type ToolResult, WAYS, webhookFor, type WireHarness } from './ways.ts';

/** Longer than a follow-up waits. */
const LONG = 15_000;

const isUndelivered = ({ notices }: Seen): boolean => notices.includes('undelivered');

async function asked(
  wire: WireHost,
  lead: WireHarness,
  text = '@lead is the deploy blocked?',
): Promise<Seen> {
  const eventId = await wire.say(text);
  await wire.pass(3_000);
  return lead.next((one) => one.eventId === eventId, 'the question');
}

/** Refuses the first posts. */
function refuses(wire: WireHost, times: number): void {
  let left = times;
  wire.platform.onPost = ({ type }) => (type === 'message' && left-- > 0 ? 'refuse' : 'show');
}

function refusals(results: readonly ToolResult[]): string[] {
  return results.flatMap((result) => (result.ok ? [] : [result.name]));
}

describe.each(WAYS)('a platform that refuses a post, over %s', (way) => {
  it('shows one message when the agent answers differently, and nothing is asked again [C2A-06-02/outbound-retry/permanent-failures, C2A-06-02/model-retry/unless-never-delivered]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const seen = await asked(wire, lead);
    refuses(wire, 1);
    expect(await lead.reply(seen, 'No, and here is why at length.')).toMatchObject({ name: 'not_delivered' });
    expect(await lead.reply(seen, 'No.')).toMatchObject({ ok: true });
    await wire.pass(LONG);
    expect(lead.seen.filter(isUndelivered)).toEqual([]);
    expect(wire.platform.texts()).toEqual(['No.']);
  });

  it('asks again when nothing else answers, and that answer is the only one', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const seen = await asked(wire, lead);
    refuses(wire, 1);
    expect(await lead.reply(seen, 'No, and here is why at length.')).toMatchObject({ name: 'not_delivered' });
    if (way === 'sdk') await lead.close(); // its turn ends with it, and the next session is asked
    const next = way === 'sdk' ? await harness(wire, 'lead', 'websocket') : lead;
    await wire.pass(LONG);
    const again = await next.next(isUndelivered, 'the follow-up');
    expect(again).toMatchObject({ policy: 'must_respond', raw: { refersTo: seen.eventId } });
    expect(await next.reply(again, 'No.')).toMatchObject({ ok: true });
    await wire.pass(LONG);
    expect(next.seen.filter(isUndelivered)).toHaveLength(1);
    expect(wire.platform.texts()).toEqual(['No.']);
  });

  it('withdraws a follow-up that was handed when the first event is answered after all', async () => {
    const { wire, agent: lead } = await hostWith(way === 'sdk' ? 'websocket' : way, 'lead');
    const seen = await asked(wire, lead);
    refuses(wire, 1);
    await lead.reply(seen, 'No, and here is why at length.');
    await wire.pass(LONG);
    const again = await lead.next(isUndelivered, 'the follow-up');
    expect(await lead.reply(seen, 'No.')).toMatchObject({ ok: true });
    expect(await lead.reply(again, 'No, it is not.')).toMatchObject({ ok: false, name: 'must_not_respond' });
    await wire.pass(LONG);
    expect(wire.platform.texts()).toEqual(['No.']);
    if (lead.way === 'websocket' || lead.way === 'webhook')
      expect(lead.notes).toContainEqual({
        method: 'notifications/cancelled',
        params: expect.objectContaining({ eventId: again.eventId, reason: 'answered' }),
      });
  });

  it('shows one message of an agent whose draft always fails first', async () => {
    const { wire, agent: lead } = await drafting(way);
    await asked(wire, lead);
    for (let round = 0; round < 5; round++) {
      await wire.pass(6_000);
      await lead.answerAll();
    }
    expect(wire.platform.texts()).toEqual(['It is not blocked.']);
    expect(wire.platform.arrived).toHaveLength(2);
  });

  it('is not asked for ever: after a few tries a person is told', async () => {
    const { wire, agent: lead } = await drafting(way, { onlyDrafts: true });
    const seen = await asked(wire, lead);
    for (let round = 0; round < 8; round++) {
      await wire.pass(11_000);
      await lead.answerAll();
    }
    expect(wire.platform.arrived.length).toBeGreaterThan(2);
    expect(wire.platform.arrived.length).toBeLessThanOrEqual(4);
    expect(wire.platform.texts()).toEqual([]);
    const { body } = await wire.call('GET', '/v1/inbox', await wire.token('operator', 'ops'));
    expect(body['inbox']).toContainEqual(
      expect.objectContaining({
        kind: 'no_answer',
        eventId: seen.eventId,
        detail: expect.objectContaining({ why: 'not_delivered' }),
      }),
    );
  });
});

/** An agent that answers everything it is asked with a draft that the platform refuses, then with a short answer. */
async function drafting(way: (typeof WAYS)[number], { onlyDrafts = false } = {}) {
  let said = 0;
  const answer = async (say: (text: string) => Promise<{ ok: boolean }>): Promise<void> => {
    const { ok } = await say(`Draft ${++said}: it depends.`);
    if (!ok && !onlyDrafts) await say('It is not blocked.');
  };
  const made = await hostWith(way, 'lead', {}, { onTurn: (turn) => answer((text) => turn.reply(text)) });
  made.wire.platform.onPost = ({ text = '' }) => (text.startsWith('Draft') ? 'refuse' : 'show');
  const done = new Set<string>();
  const answerAll = async (): Promise<void> => {
    if (way === 'sdk') return; // its handler does
    for (const seen of made.agent.seen.filter(({ eventId }) => !done.has(eventId))) {
      done.add(seen.eventId);
      await answer((text) => made.agent.reply(seen, text));
    }
  };
  return { wire: made.wire, agent: Object.assign(made.agent, { answerAll }) };
}

describe.each(WAYS)('a platform that cannot take a post now, over %s', (way) => {
  it('gets the same key and words again, shows them once, and the agent is asked nothing [C2A-06-02/outbound-retry/transient-failures, C2A-06-02/outbound-retry/same-key-and-body, C2A-06-02/outbound-retry/no-second-message]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const seen = await asked(wire, lead);
    let left = 2;
    wire.platform.onPost = () => (left-- > 0 ? 'retry' : 'show');
    const answer = lead.reply(seen, 'No.');
    await wire.pass(LONG);
    expect(await answer).toMatchObject({ ok: true });
    const [first, ...more] = wire.platform.arrived;
    expect(more).toEqual([first, first]);
    expect(wire.platform.texts()).toEqual(['No.']);
    expect(lead.seen.filter(isUndelivered)).toEqual([]);
  });
});

it('a webhook that always answers in its response is posted once, however often the platform refuses first', async () => {
  const webhook = await webhookFor('lead', () => ({ reply: 'No.' }));
  const wire = await wireHost({ host: { webhooks: [webhook] } });
  const lead = await harness(wire, 'lead', 'webhook');
  refuses(wire, 1);
  await wire.say('@lead is the deploy blocked?');
  for (let round = 0; round < 4; round++) await wire.pass(LONG);
  expect(lead.seen.filter(isUndelivered)).toHaveLength(1);
  expect(wire.platform.texts()).toEqual(['No.']);
});

describe('a harness that reports its turns', () => {
  it('is asked again when its turn ends without another answer, not before', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    const seen = await asked(wire, lead);
    await lead.request('turn/started', { turnId: 't', eventIds: [seen.eventId] });
    refuses(wire, 1);
    await lead.reply(seen, 'No, and here is why at length.', { turnId: 't' });
    await wire.pass(LONG);
    expect(lead.seen.filter(isUndelivered)).toEqual([]);
    await lead.request('turn/ended', { turnId: 't', outcome: 'answered' });
    await lead.next(isUndelivered, 'the follow-up');
  });

  it('has answered with a later send of the same turn, also without inReplyTo', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    const seen = await asked(wire, lead);
    await lead.request('turn/started', { turnId: 't', eventIds: [seen.eventId] });
    refuses(wire, 1);
    await lead.reply(seen, 'No, and here is why at length.', { turnId: 't' });
    expect(await lead.reply(seen, 'No.', { turnId: 't', inReplyTo: undefined })).toMatchObject({ ok: true });
    await lead.request('turn/ended', { turnId: 't', outcome: 'answered' });
    await wire.pass(LONG);
    expect(lead.seen.filter(isUndelivered)).toEqual([]);
    expect(wire.platform.texts()).toEqual(['No.']);
  });

  it('is asked again although its turn wrote elsewhere: the person still waits', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    const seen = await asked(wire, lead);
    await lead.request('turn/started', { turnId: 't', eventIds: [seen.eventId] });
    refuses(wire, 1);
    await lead.reply(seen, 'No, and here is why at length.', { turnId: 't' });
    const task = { target: 'agent:builder', visibility: 'dm', inReplyTo: undefined, turnId: 't' };
    expect(await lead.reply(seen, 'Please check the deploy.', task)).toMatchObject({ ok: true });
    await lead.request('turn/ended', { turnId: 't', outcome: 'answered' });
    await lead.next(isUndelivered, 'the follow-up');
  });
});

/** Sends fifteen messages, one every second. */
async function fifteen(wire: WireHost, send: (n: number) => Promise<ToolResult>): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (let n = 1; n <= 15; n++) {
    results.push(await send(n));
    await wire.pass(1_000);
  }
  return results;
}

const NINE_REFUSED = Array.from({ length: 9 }, () => 'budget_spent');

describe.each(WAYS)('one obligation licenses one answer, over %s', (way) => {
  it('fifteen more answers to an answered event: six pass, and the rest hear when to come back [C2A-06-02/security/rate-limit-out]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const seen = await asked(wire, lead);
    expect(await lead.reply(seen, 'No.')).toMatchObject({ ok: true });
    const results = await fifteen(wire, (n) => lead.reply(seen, `And one more thing, number ${n}.`));
    expect(refusals(results)).toEqual(NINE_REFUSED);
    const last = results.at(-1);
    expect(last?.ok === false && last.message).toMatch(/one answer.*\d+ ms/i);
    expect(wire.platform.texts()).toHaveLength(7);
    if (way === 'sdk') return; // its first turn is still running
    // What is asked next is answered, budget or not.
    const next = await asked(wire, lead, '@lead and the build?');
    expect(await lead.reply(next, 'It is green.')).toMatchObject({ ok: true });
  });

  it.each([
    ['that answer it', {}],
    ['without inReplyTo', { inReplyTo: undefined }],
  ])('a mention in one room and fifteen posts in another %s: six pass', async (_, more) => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await wire.say('hello', { in: 'other' });
    const seen = await asked(wire, lead);
    const there = { target: 'channel:other', visibility: 'channel', directedness: 'ambient', ...more };
    const results = await fifteen(wire, (n) =>
      lead.tool('chat.send_message', { ...replyArgs(seen, `News ${n}.`), ...there }),
    );
    expect(refusals(results)).toEqual(NINE_REFUSED);
    // The place where it was asked still has its answer.
    expect(await lead.reply(seen, 'I told them.')).toMatchObject({ ok: true });
  });
});

let keys = 0;

function replyArgs({ eventId }: Pick<Seen, 'eventId'>, text: string): Record<string, unknown> {
  return { text, inReplyTo: eventId, idempotencyKey: `one-answer-${++keys}` };
}

describe('turns, reported or not', () => {
  it('fifteen sends of a reported turn without inReplyTo: six pass', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    const seen = await asked(wire, lead);
    await lead.request('turn/started', { turnId: 't', eventIds: [seen.eventId] });
    const more = { turnId: 't', inReplyTo: undefined };
    const results = await fifteen(wire, (n) => lead.reply(seen, `Thought number ${n}.`, more));
    expect(refusals(results)).toEqual(NINE_REFUSED);
  });

  it('the first send of a turn that was asked here is never refused, however it names what it answers', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    const talk = { inReplyTo: undefined };
    const first = await asked(wire, lead);
    await fifteen(wire, (n) => lead.reply(first, `Thought number ${n}.`, talk));
    const next = await asked(wire, lead, '@lead and the build?');
    await lead.request('turn/started', { turnId: 't', eventIds: [next.eventId] });
    expect(await lead.reply(next, 'It is green.', { ...talk, turnId: 't' })).toMatchObject({ ok: true });
    expect(await lead.reply(next, 'And fast.', { ...talk, turnId: 't' })).toMatchObject({
      name: 'budget_spent',
    });
  });

  it('a send that failed for good gives its part of the budget back', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    const seen = await asked(wire, lead);
    await lead.reply(seen, 'No.');
    refuses(wire, 5);
    const results = await fifteen(wire, (n) => lead.reply(seen, `And one more thing, number ${n}.`));
    expect(refusals(results).filter((name) => name === 'not_delivered')).toHaveLength(5);
    expect(wire.platform.texts()).toHaveLength(7);
  });

  it('an answer in the room of its thread is its answer, for a harness that knows no threads', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    await wire.say('morning all');
    for (let n = 1; n <= 10; n++) {
      const eventId = await wire.say(`@lead is build ${n} green?`, { in: 'T1', thread: 'general' });
      await wire.pass(3_000);
      const seen = await lead.next((one) => one.eventId === eventId, 'the question');
      const inRoom = { target: 'channel:general', visibility: 'channel' };
      expect(await lead.reply(seen, `Build ${n} is green.`, inRoom)).toMatchObject({ ok: true });
    }
  });

  it('an answer in a thread on the event is its answer', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    await wire.say('a thread', { in: 'T1', thread: 'general' });
    const seen = await asked(wire, lead);
    const inThread = { target: 'thread:T1', visibility: 'thread' };
    await lead.reply(seen, 'No.', inThread);
    const results = await fifteen(wire, (n) =>
      lead.reply(seen, `And one more thing, number ${n}.`, inThread),
    );
    expect(refusals(results)).toEqual(NINE_REFUSED);
  });
});

describe.each(WAYS)('work handed to agents is not chatter, over %s', (way) => {
  it('forty tasks to one worker, and forty to another in a room: none is refused', async () => {
    const agents = [{ id: 'lead' }, { id: 'builder', lead: 'lead' }, { id: 'tester', lead: 'lead' }];
    const host = { limits: { sendsPerMinute: 10_000 } };
    const { wire, agent: lead } = await hostWith(way, 'lead', { agents, host });
    const seen = await asked(wire, lead, '@lead please get the release out');
    const common = { inReplyTo: undefined, directedness: 'to_me' };
    for (let n = 1; n <= 40; n++) {
      const direct = { ...common, target: 'agent:builder', visibility: 'dm' };
      const inRoom = {
        ...common,
        target: 'channel:general',
        visibility: 'channel',
        recipient: 'agent:tester',
      };
      for (const [more, text] of [
        [direct, `Please review pull request ${4100 + n}`],
        [inRoom, `Can you test build ${n} of https://ci.example/${n}?`],
      ] as const) {
        const args = { ...replyArgs(seen, text), ...more };
        expect(await lead.tool('chat.send_message', args), text).toMatchObject({ ok: true });
      }
    }
    expect(await lead.reply(seen, 'It is under way.')).toMatchObject({ ok: true });
  });

  it('the same task again and again counts against the budget', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const seen = await asked(wire, lead);
    const to = { inReplyTo: undefined, directedness: 'to_me', target: 'agent:builder', visibility: 'dm' };
    const results = await fifteen(wire, (n) => {
      // MCP derives its keys from the words, so the words differ in what counts for nothing.
      const text = `Please look at the deploy that was made last night.${' '.repeat(n)}!`;
      return lead.tool('chat.send_message', { ...replyArgs(seen, text), ...to });
    });
    expect(refusals(results).length).toBeGreaterThanOrEqual(8);
    expect(new Set(refusals(results))).toEqual(new Set(['budget_spent']));
    await until(() => wire.platform.arrived.length === 0, 'nothing on the platform');
  });
});

describe.each(WAYS)('the same text again, over %s', (way) => {
  const answer = 'The deploy is not blocked: it went out at nine this morning.';

  it('is a true answer when a person asks again, and refused when nobody does', async () => {
    const onTurn = async (turn: Turn) => void (await turn.reply(answer));
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, { onTurn });
    for (const id of ['first', 'second']) {
      const eventId = await wire.say('@lead is the deploy blocked?', { id });
      await wire.pass(3_000);
      const seen = await lead.next((one) => one.eventId === eventId, 'the question');
      if (way !== 'sdk') expect(await lead.reply(seen, answer)).toMatchObject({ ok: true });
    }
    await wire.pass(1_000);
    expect(wire.platform.texts()).toEqual([answer, answer]);
    const again = { ...replyArgs({ eventId: 'first' }, answer), target: 'channel:general' };
    const posture = { visibility: 'channel', directedness: 'ambient' };
    for (const more of [{}, { inReplyTo: undefined }]) {
      const said = await lead.tool('chat.send_message', { ...again, ...posture, ...more });
      expect(said).toMatchObject({ ok: false, name: 'repeated_text' });
    }
  });
});

it('questions to one person are not chatter as long as they are answered', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead');
  const seen = await asked(wire, lead);
  const ask = async (n: number): Promise<ToolResult> => {
    const args = { ...replyArgs(seen, `May I deploy build ${n}?`), inReplyTo: undefined };
    const to = {
      target: 'channel:general',
      visibility: 'channel',
      directedness: 'to_me',
      recipient: 'human:bob',
    };
    return lead.tool('chat.send_message', { ...args, ...to });
  };
  for (let n = 1; n <= 10; n++) {
    expect(await ask(n)).toMatchObject({ ok: true });
    const sent = wire.platform.shown.at(-1)?.eventId;
    await wire.say('yes', { by: 'bob', more: { replyTo: { eventId: sent, authorId: 'lead' } } });
  }
  expect(await ask(11)).toMatchObject({ ok: true });
  const unanswered = await fifteen(wire, (n) => ask(11 + n));
  expect(refusals(unanswered)).toEqual(NINE_REFUSED);
});
