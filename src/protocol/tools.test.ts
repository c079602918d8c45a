import { describe, expect, it } from 'vitest';
import { REACT_CALL, TOOL_LIST } from './draft-examples.fixture.ts';
import { wireError } from './errors.ts';
import { listedEventSchema } from './tool-fields.ts';
import { TOOL_NAMES, type ToolName, toolNameForModel, toolNameFromModel } from './tool-name.ts';
import { MODEL_HIDDEN } from './tool.ts';
import { refusalOf, toolCallResultSchema, toolRefusal, toolSuccess } from './tool.ts';
import { TOOLS, listTool, toolListingSchema } from './tools.ts';
import { DISPOSITIONS, SIGNALS } from './vocabulary.ts';

const send = {
  target: 'thread:1748890000.000100',
  text: 'The deploy is not blocked.',
  inReplyTo: 'evt_123',
  visibility: 'thread',
  directedness: 'to_me',
  idempotencyKey: 'evt_123:agent_lead:1',
};

/** One good call per tool. */
const calls: Record<ToolName, object> = {
  'chat.list_events': { policy: 'must_respond', since: '2026-06-02T19:10:00Z', limit: 5 },
  'chat.read_attachment': { attachmentId: 'F1' },
  'chat.read_thread': { inReplyTo: 'evt_123' },
  'chat.send_message': send,
  'chat.edit_message': { eventId: 'evt_124', text: 'it is green', idempotencyKey: 'edit-1' },
  'chat.delete_message': { eventId: 'evt_124' },
  'chat.react': { inReplyTo: 'evt_123', signal: 'done', recipient: 'agent:lead' },
  'chat.claim': { inReplyTo: 'evt_123', op: 'renew', token: 7 },
  'chat.defer': { inReplyTo: 'evt_123', reason: 'waiting for the build' },
  'chat.resolve': { target: 'thread:T1' },
  'chat.disengage': { target: 'channel:C1' },
  'chat.set_mode': { target: 'channel:C1', mode: 'mention_only' },
  'chat.focus': { ttlMs: 0 },
  'chat.wait_events': { timeoutMs: 25_000 },
  'chat.open_set': { query: 'owe' },
  'chat.ask_permission': { tool_name: 'Bash', input: { command: 'ls' } },
};

const recommended: { name: keyof typeof results; description: string }[] = JSON.parse(TOOL_LIST);

/** What each of the draft's tools may answer. */
const results = {
  'chat.list_events': { events: [], nextCursor: 'c2' },
  'chat.read_thread': { events: [], target: 'thread:T1' },
  'chat.send_message': { eventId: 'evt_2', status: 'sent', replayed: false },
  'chat.react': { reactionId: 'rx_1', disposition: null },
  'chat.claim': { status: 'claimed', token: 7, expiresAt: '2026-06-02T19:20:00Z' },
  'chat.defer': { disposition: 'deferred', until: '2026-06-02T19:20:00Z' },
  'chat.resolve': { resolved: ['evt_123'] },
};

const listed = {
  eventId: 'evt_123',
  target: 'channel:C1',
  author: { id: 'U1', kind: 'human' },
  createdAt: '2026-06-02T19:10:00Z',
  type: 'message',
};

describe('chat tools', () => {
  it.each(recommended)(
    "have $name, which the draft recommends, in the draft's words, with arguments and result [C2A-06-02/tools/seven-tools]",
    ({ name, description }) => {
      expect(TOOLS[name].description).toContain(description.replace(/\.$/, ''));
      expect(Object.keys(Object(listTool(name).inputSchema['properties']))).not.toEqual([]);
      expect(TOOLS[name].result.parse(results[name])).toEqual(results[name]);
      expect(TOOLS[name].result.safeParse({}).success).toBe(false);
    },
  );

  it('say which of them a small set leaves out', () => {
    expect(TOOL_NAMES.filter((name) => TOOLS[name].extra)).toEqual([
      'chat.edit_message',
      'chat.delete_message',
    ]);
  });

  it('are all seven of the draft [C2A-06-02/tools/seven-tools]', () => {
    expect(recommended.map(({ name }) => name)).toEqual(Object.keys(results));
    expect(recommended).toHaveLength(7);
  });

  it("understand the draft's chat.react example [C2A-06-02/signal/react-arguments]", () => {
    const call: { name: 'chat.react'; arguments: object } = JSON.parse(REACT_CALL);
    const { input } = TOOLS[call.name];
    expect(input.parse(call.arguments)).toEqual(call.arguments);
    expect(input.safeParse({ ...call.arguments, eta: undefined }).success).toBe(true);
    expect(input.safeParse({ ...call.arguments, inReplyTo: undefined }).success).toBe(false);
    expect(input.safeParse({ ...call.arguments, signal: undefined }).success).toBe(false);
  });

  it('tell of a disposition in one of the seven words [C2A-06-02/disposition/closed-list]', () => {
    const words = 'responded acknowledged deferred claimed ignored superseded failed'.split(' ');
    expect(DISPOSITIONS).toEqual(words);
    for (const disposition of words)
      expect(listedEventSchema.parse({ ...listed, disposition })).toMatchObject({ disposition });
    for (const disposition of ['answered', '', 'done', null, words]) {
      expect(listedEventSchema.safeParse({ ...listed, disposition }).success).toBe(false);
    }
  });

  it.each(TOOL_NAMES)('%s takes a good call as it is and names a misspelt argument', (name) => {
    const { input } = TOOLS[name];
    expect(input.parse(calls[name])).toEqual(calls[name]);
    expect(input.safeParse({ ...calls[name], taregt: 'x' }).error?.message).toContain('taregt');
  });

  it.each([
    {
      req: 'C2A-06-02/send/target',
      field: 'target',
      good: ['thread:T1', 'channel:C1', 'dm:D1'],
      bad: [undefined, '', 'T1', 'room:R1'],
    },
    { req: 'C2A-06-02/send/in-reply-to', field: 'inReplyTo', good: ['evt_123', undefined], bad: ['', 7] },
    { req: 'C2A-06-02/send/idempotency-key', field: 'idempotencyKey', good: ['k1'], bad: [undefined, ''] },
    {
      req: 'C2A-06-02/send/visibility',
      field: 'visibility',
      good: ['dm', 'thread', 'channel', 'ephemeral'],
      bad: [undefined, 'public'],
    },
    {
      req: 'C2A-06-02/send/directedness',
      field: 'directedness',
      good: ['to_me', 'to_my_role', 'to_other', 'ambient'],
      bad: [undefined, 'to_all'],
    },
    { field: 'text', good: ['hi'], bad: [undefined, ''] },
  ])('send with $field as $good, never as $bad', ({ field, good, bad }) => {
    const { input } = TOOLS['chat.send_message'];
    for (const value of good)
      expect(input.parse({ ...send, [field]: value })).toMatchObject({ [field]: value });
    for (const value of bad) expect(input.safeParse({ ...send, [field]: value }).success).toBe(false);
  });

  it.each(TOOL_NAMES)('%s lets a model carry neither keys nor tokens', (name) => {
    const shown = Object.fromEntries(
      Object.entries(calls[name]).filter(([key]) => !MODEL_HIDDEN.includes(key)),
    );
    expect(TOOLS[name].modelInput.parse(shown)).toEqual(shown);
    for (const hidden of MODEL_HIDDEN) {
      expect(TOOLS[name].modelInput.safeParse({ ...shown, [hidden]: 'x' }).success).toBe(false);
    }
  });

  it.each(['chat.read_thread', 'chat.claim', 'chat.resolve'] as const)(
    '%s needs an event or a place, not both and not neither',
    (name) => {
      const { input } = TOOLS[name];
      expect(input.safeParse({}).success).toBe(false);
      expect(input.safeParse({ inReplyTo: 'e', target: 'thread:T1' }).success).toBe(false);
      expect(input.safeParse({ target: 'thread:T1' }).success).toBe(true);
    },
  );

  it.each([
    ['chat.send_message', { ...send, target: 'T1' }],
    ['chat.send_message', { ...send, target: 'agent:worker-3' }, 'taken'],
    ['chat.send_message', { ...send, text: '' }],
    ['chat.send_message', { ...send, recipient: 'worker-3' }],
    ['chat.react', { inReplyTo: 'e', signal: 'party' }],
    ['chat.focus', {}],
    ['chat.defer', { inReplyTo: 'e' }],
    ['chat.wait_events', { timeoutMs: 25_001 }],
    ['chat.list_events', { limit: 101 }],
  ] as const)('%s with %j is refused unless said otherwise', (name, input, taken?) => {
    expect(TOOLS[name].input.safeParse(input).success).toBe(taken === 'taken');
  });

  it('takes every signal', () => {
    for (const signal of SIGNALS)
      expect(TOOLS['chat.react'].input.parse({ inReplyTo: 'e', signal }).signal).toBe(signal);
  });

  it('declares for each tool whether a call may be repeated; a send only under its key [C2A-06-02/tool-retry/declare-idempotency]', () => {
    const declared = Object.fromEntries(TOOL_NAMES.map((name) => [name, TOOLS[name].idempotent]));
    expect(declared).toMatchObject({
      'chat.send_message': 'with_key',
      'chat.read_thread': true,
      'chat.react': true,
    });
    for (const name of TOOL_NAMES) {
      expect([true, false, 'with_key']).toContain(declared[name]);
      expect(listTool(name).annotations.idempotentHint).toBe(declared[name] !== false);
    }
    for (const name of TOOL_NAMES.filter((each) => declared[each] === 'with_key')) {
      expect(listTool(name).inputSchema).toMatchObject({
        required: expect.arrayContaining(['idempotencyKey']),
      });
    }
  });

  it.each(TOOL_NAMES)('%s is listed with its schema', (name) => {
    const listing = listTool(name);
    expect(toolListingSchema.parse(listing)).toEqual(listing);
    expect(listing.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  });
});

describe('tool names', () => {
  it('are underscored for a model and dotted on the wire', () => {
    expect(toolNameForModel('chat.send_message')).toBe('chat_send_message');
    expect(toolNameFromModel('chat_send_message')).toBe('chat.send_message');
  });

  it.each(TOOL_NAMES)('%s comes back, in characters that providers accept', (name) => {
    expect(toolNameForModel(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(toolNameFromModel(toolNameForModel(name))).toBe(name);
  });

  it.each(['chat.send_message', 'chat_send.message', 'send_message', ''])(
    '%j is no model name of a tool',
    (name) => {
      expect(toolNameFromModel(name)).toBeUndefined();
    },
  );
});

describe('tool results', () => {
  it('carry a success as text and as structure', () => {
    const result = toolSuccess({ resolved: ['evt_1'] });
    expect(toolCallResultSchema.parse(result)).toEqual(result);
    expect(refusalOf(result)).toBeUndefined();
  });

  it('carry a refusal that the model can act on and code can read back', () => {
    const error = wireError('claimed_by_other', { holder: 'agent:worker-3' });
    const result = toolRefusal(error);
    expect(result).toMatchObject({ isError: true, content: [{ text: error.message }] });
    expect(refusalOf(toolCallResultSchema.parse(result))).toEqual(error);
  });

  it('do not take the errors of others for ours', () => {
    expect(refusalOf({ content: [], isError: true })).toBeUndefined();
    expect(refusalOf({ content: [], isError: true, structuredContent: { code: 1 } })).toBeUndefined();
  });
});
