import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CANCELLED, CHAT_DELIVER, INITIALIZE, PROGRESS } from './draft-examples.fixture.ts';
import { decode } from './jsonrpc.ts';
import { isMethodName, METHOD_NAMES, METHODS } from './methods.ts';
import { readParams } from './read-params.ts';

const event = {
  eventId: 'evt_1',
  at: '2026-06-02T19:10:00Z',
  platform: 'web',
  workspaceId: 'W1',
  conversation: { id: 'C1', kind: 'channel' },
  author: { id: 'U1', kind: 'human' },
  type: 'message',
  text: 'hi',
};

describe('methods', () => {
  it('are exactly those of the wire', () => {
    expect([...METHOD_NAMES].toSorted()).toEqual([
      'chat/deliver',
      'ingest/events',
      'initialize',
      'notifications/cancelled',
      'notifications/initialized',
      'notifications/message',
      'notifications/progress',
      'notifications/prompt',
      'notifications/typing',
      'ping',
      'tools/call',
      'tools/list',
      'turn/ended',
      'turn/growing',
      'turn/started',
    ]);
  });

  it.each(METHOD_NAMES)('%s has a result exactly if it is a request', (name) => {
    const { kind, result } = METHODS[name];
    expect(result !== null).toBe(kind === 'request');
    expect(kind === 'notification').toBe(name.startsWith('notifications/'));
  });

  it.each([
    { name: 'initialize', frame: INITIALIZE, kind: 'request', req: 'C2A-06-02/initialize/params' },
    { name: 'chat/deliver', frame: CHAT_DELIVER, kind: 'request', req: 'C2A-06-02/envelope/shape' },
    {
      name: 'notifications/cancelled',
      frame: CANCELLED,
      kind: 'notification',
      req: 'C2A-06-02/cancel/notification',
    },
    {
      name: 'notifications/progress',
      frame: PROGRESS,
      kind: 'notification',
      req: 'C2A-06-02/progress/notification',
    },
  ] as const)("$name takes the draft's example frame whole, as a $kind", ({ name, frame, kind }) => {
    const decoded = decode(frame);
    const message = decoded.ok ? decoded.messages[0] : undefined;
    expect(message).toMatchObject({ kind, method: name });
    if (message === undefined || message.kind === 'response') throw new Error('not a call');
    expect(METHODS[name].kind).toBe(kind);
    expect(readParams(METHODS[name].params, message.params)).toEqual({ ok: true, value: message.params });
  });

  it('hand an event over by a request from host to harness, to be acknowledged [C2A-06-02/inbound/deliver-is-a-request]', () => {
    const { direction, kind, result } = METHODS['chat/deliver'];
    expect({ direction, kind }).toEqual({ direction: 'host_to_harness', kind: 'request' });
    expect(result.parse({ eventId: 'evt_1' })).toEqual({ eventId: 'evt_1' });
  });

  it('accept a delivery without a word on what the model makes of it [C2A-06-02/data/response-is-acceptance]', () => {
    const accepted = { eventId: 'evt_1', duplicate: true };
    const thoughts = { agrees: true, disposition: 'responded', text: 'I will do it', result: 'done' };
    expect(METHODS['chat/deliver'].result.parse({ ...accepted, ...thoughts })).toEqual(accepted);
  });

  it('take neither a cancellation of nothing in particular nor a progress without its figures', () => {
    const progress = { progressToken: 't', progress: 2, total: 5, message: 'Checked' };
    expect(readParams(METHODS['notifications/progress'].params, progress).ok).toBe(true);
    for (const field of ['progressToken', 'progress']) {
      const half = { ...progress, [field]: undefined };
      expect(readParams(METHODS['notifications/progress'].params, half).ok).toBe(false);
    }
    expect(readParams(METHODS['notifications/cancelled'].params, { reason: 'edited' }).ok).toBe(false);
  });

  it.each([
    ['ping', undefined],
    ['notifications/initialized', undefined],
    ['notifications/cancelled', { eventId: 'evt_1' }],
    [
      'notifications/typing',
      { conversation: { id: 'C1' }, author: { id: 'U1', kind: 'human' }, typing: true },
    ],
    ['notifications/prompt', { turnId: 't1', prompt: 'what the model read' }],
    ['tools/list', undefined],
    ['tools/call', { name: 'chat.react', arguments: { inReplyTo: 'evt_1', signal: 'seen' } }],
    ['turn/started', { turnId: 't1', eventIds: ['evt_1'] }],
    ['turn/ended', { turnId: 't1', outcome: 'cancelled' }],
    ['ingest/events', { events: [event] }],
  ] as const)('%s takes a good call', (name, params) => {
    expect(readParams(METHODS[name].params, params)).toEqual({ ok: true, value: params ?? {} });
  });

  it.each([
    ['notifications/cancelled', {}, 'name what is cancelled'],
    ['tools/call', { name: 'chat.shout' }, 'name: '],
    ['turn/started', { turnId: 't1', eventIds: [] }, 'eventIds: '],
    ['turn/ended', { turnId: 't1', outcome: 'bored' }, 'outcome: '],
    ['ingest/events', { events: [{ ...event, text: 7 }] }, 'events.0.text: '],
    ['ingest/events', { events: [{ ...event, extra: 7 }] }, 'extra'],
    ['chat/deliver', { eventId: 'evt_1' }, ': '],
    ['initialize', {}, 'protocolVersion: '],
    ['initialize', 'x', 'expected object'],
  ] as const)('%s says what is wrong with %j', (name, params, problem) => {
    const read = readParams(METHODS[name].params, params);
    expect(read).toMatchObject({ ok: false, error: { code: -32602, data: { name: 'invalid_params' } } });
    expect(read.ok ? '' : read.error.message).toContain(problem);
  });

  it('names the field an almost right event lacks, not just that no shape fitted', () => {
    const { params }: { params: object } = JSON.parse(CHAT_DELIVER);
    const read = readParams(METHODS['chat/deliver'].params, {
      ...params,
      target: { directedness: 'to_all' },
    });
    expect(read.ok ? '' : read.error.message).toContain('target.directedness: ');
  });

  it('never throws on any params', () => {
    fc.assert(
      fc.property(fc.constantFrom(...METHOD_NAMES), fc.jsonValue(), (name, params) => {
        expect(readParams(METHODS[name].params, params)).toHaveProperty('ok');
      }),
    );
  });

  it('exist by their own name only', () => {
    expect(isMethodName('ping')).toBe(true);
    expect(isMethodName('toString')).toBe(false);
  });
});
