// Who discharges a debt, over every way: the author, the delegate it names, else the author's coordinator, by chat.react
// with the recipient's name. The answer of the call says whether the debt is discharged, and if not, why not.
import { describe, expect, it } from 'vitest';
import { askBlocked, cast, openSet, resultIn, RETURN_MS, STEP_MS } from './debt-cast.ts';
import { until } from './host.ts';
import { harness, WAYS } from './ways.ts';

const QUESTION = 'Which of the two databases do I migrate?';

describe.each(WAYS)('over %s', (way) => {
  it("the author's coordinator discharges in a direct message of two agents, as it is told at once [OBL/3/delegate-default, OBL/10/arm-b]", async () => {
    const { wire, join } = await cast(way, 'boss');
    const [author, worker, boss] = [await join('author'), await join('worker'), await join('boss')];
    const question = await askBlocked(author, 'worker', QUESTION);
    await wire.pass(3_000);
    await worker.next(({ eventId }) => eventId === question);
    expect(await openSet(boss, 'may_discharge')).toMatchObject([
      { eventId: question, author: 'agent:author', recipient: 'agent:worker' },
    ]);
    const settled = { inReplyTo: question, signal: 'agree', recipient: 'agent:worker' };
    const first = resultIn(await boss.tool('chat.react', settled));
    expect(first).toMatchObject({ discharged: true });
    expect(await openSet(author, 'blocked_on')).toEqual([]);
    expect(await openSet(boss, 'may_discharge')).toEqual([]);
    expect(resultIn(await boss.tool('chat.react', settled))).toEqual(first);
    await wire.pass(2 * RETURN_MS, STEP_MS);
    expect(worker.seen.map(({ eventId }) => eventId)).toEqual([question]);
  });

  it('a delegate reads the question that it may discharge, nothing else there, and nothing afterwards [OBL/1/delegate-optional, OBL/3/delegate-discharges, C2A-06-02/security/permissions-before-tools]', async () => {
    const { join } = await cast(way, 'boss');
    const [author, worker, boss] = [await join('author'), await join('worker'), await join('boss')];
    const question = await askBlocked(author, 'worker', QUESTION, { dischargeDelegate: 'agent:boss' });
    const read = () => boss.tool('chat.read_thread', { inReplyTo: question });
    const aside = { target: 'agent:author', text: 'Between us: neither is backed up.', visibility: 'dm' };
    resultIn(
      await worker.tool('chat.send_message', { ...aside, directedness: 'to_me', idempotencyKey: 'aside' }),
    );
    const { events } = resultIn(await read());
    expect(events).toMatchObject([{ eventId: question, content: [{ text: QUESTION }] }]);
    const dm = await boss.tool('chat.list_events', { target: 'dm:dm:author:worker' });
    expect(dm).toMatchObject({ ok: false, name: 'not_found' });
    const settled = { inReplyTo: question, signal: 'done', recipient: 'agent:worker' };
    expect(resultIn(await boss.tool('chat.react', settled))).toMatchObject({ discharged: true });
    expect(await read()).toMatchObject({ ok: false, name: 'not_found' });
  });

  it('nobody else discharges or learns of it: who is no delegate finds no such event [OBL/3/nobody-else-discharges]', async () => {
    const { join } = await cast(way, 'chief');
    const [author, chief] = [await join('author'), await join('chief')];
    const question = await askBlocked(author, 'worker', QUESTION);
    for (const [name, args] of [
      ['chat.react', { signal: 'done', recipient: 'agent:worker' }],
      ['chat.read_thread', {}],
    ] as const) {
      const answer = await chief.tool(name, { inReplyTo: question, ...args });
      expect(answer).toMatchObject({ ok: false, name: 'not_found' });
    }
    expect(await openSet(chief, 'may_discharge')).toEqual([]);
    expect(await openSet(author, 'blocked_on')).toHaveLength(1);
  });

  it('a reaction that discharges nothing says why, and what would [OBL/3/no-recipient-no-discharge, OBL/3/nobody-else-discharges]', async () => {
    const { wire, join } = await cast(way, 'author');
    const [author, worker] = [await join('author'), await join('worker')];
    const question = await askBlocked(author, 'worker', QUESTION);
    await wire.pass(3_000);
    await worker.next(({ eventId }) => eventId === question);
    const react = async (who: typeof author, args: object) =>
      resultIn(await who.tool('chat.react', { inReplyTo: question, ...args }));
    const cases = [
      [author, { signal: 'agree' }, 'no_recipient', /recipient agent:worker/],
      [author, { signal: 'agree', recipient: 'agent:chief' }, 'no_debt', /agent:chief owes nothing/],
      [author, { signal: 'seen', recipient: 'agent:worker' }, 'other_signal', /done or agree/],
      [worker, { signal: 'done' }, 'not_yours', /Only agent:author or agent:boss/],
      [
        worker,
        { signal: 'agree', recipient: 'agent:worker' },
        'not_yours',
        /Only agent:author or agent:boss/,
      ],
    ] as const;
    for (const [who, args, reason, message] of cases) {
      const answer = await react(who, args);
      expect([args, answer]).toMatchObject([
        args,
        { discharged: false, notDischarged: { reason, message: expect.stringMatching(message) } },
      ]);
    }
    expect(await openSet(author, 'blocked_on')).toHaveLength(1);
    const settled = { signal: 'agree', recipient: 'agent:worker' };
    expect(await react(author, settled)).toMatchObject({ discharged: true });
    expect(await react(author, { ...settled, remove: true })).toMatchObject({ discharged: true });
    expect(await openSet(author, 'blocked_on')).toEqual([]);
  });

  it('a reaction about no debt says nothing of discharging', async () => {
    const { wire, join } = await cast(way, 'worker');
    const worker = await join('worker');
    await wire.say('@worker the build is green, can you release it?');
    await wire.pass(3_000);
    const { eventId } = await worker.next(({ text }) => text.includes('green'));
    const answer = resultIn(await worker.tool('chat.react', { inReplyTo: eventId, signal: 'working' }));
    expect(answer).toMatchObject({ disposition: 'claimed' });
    expect(answer).not.toHaveProperty('discharged');
  });
});

it('is an event of its own: who reacted, on what, when, with which signal, about whose debt [OBL/8/reaction-event]', async () => {
  const { wire, join } = await cast('websocket', 'author');
  const author = await join('author');
  const question = await askBlocked(author, 'worker', QUESTION);
  const settled = { inReplyTo: question, signal: 'agree', recipient: 'agent:worker' };
  const { reactionId } = resultIn(await author.tool('chat.react', settled));
  const { body } = await wire.call('GET', '/v1/log?type=reaction', await wire.token('operator', 'ops'));
  expect(body['log']).toMatchObject([
    {
      eventId: reactionId,
      targetEventId: question,
      at: new Date(wire.clock.now()).toISOString(),
      author: { id: 'author', kind: 'agent' },
      signal: 'agree',
      recipients: ['agent:worker'],
    },
  ]);
});

it('holds at once, while the platform has not shown the glyph, and the glyph shown later changes nothing', async () => {
  const { wire, join } = await cast('websocket', 'author');
  const author = await join('author');
  const agent = await harness(wire, 'worker', 'websocket', { capabilities: { obligations: true } });
  const question = await wire.say('@worker which region?', {
    more: {
      recipients: ['agent:worker'],
      obligation: { blocks: 'halted', defaultAction: 'I take eu.', dischargeDelegate: 'agent:author' },
    },
  });
  await wire.pass(3_000);
  await agent.next(({ eventId }) => eventId === question);
  wire.platform.onPost = () => 'retry';
  const settled = { inReplyTo: question, signal: 'agree', recipient: 'agent:worker' };
  const pending = author.tool('chat.react', settled);
  await until(() => wire.platform.arrived.length > 0, 'the post');
  expect(await openSet(agent, 'owe')).toEqual([]);
  await wire.pass(6_000);
  expect(resultIn(await pending)).toMatchObject({ discharged: true });
  wire.platform.onPost = () => 'show';
  await wire.pass(30_000, STEP_MS);
  expect(wire.platform.shown).toMatchObject([{ type: 'reaction', targetEventId: question, signal: 'agree' }]);
  const { body } = await wire.call('GET', '/v1/log?type=reaction', await wire.token('operator', 'ops'));
  expect(body['log']).toHaveLength(1);
});
