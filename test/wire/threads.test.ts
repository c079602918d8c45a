// Answers in threads, on a platform where any message can carry one: the answer belongs to the thread from the start, in
// log, outbox, echo and state, so that the next line there is heard as one to the agent.
import { describe, expect, it } from 'vitest';
import { until, type WireHost } from './host.ts';
import { harness, hostWith, type Seen, WAYS, type WireHarness } from './ways.ts';

const THREADS = { threads: 'any' } as const;

async function asked(wire: WireHost, agent: WireHarness, text: string, id: string): Promise<Seen> {
  const eventId = await wire.say(text, { id });
  await wire.pass(3_000);
  return agent.next((seen) => seen.eventId === eventId, text);
}

/** The conversation of an event in the log, as operators read it. */
async function logged(wire: WireHost, text: string): Promise<Record<string, unknown>[]> {
  const { body } = await wire.call('GET', '/v1/log?last=true&limit=200', await wire.token('operator', 'ops'));
  const rows = body['log'] as { text?: string; conversation: Record<string, unknown> }[];
  return rows.filter((row) => row.text === text).map((row) => row.conversation);
}

describe.each(WAYS)('over %s', (way) => {
  it('an answer goes into the thread on what it answers, its echo is a repeat, and the next line there is for the agent', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', THREADS);
    const question = await asked(wire, lead, '@lead is the build green?', 'root1');
    expect(await lead.reply(question, 'It is green.')).toMatchObject({ ok: true });
    const shown = await until(() => wire.platform.shown.find(({ text }) => text === 'It is green.'));
    expect(shown).toMatchObject({
      place: { conversationId: 'root1', parentId: 'general', opens: { platformId: 'root1' } },
      visibility: 'thread',
    });
    expect(await logged(wire, 'It is green.')).toMatchObject([
      { id: 'root1', kind: 'thread', parentId: 'general' },
    ]);
    const inThread = { in: 'root1', thread: 'general' } as const;
    const echo = wire.event('It is green.', { ...inThread, id: 'p1', by: 'bot', byKind: 'agent' });
    expect(await wire.post({ ...echo, echoOf: shown.idempotencyKey })).toMatchObject([{ status: 'repeat' }]);
    const next = await wire.say('and the other one?', inThread);
    await wire.pass(3_000);
    await lead.next((seen) => seen.eventId === next, 'the follow-up');
    expect((await wire.why(next, 'lead')).decision).toMatchObject({ policy: 'must_respond' });
    expect((await wire.why(next, 'builder')).decision).toMatchObject({ policy: 'must_not_respond' });
  });
});

it('thanks of the asker, their first words in the thread, are for the agent that answered there', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead', THREADS);
  const question = await asked(wire, lead, '@lead is the build green?', 'root9');
  await lead.reply(question, 'It is green.');
  await until(() => wire.platform.texts().length === 1);
  const inThread = { in: 'root9', thread: 'general' } as const;
  const thanks = await wire.say('thanks!', inThread);
  expect((await wire.why(thanks, 'lead')).decision).toMatchObject({ policy: 'ack_only' });
  expect((await wire.why(thanks, 'builder')).decision).toMatchObject({ policy: 'must_not_respond' });
  const other = await wire.say('thanks!', { ...inThread, by: 'bob' });
  expect((await wire.why(other, 'lead')).decision).toMatchObject({ policy: 'must_not_respond' });
});

describe('where an answer goes', () => {
  it.each([
    [
      'the room, when the conversation says so',
      { conversations: [{ match: '*', replies: 'room' as const }] },
    ],
  ])('%s', async (_, attention) => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead', { ...THREADS, attention });
    const question = await asked(wire, lead, '@lead is the build green?', 'root2');
    await lead.reply(question, 'It is green.');
    await until(() => wire.platform.texts().length === 1);
    expect(wire.platform.shown[0]).toMatchObject({ place: { conversationId: 'general' }, replyTo: 'root2' });
    const again = await asked(wire, lead, '@lead and in a thread?', 'root3');
    await lead.reply(again, 'Here.', { visibility: 'thread' });
    await until(() => wire.platform.texts().length === 2);
    expect(wire.platform.shown[1]).toMatchObject({ place: { conversationId: 'root3', parentId: 'general' } });
  });

  it('the room, without a question it answers; and a thread that nobody has written in, by its root', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead', THREADS);
    await wire.say('we deploy at noon', { id: 'root4' });
    const send = (target: string, text: string) =>
      lead.tool('chat.send_message', {
        target,
        text,
        visibility: target.startsWith('thread') ? 'thread' : 'channel',
        directedness: 'ambient',
        idempotencyKey: text,
      });
    expect(await send('channel:general', 'The build is green.')).toMatchObject({ ok: true });
    expect(await send('thread:root4', 'All is ready for it.')).toMatchObject({ ok: true });
    await until(() => wire.platform.texts().length === 2);
    expect(wire.platform.shown.map(({ place }) => [place?.conversationId, place?.parentId])).toEqual([
      ['general', undefined],
      ['root4', 'general'],
    ]);
    expect(await send('thread:nothing', 'Nobody reads this.')).toMatchObject({
      ok: false,
      name: 'not_found',
    });
  });

  it('the same thread, for a second agent', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead', THREADS);
    const builder = await harness(wire, 'builder', 'pull');
    const question = await asked(wire, lead, '@lead @builder are you both there?', 'root5');
    const same = await builder.next((seen) => seen.eventId === question.eventId, 'the question');
    await lead.reply(question, 'I am here.');
    await builder.reply(same, 'So am I.');
    await until(() => wire.platform.texts().length === 2);
    expect(wire.platform.shown.map(({ place }) => place?.conversationId)).toEqual(['root5', 'root5']);
    expect(await logged(wire, 'So am I.')).toMatchObject([{ id: 'root5', parentId: 'general' }]);
  });

  it('the thread on an agent’s own post', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead', {
      ...THREADS,
      attention: { conversations: [{ match: '*', replies: 'room' }] },
    });
    const builder = await harness(wire, 'builder', 'websocket');
    const question = await asked(wire, lead, '@lead who builds it?', 'root6');
    await lead.reply(question, '@builder can you build it?', {
      recipient: 'agent:builder',
      directedness: 'to_me',
    });
    await wire.pass(3_000);
    const task = await builder.next(({ text }) => text.includes('can you build it?'), 'the task');
    await builder.reply(task, 'It is built.', { visibility: 'thread' });
    await until(() => wire.platform.texts().length === 2);
    expect(wire.platform.shown[1]).toMatchObject({ place: { conversationId: 'p1', parentId: 'general' } });
    const next = await wire.say('@builder and the tests?', { in: 'p1', thread: 'general' });
    await wire.pass(3_000);
    await builder.next((seen) => seen.eventId === next, 'the question in the thread');
  });
});

function inRoom(wire: WireHost, type: string, more: object): object {
  const { text: _, ...event } = wire.event('', { by: 'ada' }) as unknown as Record<string, unknown>;
  return { ...event, type, ...more };
}

describe('what amends a message of a thread, told with the room only', () => {
  it('belongs to the thread: an edit is read, a delete withdraws, a reaction is on its message', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead', THREADS);
    const question = await asked(wire, lead, '@lead is the build green?', 'root7');
    await lead.reply(question, 'It is green.');
    await until(() => wire.platform.texts().length === 1);
    const thread = { in: 'root7', thread: 'general' } as const;
    const first = await wire.say('and teh tests?', { ...thread, id: 'line1' });
    const [edited] = await wire.post(
      inRoom(wire, 'edit', { targetEventId: 'line1', text: 'and the tests?', eventId: 'edit1' }),
    );
    await wire.pass(3_000);
    expect(await lead.next((seen) => seen.text.includes('tests'))).toMatchObject({ text: 'and the tests?' });
    const [reacted] = await wire.post(
      inRoom(wire, 'reaction', { targetEventId: 'p1', signal: 'agree', eventId: 'reaction1' }),
    );
    const [deleted] = await wire.post(inRoom(wire, 'delete', { targetEventId: 'line1', eventId: 'delete1' }));
    await wire.pass(1_000);
    expect(lead.notes.map(({ method }) => method)).toContain('notifications/cancelled');
    const { body } = await wire.call(
      'GET',
      '/v1/log?last=true&limit=200',
      await wire.token('operator', 'ops'),
    );
    const rows = body['log'] as { eventId: string; conversation: { id: string }; targetEventId?: string }[];
    const rowOf = (eventId: string | undefined) => rows.find((row) => row.eventId === eventId);
    expect([edited, reacted, deleted].map((one) => rowOf(one?.eventId)?.conversation.id)).toEqual([
      'root7',
      'root7',
      'root7',
    ]);
    expect(rowOf(edited?.eventId)?.targetEventId).toBe(first);
    expect(rowOf(reacted?.eventId)?.targetEventId).toMatch(/^out_/);
  });

  it('is one event, told again before and after its target is known', async () => {
    const { wire } = await hostWith('websocket', 'lead', THREADS);
    await wire.say('we deploy at noon', { id: 'root8' });
    const reaction = inRoom(wire, 'reaction', {
      targetEventId: 'line8',
      signal: 'agree',
      eventId: 'reaction8',
    });
    const [first] = await wire.post(reaction);
    await wire.say('at one, rather', { in: 'root8', thread: 'general', id: 'line8' });
    const [again] = await wire.post(reaction);
    expect([first?.status, again?.status, again?.eventId]).toEqual(['accepted', 'repeat', first?.eventId]);
    const later = inRoom(wire, 'reaction', { targetEventId: 'line8', signal: 'seen', eventId: 'reaction9' });
    const [there] = await wire.post(later);
    const [repeated] = await wire.post(later);
    expect([there?.status, repeated?.status, repeated?.eventId]).toEqual([
      'accepted',
      'repeat',
      there?.eventId,
    ]);
  });

  it('stays in the room when its target is not known', async () => {
    const { wire } = await hostWith('websocket', 'lead', THREADS);
    await wire.say('hello');
    const [reacted] = await wire.post(
      inRoom(wire, 'reaction', { targetEventId: 'unheard', signal: 'agree', eventId: 'reaction2' }),
    );
    expect(reacted).toMatchObject({ status: 'accepted' });
  });
});
