// Agents edit and delete their own messages, over every way by which an agent is connected: what people see then, who
// hears of it, and what is refused with which words.
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/agent/index.ts';
import { until, type WireHost } from './host.ts';
import { harness, hostWith, type ToolResult, type Way, WAYS, type WireHarness } from './ways.ts';

const AGENTS = [{ id: 'lead' }, { id: 'builder', lead: 'lead' }];

interface LogEntry {
  eventId: string;
  type: string;
  text?: string;
  author?: unknown;
}

async function logOf(wire: WireHost): Promise<LogEntry[]> {
  const { body } = await wire.call('GET', '/v1/log?last=true', await wire.token('operator', 'ops'));
  return body['log'] as LogEntry[];
}

/** The lead has answered a question; the platform calls the answer p1. */
async function answered(way: Way, text = 'It is grene.', more = {}) {
  const { wire, agent: lead } = await hostWith(way, 'lead', { agents: AGENTS, ...more });
  const asked = await wire.say('@lead is the build green?');
  await wire.pass(3_000);
  const question = await lead.next((seen) => seen.eventId === asked, 'the question');
  const answer = await lead.reply(question, text);
  if (!answer.ok) throw new Error(answer.message);
  return { wire, lead, asked, eventId: String(answer.result['eventId']) };
}

/** What the lead has in the outbox, in order. */
async function sendsOf({ host: { context } }: WireHost) {
  const [first] = await context.store.scan('log', 'byPosition', { limit: 1 });
  const range = { eq: ['lead', first?.conversation ?? ''], limit: 100 };
  return context.store.scan('outbox', 'byAgentConversation', range);
}

function refusal(answer: ToolResult): { name: string; message: string } {
  if (answer.ok) throw new Error('it was not refused');
  return answer;
}

const amendments = ({ platform }: WireHost) =>
  platform.shown.flatMap(({ type, text, targetEventId }) =>
    type === 'edit' || type === 'delete' ? [{ type, text, targetEventId }] : [],
  );

describe.each(WAYS)('over %s', (way) => {
  it('an agent edits its own message: people see the new text once, and the log has it', async () => {
    const { wire, lead, eventId } = await answered(way);
    const edit = { eventId, text: 'It is green.' };
    expect(await lead.tool('chat.edit_message', edit)).toMatchObject({
      ok: true,
      result: { eventId, status: 'sent', replayed: false },
    });
    expect(await lead.tool('chat.edit_message', edit)).toMatchObject({ result: { replayed: true } });
    expect(amendments(wire)).toEqual([{ type: 'edit', text: 'It is green.', targetEventId: 'p1' }]);
    const edits = (await logOf(wire)).filter(({ type }) => type === 'edit');
    expect(edits).toMatchObject([{ text: 'It is green.', author: { id: 'lead', kind: 'agent' } }]);
    const thread = await lead.tool('chat.read_thread', { inReplyTo: eventId });
    expect(JSON.stringify(thread)).toContain('It is green.');
  });

  it('an agent deletes its own message, and its words leave the log and the outbox', async () => {
    const { wire, lead, eventId } = await answered(way);
    await lead.tool('chat.edit_message', { eventId, text: 'It is blue.' });
    expect(await lead.tool('chat.delete_message', { eventId })).toMatchObject({
      ok: true,
      result: { eventId, status: 'sent' },
    });
    expect(await lead.tool('chat.delete_message', { eventId })).toMatchObject({ result: { replayed: true } });
    expect(amendments(wire).map(({ type }) => type)).toEqual(['edit', 'delete']);
    const { store } = wire.host.context;
    const rows = [...(await store.scan('log', 'byPosition', { limit: 100 })), ...(await sendsOf(wire))];
    expect(rows.length).toBeGreaterThan(3);
    expect(JSON.stringify(rows)).not.toMatch(/It is (?:grene|blue)/);
    const gone = refusal(await lead.tool('chat.edit_message', { eventId, text: 'Back again.' }));
    expect(gone.name).toBe('already_deleted');
  });

  it('what is not its own, not there, or too long is refused with what to do', async () => {
    const { wire, lead, asked, eventId } = await answered(way, 'It is grene.', { maxChars: 200 });
    const edit = (id: string, text = 'x') => lead.tool('chat.edit_message', { eventId: id, text });
    expect(refusal(await edit(asked)).name).toBe('not_yours');
    expect(refusal(await lead.tool('chat.delete_message', { eventId: asked })).message).toContain(
      'Only your own',
    );
    expect(refusal(await edit('nobody-said-this')).name).toBe('not_found');
    const long = refusal(await edit(eventId, 'word '.repeat(50)));
    expect(long).toMatchObject({ name: 'too_large', message: expect.stringContaining('200 characters') });
    expect(amendments(wire)).toEqual([]);
  });
});

/** The lead has said something in C1, where the builder is too. */
async function sentBy(text: string, more: Record<string, unknown> = {}) {
  const { wire, agent: lead } = await hostWith('websocket', 'lead', { agents: AGENTS });
  const builder = await harness(wire, 'builder', 'websocket');
  await wire.say('good morning', { in: 'C1' });
  const sent = await lead.tool('chat.send_message', {
    target: 'channel:C1',
    text,
    visibility: 'channel',
    directedness: 'to_me',
    idempotencyKey: 'task',
    ...more,
  });
  if (!sent.ok) throw new Error(sent.message);
  await wire.pass(3_000);
  return { wire, lead, builder, eventId: String(sent.result['eventId']) };
}

describe('who hears of an agent’s edit', () => {
  const toBuilder = { recipient: 'agent:builder', mentions: ['agent:builder'] };

  it('an edit that names an agent anew wakes and pings nobody', async () => {
    const { wire, lead, builder, eventId } = await sentBy('The build is red.');
    await lead.tool('chat.edit_message', { eventId, text: '@builder builder, please fix the build!' });
    await wire.pass(10_000);
    expect(woken(builder)).toEqual([]);
    const [edit] = wire.platform.shown.filter(({ type }) => type === 'edit');
    expect(edit?.mentions).toEqual([]);
  });

  it('whoever has the message before them gets the new words, and whoever has answered is left alone', async () => {
    const { wire, lead, builder, eventId } = await sentBy('@builder fix the bild please', toBuilder);
    const task = await builder.next((seen) => seen.eventId === eventId, 'the task');
    await lead.tool('chat.edit_message', { eventId, text: '@builder fix the build please' });
    await wire.pass(3_000);
    const again = await builder.next((seen) => seen.text.includes('build please'), 'the new words');
    expect(await builder.reply(again, 'Fixed.')).toMatchObject({ ok: true });
    expect(task.text).toContain('bild');
    const before = woken(builder).length;
    for (const text of ['@builder fix the door', '@builder fix the lamp']) {
      expect(await lead.tool('chat.edit_message', { eventId, text })).toMatchObject({ ok: true });
      await wire.pass(10_000);
    }
    expect(woken(builder)).toHaveLength(before);
  });

  it('a delete takes the task back', async () => {
    const { wire, lead, builder, eventId } = await sentBy('@builder fix the build', toBuilder);
    await builder.next((seen) => seen.eventId === eventId, 'the task');
    await lead.tool('chat.delete_message', { eventId });
    await wire.pass(3_000);
    const { store } = wire.host.context;
    const open = await store.scan('delivery', 'openByAgent', { eq: ['builder', 1], limit: 10 });
    expect(open).toEqual([]);
  });
});

const woken = ({ seen }: WireHarness): string[] =>
  seen.flatMap(({ policy, eventId }) => (policy === 'must_not_respond' ? [] : [eventId]));

describe('the rules for the text of a send', () => {
  it('hold for an edit: what a person must agree to is refused, and nothing of it is shown', async () => {
    const sensitive = [{ reason: 'it names a price', words: ['price'] }];
    const { wire, lead, eventId } = await answered('websocket', 'It is grene.', { host: { sensitive } });
    const refused = refusal(await lead.tool('chat.edit_message', { eventId, text: 'The price is 7.' }));
    expect(refused).toMatchObject({ name: 'unsupported', message: expect.stringContaining('names a price') });
    expect(refused.message).toContain('new message');
    expect(amendments(wire)).toEqual([]);
  });

  it('an edit of a message in parts is refused, and a delete takes all parts away', async () => {
    const long = ['one ', 'two ', 'three '].map((word) => word.repeat(20).trim()).join('\n\n');
    const { wire, lead, eventId } = await answered('websocket', long, { maxChars: 130 });
    await until(() => wire.platform.texts().length === 3);
    const refused = refusal(await lead.tool('chat.edit_message', { eventId, text: 'Short.' }));
    expect(refused).toMatchObject({ name: 'unsupported', message: expect.stringContaining('parts') });
    expect(await lead.tool('chat.delete_message', { eventId })).toMatchObject({ ok: true });
    const [gone] = wire.platform.shown.filter(({ type }) => type === 'delete');
    expect(gone).toMatchObject({ targetEventId: 'p3', targetEventIds: ['p1', 'p2', 'p3'] });
  });
});

describe('a platform that is not well', () => {
  it('gets edits again until it has them, in the order in which they were asked for', async () => {
    const { wire, lead, eventId } = await answered('websocket');
    let refusals = 2;
    wire.platform.onPost = ({ type }) => (type === 'edit' && refusals-- > 0 ? 'retry' : 'show');
    const calls = ['one', 'two', 'three'].map((text) => lead.tool('chat.edit_message', { eventId, text }));
    await until(async () => {
      await wire.pass(5_000);
      return amendments(wire).length === 3;
    });
    await Promise.all(calls);
    expect(amendments(wire).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    const edits = (await logOf(wire)).filter(({ type }) => type === 'edit');
    expect(edits.map(({ text }) => text)).toEqual(expect.arrayContaining(['one', 'two', 'three']));
    expect(edits).toHaveLength(3);
  });

  it('a refusal for good is told by the call, and the same edit may be asked for again', async () => {
    const { wire, lead, eventId } = await answered('websocket');
    wire.platform.onPost = ({ type }) => (type === 'edit' ? 'refuse' : 'show');
    const edit = { eventId, text: 'It is green.' };
    const refused = refusal(await lead.tool('chat.edit_message', edit));
    expect(refused).toMatchObject({ name: 'not_delivered', message: expect.stringContaining('422') });
    expect((await logOf(wire)).filter(({ type }) => type === 'edit')).toEqual([]);
    wire.platform.onPost = () => 'show';
    expect(await lead.tool('chat.edit_message', edit)).toMatchObject({ result: { replayed: false } });
    expect(amendments(wire)).toHaveLength(1);
  });

  it('a message that is not shown yet cannot be changed, and the caller is told to come back', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead', { agents: AGENTS });
    const asked = await wire.say('@lead is the build green?');
    await wire.pass(3_000);
    const question = await lead.next((seen) => seen.eventId === asked, 'the question');
    wire.platform.onPost = () => 'retry';
    const sending = lead.reply(question, 'It is grene.');
    await until(() => wire.platform.arrived.length > 0);
    const [row] = await sendsOf(wire);
    const editing = lead.tool('chat.edit_message', { eventId: row?.eventId, text: 'It is green.' });
    let early: ToolResult | undefined;
    void editing.then((answer) => (early = answer));
    const told = await until(async () => {
      await wire.pass(1_000);
      return early;
    });
    expect(refusal(told).name).toBe('not_shown_yet');
    wire.platform.onPost = () => 'show';
    await until(async () => {
      await wire.pass(5_000);
      return wire.platform.texts().length === 1;
    });
    await sending;
    const again = await lead.tool('chat.edit_message', { eventId: row?.eventId, text: 'It is green.' });
    expect(again).toMatchObject({ ok: true });
  });

  it('an edit or delete that the platform hands back is no second event', async () => {
    const { wire, lead, eventId } = await answered('websocket');
    await lead.tool('chat.edit_message', { eventId, text: 'It is green.' });
    const [edit] = wire.platform.shown.filter(({ type }) => type === 'edit');
    const by = { author: { id: 'lead', kind: 'agent' } };
    const { text: _, ...place } = wire.event('', { id: 'echo-1', more: by }) as unknown as Record<
      string,
      unknown
    >;
    const told = { ...place, type: 'edit', targetEventId: 'p1', text: 'It is green.' };
    const [marked] = await wire.post({ ...told, echoOf: edit?.idempotencyKey });
    const [plain] = await wire.post({ ...told, eventId: 'echo-2' });
    await lead.tool('chat.delete_message', { eventId });
    const [gone] = await wire.post({ ...place, eventId: 'echo-3', type: 'delete', targetEventId: 'p1' });
    expect([marked, plain, gone].map((one) => one?.status)).toEqual(['repeat', 'repeat', 'repeat']);
    expect((await logOf(wire)).filter(({ type }) => type === 'edit' || type === 'delete')).toHaveLength(2);
    const [forged] = await wire.post({ ...told, eventId: 'echo-4', echoOf: 'lead:unheard-of' });
    expect(forged?.status).toBe('refused');
  });
});

it('a source that pulls gets the edit and the delete, and acknowledges them', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead', { agents: AGENTS });
  const token = await wire.token('surface', 'other');
  const question = wire.event('@lead is the build green?', { in: 'ops' });
  await wire.call('POST', '/v1/events', token, { ...question, platform: 'x' });
  await wire.pass(3_000);
  const sent = await lead.reply(await lead.next(({ text }) => text.includes('green?')), 'It is grene.');
  const eventId = sent.ok ? sent.result['eventId'] : undefined;
  const pulled = async () =>
    (await wire.call('GET', '/v1/outbox', token)).body['messages'] as { idempotencyKey: string }[];
  const acknowledge = async (): Promise<object | undefined> => {
    const [message] = await until(async () => {
      const all = await pulled();
      return all.length === 1 && all;
    });
    const ack = { key: message?.idempotencyKey, platformId: 'p-77' };
    for (const _ of ['first', 'again'])
      expect(await wire.call('POST', '/v1/outbox/ack', token, ack)).toMatchObject({
        status: 200,
        body: { state: 'visible', platformId: 'p-77' },
      });
    return message;
  };
  await acknowledge();
  const edited = await lead.tool('chat.edit_message', { eventId, text: 'It is green.' });
  expect(edited).toMatchObject({ result: { status: 'pending' } });
  expect(await acknowledge()).toMatchObject({ type: 'edit', targetEventId: 'p-77', text: 'It is green.' });
  expect(await lead.tool('chat.delete_message', { eventId })).toMatchObject({
    result: { status: 'pending' },
  });
  expect(await acknowledge()).toMatchObject({ type: 'delete', targetEventId: 'p-77' });
  expect(await pulled()).toEqual([]);
  const amended = (await logOf(wire)).filter(({ type }) => type === 'edit' || type === 'delete');
  expect(amended.map(({ type }) => type).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['delete', 'edit']);
});

it('a handler of the SDK edits and deletes by the turn', async () => {
  const outcomes: boolean[] = [];
  const onTurn = async (turn: Turn): Promise<void> => {
    const { data } = await turn.reply('It is grene.');
    outcomes.push((await turn.edit(String(data['eventId']), 'It is green.')).ok);
    outcomes.push((await turn.delete(String(data['eventId']))).ok);
  };
  const { wire } = await hostWith('sdk', 'lead', { agents: AGENTS }, { onTurn });
  await wire.say('@lead is the build green?');
  await until(async () => {
    await wire.pass(1_000);
    return outcomes.length === 2;
  });
  expect(outcomes).toEqual([true, true]);
  expect(amendments(wire).map(({ type }) => type)).toEqual(['edit', 'delete']);
});
