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
      'notifications/progress',
      'notifications/typing',
      'ping',
      'tools/call',
      'tools/list',
      'turn/ended',
      'turn/started',
    ]);
  });

  it.each(METHOD_NAMES)('%s has a result exactly if it is a request', (name) => {
    const { kind, result } = METHODS[name];
    expect(result !== null).toBe(kind === 'request');
    expect(kind === 'notification').toBe(name.startsWith('notifications/'));
  });

  it.each([
    ['initialize', INITIALIZE, 'request'],
    ['chat/deliver', CHAT_DELIVER, 'request'],
    ['notifications/cancelled', CANCELLED, 'notification'],
    ['notifications/progress', PROGRESS, 'notification'],
  ] as const)("%s takes the draft's example frame whole", (name, frame, kind) => {
    const decoded = decode(frame);
    const message = decoded.ok ? decoded.messages[0] : undefined;
    expect(message).toMatchObject({ kind, method: name });
    if (message === undefined || message.kind === 'response') throw new Error('not a call');
    expect(METHODS[name].kind).toBe(kind);
    expect(readParams(METHODS[name].params, message.params)).toEqual({ ok: true, value: message.params });
  });

  it.each([
    ['ping', undefined],
    ['notifications/initialized', undefined],
    ['notifications/cancelled', { eventId: 'evt_1' }],
    [
      'notifications/typing',
      { conversation: { id: 'C1' }, author: { id: 'U1', kind: 'human' }, typing: true },
    ],
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
