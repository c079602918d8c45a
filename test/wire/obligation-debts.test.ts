// Debts on the wire: what opens one, who owes it, in which order, what closes it and what does not, and what a gap, a
// restart, an edit, a delete and retention leave of it.
import { describe, expect, it } from 'vitest';
import { askBlocked, type Cast, cast, openSet, resultIn, RETURN_MS, STEP_MS } from './debt-cast.ts';
import type { Line } from './host.ts';
import type { Seen } from './ways.ts';

const OWED = { blocks: 'halted', defaultAction: 'I take eu.' };

/** Ada asks in a channel, and is blocked until it is answered. */
function ask({ wire }: Cast, to: readonly string[], more: Record<string, unknown> = {}, line: Line = {}) {
  return wire.say('which region?', { ...line, more: { recipients: to, obligation: OWED, ...more } });
}

async function debts({ wire }: Cast): Promise<Record<string, unknown>[]> {
  const { body } = await wire.call('GET', '/v1/obligations', await wire.token('operator', 'ops'));
  return body['obligations'] as Record<string, unknown>[];
}

async function react(scene: Cast, by: string, targetEventId: string, signal: string, recipient?: string) {
  const { eventId, at, platform, workspaceId, conversation } = scene.wire.event('', {});
  const [posted] = await scene.wire.post({
    eventId,
    at,
    platform,
    workspaceId,
    conversation,
    author: { id: by, kind: 'human' },
    type: 'reaction',
    targetEventId,
    signal,
    ...(recipient === undefined ? {} : { recipient }),
  });
  expect(posted?.status).toBe('accepted');
}

const isReturn = ({ eventId }: Seen): boolean => eventId.includes('/return-');

describe('what opens a debt', () => {
  it('the object does, whatever it blocks, and with it must_respond; being told to answer does not [OBL/1/event-may-carry-it, OBL/1/presence-creates-debt, OBL/1/policy-creates-none, OBL/1/must-respond, OBL/1/blocks, OBL/11/obligation-id]', async () => {
    const scene = await cast('websocket', 'worker');
    const worker = await scene.join('worker');
    const ids: string[] = [];
    for (const blocks of ['halted', 'degraded', 'none']) {
      ids.push(await ask(scene, ['agent:worker'], { obligation: { ...OWED, blocks } }));
      await scene.wire.pass(3_000);
    }
    const plain = await scene.wire.say('@worker answer me!', { more: { recipients: ['agent:worker'] } });
    await scene.wire.pass(3_000);
    for (const id of [...ids, plain])
      expect(await worker.next(({ eventId }) => eventId === id)).toMatchObject({ policy: 'must_respond' });
    expect((await debts(scene)).map(({ eventId, key }) => [eventId, key])).toEqual(
      ids.map((id) => [id, `${id}#agent:worker`]),
    );
    const broken = { ...OWED, blocks: 'completely' };
    const [refused] = await scene.wire.post(
      scene.wire.event('x', { more: { recipients: ['agent:worker'], obligation: broken } }),
    );
    expect(refused).toMatchObject({ status: 'refused', error: { message: expect.stringMatching(/blocks/) } });
  });

  it('says what the author does otherwise, which is required, when it was said and who owes it [OBL/1/default-action, OBL/1/created-at, OBL/1/recipients]', async () => {
    const scene = await cast('websocket', 'worker');
    const worker = await scene.join('worker');
    const [refused] = await scene.wire.post(
      scene.wire.event('x', { more: { recipients: ['agent:worker'], obligation: { blocks: 'none' } } }),
    );
    expect(refused).toMatchObject({
      status: 'refused',
      error: { message: expect.stringMatching(/defaultAction/) },
    });
    const at = scene.wire.clock.now() - 5_000;
    const id = await ask(scene, ['agent:worker', 'human:bob'], { at });
    await scene.wire.pass(3_000);
    const { raw } = await worker.next(({ eventId }) => eventId === id);
    expect(raw).toMatchObject({
      obligation: OWED,
      recipients: ['agent:worker', 'human:bob'],
      createdAt: new Date(at).toISOString(),
    });
  });

  it('is delivered where nothing else is: neither a log line nor a system conversation hides it [OBL/1/never-digest-or-silent]', async () => {
    const scene = await cast('websocket', 'worker');
    const worker = await scene.join('worker');
    const log = await ask(scene, ['agent:worker'], { subtype: 'log' });
    const system = await ask(
      scene,
      ['agent:worker'],
      { conversation: { id: 'ci', kind: 'system' } },
      { by: 'bob' },
    );
    await scene.wire.pass(3_000);
    for (const id of [log, system]) {
      const seen = await worker.next(({ eventId }) => eventId === id);
      expect(['immediate', 'buffered', 'notify']).toContain(seen.mode);
      expect(seen.policy).toBe('must_respond');
    }
  });

  it('of an agent addresses one responder, and a send to a whole channel opens none, aloud [OBL/1/one-responder, OBL/11/drops-are-said]', async () => {
    const scene = await cast('websocket', 'author');
    const author = await scene.join('author');
    await scene.wire.say('good morning');
    const send = (more: Record<string, unknown>, key: string) =>
      author.tool('chat.send_message', {
        target: 'channel:general',
        text: 'Which one shall I take?',
        visibility: 'channel',
        directedness: 'to_me',
        obligation: OWED,
        idempotencyKey: key,
        ...more,
      });
    const one = await send({ recipient: 'agent:worker' }, 'one');
    expect(one).toMatchObject({ ok: true });
    expect((await debts(scene)).map(({ owedBy }) => owedBy)).toEqual(['agent:worker']);
    const two = await send(
      { recipient: 'agent:worker', mentions: ['agent:chief'], directedness: 'to_my_role' },
      'two',
    );
    expect(two).toMatchObject({ ok: false, name: 'one_recipient' });
    const nobody = await send({ text: 'Which one shall somebody take?' }, 'nobody');
    const { body } = await scene.wire.call('GET', '/v1/inbox', await scene.wire.token('operator', 'ops'));
    // Either the tool refuses it, or a person is told that nobody owes it.
    const said = nobody.ok ? body['inbox'] : [nobody.message];
    expect(JSON.stringify(said)).toMatch(/no_recipient|recipient/);
    expect(await debts(scene)).toHaveLength(1);
  });

  it('what is not taken is said: a fourth one to the same agent, a role, an author who is not admitted [OBL/11/drops-are-said]', async () => {
    const scene = await cast('websocket', 'worker', {
      agents: [{ id: 'worker' }, { id: 'shy', ignore: ['human:mallory'] }],
    });
    for (let n = 0; n < 4; n++) await ask(scene, ['agent:worker']);
    await ask(scene, ['role:ops']);
    await ask(scene, ['agent:shy'], {}, { by: 'mallory' });
    const { body } = await scene.wire.call('GET', '/v1/inbox', await scene.wire.token('operator', 'ops'));
    const refused = (body['inbox'] as { detail: { refused: string } }[]).map(({ detail }) => detail.refused);
    expect(refused.toSorted()).toEqual(['author_denied', 'not_one_responder', 'too_many_open']);
    expect(await debts(scene)).toHaveLength(3);
  });
});

describe('the open set', () => {
  it('lists what I owe and what I am blocking with one call each, by blocks and then the oldest first [OBL/9/what-i-owe, OBL/9/what-i-block, OBL/9/one-call-each, OBL/1/queue-order]', async () => {
    const scene = await cast('websocket', 'worker');
    const [worker, chief] = [await scene.join('worker'), await scene.join('chief')];
    const asked: Record<string, string> = {};
    for (const [name, blocks] of [
      ['oldest', 'none'],
      ['slowed', 'degraded'],
      ['halted', 'halted'],
    ] as const) {
      asked[name] = await ask(scene, ['agent:worker'], { obligation: { ...OWED, blocks } }, { by: name });
      await scene.wire.pass(1_000);
    }
    asked['later'] = await ask(scene, ['agent:worker'], {}, { by: 'later' });
    const order = [asked['halted'], asked['later'], asked['slowed'], asked['oldest']];
    expect((await openSet(worker, 'owe')).map(({ eventId }) => eventId)).toEqual(order);
    expect((await openSet(worker, 'blocking')).map(({ eventId }) => eventId)).toEqual(order);
    expect(await openSet(chief, 'owe')).toEqual([]);
    await scene.wire.pass(4 * (RETURN_MS + STEP_MS), STEP_MS);
    // Now the lead has it too: it owes the escalation, and blocks what is behind it.
    expect((await openSet(chief, 'owe')).map(({ items }) => items)).toEqual([order]);
    expect((await openSet(chief, 'blocking')).map(({ eventId }) => eventId)).toEqual(order);
  });

  it('keeps the debts of several recipients apart: one closes, the other stays; done of one says nothing of the other [OBL/2/per-event-and-recipient, OBL/3/discharge-names-recipient, OBL/8/done-not-for-everyone]', async () => {
    const scene = await cast('websocket', 'worker');
    const [worker, chief] = [await scene.join('worker'), await scene.join('chief')];
    const id = await ask(scene, ['agent:worker', 'agent:chief']);
    await scene.wire.pass(3_000);
    await worker.next(({ eventId }) => eventId === id);
    resultIn(await worker.tool('chat.react', { inReplyTo: id, signal: 'done' }));
    expect((await debts(scene)).map(({ owedBy, doneAt }) => [owedBy, doneAt === null])).toEqual([
      ['agent:chief', true],
      ['agent:worker', false],
    ]);
    await react(scene, 'ada', id, 'agree', 'agent:worker');
    expect((await debts(scene)).map(({ owedBy }) => owedBy)).toEqual(['agent:chief']);
    await scene.wire.pass(RETURN_MS + STEP_MS, STEP_MS);
    expect([worker.seen.some(isReturn), chief.seen.some(isReturn)]).toEqual([false, true]);
  });
});

describe('what closes a debt', () => {
  it('the author by a reaction that names the recipient, and no reaction without a name or of anybody else [OBL/3/author-discharges, OBL/3/no-recipient-no-discharge, OBL/3/nobody-else-discharges]', async () => {
    const scene = await cast('websocket', 'worker');
    const id = await ask(scene, ['agent:worker']);
    for (const [by, recipient] of [
      ['ada', undefined],
      ['bob', 'agent:worker'],
      ['ada', 'agent:chief'],
    ] as const) {
      await react(scene, by, id, 'done', recipient);
      expect([by, recipient, await debts(scene)]).toMatchObject([by, recipient, [{ eventId: id }]]);
    }
    await react(scene, 'ada', id, 'done', 'agent:worker');
    expect(await debts(scene)).toEqual([]);
  });

  it('a reaction that comes before its event takes effect when the event arrives [OBL/7/early-reaction-held]', async () => {
    const scene = await cast('websocket', 'worker');
    const worker = await scene.join('worker');
    await react(scene, 'ada', 'q-early', 'done', 'agent:worker');
    await ask(scene, ['agent:worker'], {}, { id: 'q-early' });
    expect(await debts(scene)).toEqual([]);
    await scene.wire.pass(2 * RETURN_MS, STEP_MS);
    expect(worker.seen.filter(isReturn)).toEqual([]);
  });

  it("deletion by the author does, by anybody else it does not; an edit keeps it, also for a reaction on the edit's id [OBL/7/author-delete-discharges, OBL/7/other-delete-keeps, OBL/7/edit-inherits, OBL/11/edit-schema, OBL/11/delete-schema]", async () => {
    const scene = await cast('websocket', 'worker');
    const amend = async (
      by: string,
      type: string,
      targetEventId: string,
      more: object = {},
    ): Promise<string> => {
      const { eventId, at, platform, workspaceId, conversation } = scene.wire.event('', {});
      const author = { id: by, kind: 'human' };
      const event = {
        eventId,
        at,
        platform,
        workspaceId,
        conversation,
        author,
        type,
        targetEventId,
        ...more,
      };
      const [posted] = await scene.wire.post(event);
      expect(posted?.status).toBe('accepted');
      return eventId;
    };
    const first = await ask(scene, ['agent:worker']);
    const edit = await amend('ada', 'edit', first, { text: 'which region, eu or us?' });
    await amend('mod', 'delete', first);
    expect(await debts(scene)).toMatchObject([{ eventId: first }]);
    await react(scene, 'ada', edit, 'done', 'agent:worker');
    expect(await debts(scene)).toEqual([]);
    const second = await ask(scene, ['agent:worker']);
    expect(await debts(scene)).toMatchObject([{ eventId: second }]);
    await amend('ada', 'delete', second);
    expect(await debts(scene)).toEqual([]);
    // An edit or delete that does not say what it is about is none.
    const { eventId, at, platform, workspaceId, conversation, author } = scene.wire.event('', {});
    for (const type of ['edit', 'delete']) {
      const [refused] = await scene.wire.post({
        eventId,
        at,
        platform,
        workspaceId,
        conversation,
        author,
        type,
      });
      expect(refused).toMatchObject({
        status: 'refused',
        error: { message: expect.stringMatching(/targetEventId/) },
      });
    }
  });

  it('on the last rung the person who has it may; there it neither returns nor goes away by itself [OBL/3/human-rung-discharges, OBL/5/human-rung-is-terminal, OBL/5/human-rung-stays-open, OBL/5/else-to-a-human]', async () => {
    const scene = await cast('websocket', 'worker', {
      agents: [{ id: 'author' }, { id: 'worker' }],
      attention: { owner: 'olivia' },
    });
    const [author, worker] = [await scene.join('author'), await scene.join('worker')];
    const id = await askBlocked(author, 'worker', 'Which one?');
    await scene.wire.pass(4 * (RETURN_MS + STEP_MS) + STEP_MS, STEP_MS);
    const seen = worker.seen.length;
    const [escalation] = (await debts(scene)).filter(({ kind }) => kind === 'escalation');
    expect(escalation).toMatchObject({ owedBy: 'human:olivia', rung: 'human', nextAt: null });
    await scene.wire.pass(20 * RETURN_MS, STEP_MS);
    expect([worker.seen.length, author.seen.length]).toEqual([seen, 0]);
    expect(await debts(scene)).toHaveLength(2);
    const ops = await scene.wire.token('operator', 'ops');
    const path = `/v1/obligations/${encodeURIComponent(String(escalation?.['key']))}/discharge`;
    expect(await scene.wire.call('POST', path, ops, {})).toMatchObject({ status: 200 });
    // What is behind it stays open until who asked closes it.
    expect(await debts(scene)).toMatchObject([{ eventId: id, kind: 'question' }]);
    const question = `/v1/obligations/${encodeURIComponent(`${id}#agent:worker`)}/discharge`;
    expect(await scene.wire.call('POST', question, ops, {})).toMatchObject({ status: 403 });
  });
});

describe('the ladder', () => {
  it('goes to the lead of the configuration, whatever is said in chat, and never to a channel [OBL/11/coordinator-is-lead, OBL/5/to-the-coordinator, OBL/5/never-to-a-channel]', async () => {
    const scene = await cast('websocket', 'worker');
    const [worker, chief, boss] = [
      await scene.join('worker'),
      await scene.join('chief'),
      await scene.join('boss'),
    ];
    await scene.wire.say('from now on boss is the lead of worker, ask the whole channel');
    const id = await ask(scene, ['agent:worker']);
    await scene.wire.pass(3_000);
    await worker.next(({ eventId }) => eventId === id);
    resultIn(await worker.tool('chat.react', { inReplyTo: id, signal: 'declined' }));
    const told = await chief.next(({ eventId }) => eventId.includes('/escalation-'));
    expect(told.raw).toMatchObject({ recipients: ['agent:chief'] });
    expect(boss.seen.filter(({ reason }) => reason === 'obligation')).toEqual([]);
    expect(scene.wire.platform.texts()).toEqual([]);
  });

  it('computes its place after a gap and returns once, with the whole age; the missed returns are never made up for [OBL/7/gap-returns-once, OBL/7/no-missed-returns, OBL/7/age-from-created-at, OBL/1/created-at-from-log]', async () => {
    // Longer than the host rests when it finds something overdue right after a tick.
    const buffered = 3 * RETURN_MS;
    const scene = await cast('websocket', 'worker', {
      host: { limits: { heartbeatMs: 30 * 24 * 3_600_000 } },
      obligations: { intervalsMs: { buffered } },
    });
    const worker = await scene.join('worker');
    const id = await ask(scene, ['agent:worker']);
    await scene.wire.pass(3_000);
    await worker.next(({ eventId }) => eventId === id);
    resultIn(await worker.tool('chat.react', { inReplyTo: id, signal: 'done' }));
    await scene.wire.pass(2.5 * buffered, 2.5 * buffered);
    const [back, ...more] = worker.seen.filter(isReturn);
    expect([back?.eventId, more]).toEqual([`${id}/return-2`, []]);
    expect(back?.raw['knock']).toMatchObject({ topic: 'owed answer, 7 min old, work halted' });
    const [debt] = await debts(scene);
    expect(debt?.['ageMs']).toBe(scene.wire.clock.now() - Date.parse(String(debt?.['createdAt'])));
    await scene.wire.pass(buffered - STEP_MS, STEP_MS);
    expect(worker.seen.filter(isReturn)).toHaveLength(1);
    // What comes late is as old as its author says.
    const saidAt = scene.wire.clock.now() - 10 * 60_000;
    await ask(scene, ['agent:worker'], { at: saidAt });
    expect((await debts(scene)).map(({ createdAt }) => Date.parse(String(createdAt)))).toContain(saidAt);
  });

  it('is spared by the loop guard: a stopped exchange gets its returns and its escalation [OBL/6/loops-spare-returns]', async () => {
    const scene = await cast('websocket', 'worker');
    const [worker, chief] = [await scene.join('worker'), await scene.join('chief')];
    const id = await ask(scene, ['agent:worker']);
    await scene.wire.pass(3_000);
    // Robo and the worker put the same thing to each other, until the host ends it.
    let last = '';
    for (let n = 0; n < 14; n++) {
      last = await scene.wire.say('@worker could you go first?', { by: 'robo', byKind: 'agent' });
      await scene.wire.pass(2_500);
      const seen = worker.seen.find(({ eventId }) => eventId === last);
      if (seen !== undefined) await worker.reply(seen, 'No, could you go first, please?');
    }
    expect((await scene.wire.why(last, 'worker')).decision).toMatchObject({ reason: 'loop_stopped' });
    await scene.wire.pass(5 * (RETURN_MS + STEP_MS), STEP_MS);
    const returns = worker.seen.filter(isReturn).map(({ eventId }) => eventId);
    expect(returns).toEqual([1, 2, 3].map((n) => `${id}/return-${n}`));
    const escalated = chief.seen.filter(
      (one) => one.eventId.startsWith(`${id}/escalation-`) && !isReturn(one),
    );
    expect(escalated).toHaveLength(1);
  });
});

it('an open debt, its question and the reactions to it outlive retention [OBL/7/retention-keeps-debt, OBL/7/outlives-retention, OBL/7/reactions-outlive-retention]', async () => {
  const hour = 3_600_000;
  const scene = await cast('websocket', 'worker', {
    host: { limits: { retentionMs: hour, heartbeatMs: 30 * 24 * hour } },
  });
  const worker = await scene.join('worker');
  const id = await ask(scene, ['agent:worker']);
  // Nothing is delivered to a person, so only the debt itself can keep the question.
  const ofPerson = await ask(scene, ['human:cat']);
  await scene.wire.say('talk that nobody needs', { id: 'chatter', by: 'bob' });
  await scene.wire.pass(3_000);
  await worker.next(({ eventId }) => eventId === id);
  const reaction = resultIn(await worker.tool('chat.react', { inReplyTo: id, signal: 'done' }))['reactionId'];
  for (let round = 0; round < 6; round++) await scene.wire.pass(hour, hour);
  const { body } = await scene.wire.call('GET', '/v1/log', await scene.wire.token('operator', 'ops'));
  const kept = (body['log'] as { eventId: string }[]).map(({ eventId }) => eventId);
  expect(kept).not.toContain('chatter');
  expect(kept).toEqual(expect.arrayContaining([id, ofPerson, reaction]));
  expect((await debts(scene)).map(({ eventId }) => eventId)).toContain(ofPerson);
  expect(await debts(scene)).toContainEqual(
    expect.objectContaining({ eventId: id, doneAt: expect.any(String) }),
  );
});
