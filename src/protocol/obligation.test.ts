import { describe, expect, it } from 'vitest';
import { chatEventSchema } from './chat-event.ts';
import { OBLIGATION, REACTION } from './draft-examples.fixture.ts';
import { type JsonSchema, jsonSchemas } from './json-schemas.ts';
import { METHOD_NAMES } from './methods.ts';
import { openObligationSchema, reactionRecordSchema, wireObligationSchema } from './obligation.ts';
import { TOOL_NAMES } from './tool-name.ts';
import { TOOLS } from './tools.ts';

const obligation: { blocks: string; defaultAction: string; dischargeDelegate: string } =
  JSON.parse(OBLIGATION);
const message = {
  eventId: 'evt_1',
  at: '2026-08-11T09:00:00Z',
  platform: 'web',
  workspaceId: 'W1',
  conversation: { id: 'C1', kind: 'channel' },
  author: { id: 'U1', kind: 'human' },
  type: 'message',
  text: 'May I deploy?',
  recipients: ['agent:lead'],
};
const send = {
  target: 'channel:C1',
  text: 'May I deploy?',
  visibility: 'channel',
  directedness: 'to_me',
  recipient: 'agent:lead',
  idempotencyKey: 'k1',
};

/** Whether it is taken, kept whole, in the log, in a send and on the wire. */
function kept(given: object): boolean[] {
  const logged = chatEventSchema.safeParse({ ...message, obligation: given });
  const sent = TOOLS['chat.send_message'].input.safeParse({ ...send, obligation: given });
  const wire = wireObligationSchema.safeParse(given);
  const read: unknown[] = [
    logged.success && logged.data.type === 'message' && logged.data.obligation,
    sent.success && sent.data.obligation,
    wire.success && wire.data,
  ];
  return read.map((one) => JSON.stringify(one) === JSON.stringify(given));
}

const ALL = [true, true, true];
const NONE = [false, false, false];

describe('obligation', () => {
  it('is carried by an event, with blocks and defaultAction [OBL/1/event-may-carry-it]', () => {
    expect(kept({ blocks: 'halted', defaultAction: 'Roll back at 17:00' })).toEqual(ALL);
    expect(chatEventSchema.parse(message)).not.toHaveProperty('obligation');
  });

  it('may name a delegate, who is an identity [OBL/1/delegate-optional]', () => {
    expect(kept(obligation)).toEqual(ALL);
    expect(kept({ ...obligation, dischargeDelegate: '' })).toEqual(NONE);
    expect(wireObligationSchema.safeParse({ ...obligation, dischargeDelegate: 'lead' }).success).toBe(false);
  });

  it.each([
    ['halted', ALL],
    ['degraded', ALL],
    ['none', ALL],
    ['stuck', NONE],
    ['', NONE],
    [undefined, NONE],
    [['halted'], NONE],
  ])('blocks %j: %j [OBL/1/blocks]', (blocks, expected) => {
    expect(kept({ blocks, defaultAction: 'x' })).toEqual(expected);
  });

  it.each([
    ['I roll back', ALL],
    ['', NONE],
    [undefined, NONE],
    [7, NONE],
    ['x'.repeat(2_001), NONE],
  ])('says what its author does otherwise, as text [OBL/1/default-action]', (defaultAction, expected) => {
    expect(kept({ blocks: 'none', defaultAction })).toEqual(expected);
  });

  it('has an id of its own beside the id of its event [OBL/11/obligation-id]', () => {
    const row = {
      obligationId: 'evt_1#agent:lead',
      eventId: 'evt_1',
      author: 'human:U1',
      recipient: 'agent:lead',
      obligation,
      createdAt: '2026-08-11T09:00:00Z',
      ageMs: 60_000,
      returns: 0,
      askedNow: 'agent:lead',
      state: 'open',
    };
    expect(openObligationSchema.parse(row)).toEqual(row);
    expect(openObligationSchema.safeParse({ ...row, obligationId: undefined }).success).toBe(false);
  });
});

describe('the reaction of the obligations text', () => {
  const reaction: object = JSON.parse(REACTION);

  it.each(['reactionId', 'targetEventId', 'createdAt', 'actor', 'signal'])(
    'is an event of its own that needs %s [OBL/8/reaction-event]',
    (field) => {
      expect(reactionRecordSchema.parse(reaction)).toEqual(reaction);
      expect(reactionRecordSchema.safeParse({ ...reaction, [field]: undefined }).success).toBe(false);
    },
  );

  it('names a recipient or nobody [OBL/8/reaction-event]', () => {
    const { recipient: _, ...unnamed }: Record<string, unknown> = { ...reaction };
    expect(reactionRecordSchema.parse(unnamed)).toEqual(unnamed);
    expect(reactionRecordSchema.safeParse({ ...reaction, recipient: 'lead' }).success).toBe(false);
  });

  it.each(['✅', '👀'])(
    'carries the signal, not %s [C2A-06-02/signal/not-the-emoji, C2A-06-24/signal/not-the-emoji]',
    (signal) => {
      expect(reactionRecordSchema.safeParse({ ...reaction, signal }).success).toBe(false);
      expect(TOOLS['chat.react'].input.safeParse({ inReplyTo: 'evt_1', signal }).success).toBe(false);
    },
  );
});

describe('the state of a debt', () => {
  /** Whatever may be sent: calls and notifications, tool arguments, events for the log. */
  const files = jsonSchemas();
  const defs = (name: string): JsonSchema => Object(files[name]?.['$defs']);
  const sendable: [string, unknown][] = [
    ['chat-event', files['chat-event.json']],
    ...METHOD_NAMES.map((name): [string, unknown] => [name, defs('methods.json')[`${name}.params`]]),
    ...TOOL_NAMES.map((name): [string, unknown] => [name, defs('tools.json')[`${name}.input`]]),
  ];
  const STATE = /"(?:state|discharged|settled|owed|open|closed|paused|escalated|returns|obligationId)"/g;
  const statesIn = (schema: unknown) => JSON.stringify(schema).match(STATE) ?? [];

  it.each(sendable)('is in no field of %s [OBL/2/no-settable-field]', (_, schema) => {
    expect(schema).toBeTypeOf('object');
    expect(statesIn(schema)).toEqual([]);
  });

  it('would be found if it were, as it is in what the open set answers [OBL/2/no-settable-field]', () => {
    expect(statesIn(defs('tools.json')['chat.open_set.result'])).toContain('"state"');
  });

  it('is not taken where it is slipped in [OBL/2/no-settable-field]', () => {
    const slipped = { ...obligation, state: 'discharged' };
    expect(chatEventSchema.safeParse({ ...message, obligation: slipped }).success).toBe(false);
    expect(chatEventSchema.safeParse({ ...message, discharged: true }).success).toBe(false);
    expect(wireObligationSchema.parse(slipped)).toEqual(obligation);
    const react = { inReplyTo: 'evt_1', signal: 'done', discharged: true };
    expect(TOOLS['chat.react'].input.safeParse(react).success).toBe(false);
  });
});
