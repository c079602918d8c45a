import { describe, expect, it } from 'vitest';
import { REACT_CALL, TOOL_LIST } from './draft-examples.fixture.ts';
import { wireError } from './errors.ts';
import { MODEL_HIDDEN } from './tool.ts';
import { TOOL_NAMES, type ToolName, toolNameForModel, toolNameFromModel } from './tool-name.ts';
import {
  listTool,
  refusalOf,
  TOOLS,
  toolCallResultSchema,
  toolListingSchema,
  toolRefusal,
  toolSuccess,
} from './tools.ts';
import { SIGNALS } from './vocabulary.ts';

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
  'chat.read_thread': { inReplyTo: 'evt_123' },
  'chat.send_message': send,
  'chat.react': { inReplyTo: 'evt_123', signal: 'done', recipient: 'agent:lead' },
  'chat.claim': { inReplyTo: 'evt_123', op: 'renew', token: 7 },
  'chat.defer': { inReplyTo: 'evt_123', reason: 'waiting for the build' },
  'chat.resolve': { target: 'thread:T1' },
  'chat.disengage': { target: 'channel:C1' },
  'chat.set_mode': { target: 'channel:C1', mode: 'mention_only' },
  'chat.focus': { ttlMs: 0 },
  'chat.wait_events': { timeoutMs: 25_000 },
  'chat.open_set': { query: 'owe' },
};

describe('chat tools', () => {
  it("have every tool that the draft recommends, in the draft's words", () => {
    const recommended: { name: ToolName; description: string }[] = JSON.parse(TOOL_LIST);
    for (const { name, description } of recommended) {
      expect(TOOLS[name].description).toContain(description.replace(/\.$/, ''));
    }
  });

  it("understand the draft's chat.react example", () => {
    const call: { name: 'chat.react'; arguments: unknown } = JSON.parse(REACT_CALL);
    expect(TOOLS[call.name].input.parse(call.arguments)).toEqual(call.arguments);
  });

  it.each(TOOL_NAMES)('%s takes a good call as it is and names a misspelt argument', (name) => {
    const { input } = TOOLS[name];
    expect(input.parse(calls[name])).toEqual(calls[name]);
    expect(input.safeParse({ ...calls[name], taregt: 'x' }).error?.message).toContain('taregt');
  });

  it.each(['target', 'text', 'idempotencyKey', 'visibility', 'directedness'])(
    'send nothing without %s',
    (field) => {
      expect(TOOLS['chat.send_message'].input.safeParse({ ...send, [field]: undefined }).success).toBe(false);
    },
  );

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

  it('declares for each tool whether a call may be repeated; a send only under its key', () => {
    const declared = Object.fromEntries(TOOL_NAMES.map((name) => [name, TOOLS[name].idempotent]));
    expect(declared).toMatchObject({
      'chat.send_message': 'with_key',
      'chat.read_thread': true,
      'chat.react': true,
    });
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
