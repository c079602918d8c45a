import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Decoded,
  decode,
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  JSONRPC_LIMITS,
} from './jsonrpc.ts';
import { cases } from '../../test/long.ts';

/** What a peer does with a frame, in one word or code. */
function outcome(decoded: Decoded): string | number {
  if (!decoded.ok) return decoded.refusal.error.code;
  return [
    ...decoded.messages.map(({ kind }) => kind),
    ...decoded.refusals.map(({ error }) => error.code),
  ].join(' ');
}

function only(frame: string) {
  const decoded = decode(frame);
  return decoded.ok ? decoded.messages[0] : decoded.refusal;
}

const request = { jsonrpc: '2.0', id: 1, method: 'ping' };
const nested = (levels: number): string =>
  `{"jsonrpc":"2.0","method":"m","params":${'['.repeat(levels)}${']'.repeat(levels)}}`;

describe('decode', () => {
  it.each([
    ['a request', request, 'request'],
    ['a request with a string id', { ...request, id: 'deliver-456' }, 'request'],
    ['a request with params', { ...request, params: {} }, 'request'],
    ['positional params', { ...request, params: [1] }, 'request'],
    ['members it does not know', { ...request, trace: 'x' }, 'request'],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/typing' }, 'notification'],
    ['a result', { jsonrpc: '2.0', id: 1, result: null }, 'response'],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } }, 'response'],
    ['an error without id', { jsonrpc: '2.0', id: null, error: { code: -1, message: 'no' } }, 'response'],
    ['a batch', [request, { ...request, id: 2 }], 'request request'],
    ['a batch with a stranger in it', [request, 7], 'request -32600'],
    ['a batch that uses an id twice', [request, request], 'request -32600'],
    ['no version', { id: 1, method: 'ping' }, -32600],
    ['version 1', { ...request, jsonrpc: '1.0' }, -32600],
    ['a null id', { ...request, id: null }, -32600],
    ['a fractional id', { ...request, id: 1.5 }, -32600],
    ['an unsafe id', { ...request, id: 2 ** 53 }, -32600],
    ['an object id', { ...request, id: {} }, -32600],
    ['an empty id', { ...request, id: '' }, -32600],
    ['an endless id', { ...request, id: 'x'.repeat(JSONRPC_LIMITS.idChars + 1) }, -32600],
    ['a method that is no string', { ...request, method: 1 }, -32600],
    ['an empty method', { ...request, method: '' }, -32600],
    ['an endless method', { ...request, method: 'x'.repeat(JSONRPC_LIMITS.methodChars + 1) }, -32600],
    ['null params', { ...request, params: null }, -32600],
    ['text params', { ...request, params: 'x' }, -32600],
    [
      'result and error at once',
      { jsonrpc: '2.0', id: 1, result: 1, error: { code: 1, message: '' } },
      -32600,
    ],
    ['neither method nor result', { jsonrpc: '2.0', id: 1 }, -32600],
    ['a result without id', { jsonrpc: '2.0', result: 1 }, -32600],
    ['an error without code', { jsonrpc: '2.0', id: 1, error: { message: 'no' } }, -32600],
    ['an empty batch', [], -32600],
    [
      'a batch beyond the limit',
      Array.from({ length: JSONRPC_LIMITS.batchMessages + 1 }, () => request),
      -32011,
    ],
    ['a text', 'hello', -32600],
    ['null', null, -32600],
  ])('reads %s [C2A-06-02/data/json-rpc]', (_, frame, expected) => {
    expect(outcome(decode(JSON.stringify(frame)))).toBe(expected);
  });

  it.each([
    ['nothing', '', -32700],
    ['half an object', '{"jsonrpc":', -32700],
    ['NaN as id', '{"jsonrpc":"2.0","id":NaN,"method":"m"}', -32700],
    ['an infinite id', '{"jsonrpc":"2.0","id":1e999,"method":"m"}', -32600],
    ['a repeated member: the last counts', '{"jsonrpc":"2.0","method":"a","method":"b"}', 'notification'],
    ['a byte order mark in text', '\uFEFF{}', -32700],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22), -32700],
    ['an overlong encoding', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), -32700],
    ['nesting within the limit', nested(JSONRPC_LIMITS.depth - 1), 'notification'],
    ['nesting beyond the limit', nested(JSONRPC_LIMITS.depth), -32700],
    ['brackets inside a string', `{"jsonrpc":"2.0","method":"${'['.repeat(100)}"}`, 'notification'],
    ['brackets behind an escaped quote', `{"jsonrpc":"2.0","method":"\\"${'['.repeat(99)}"}`, 'notification'],
    ['very deep nesting', nested(200_000), -32700],
    ['nesting that never closes', '['.repeat(500_000), -32700],
    ['closing brackets first', ']'.repeat(100) + '['.repeat(1_000), -32700],
    ['too many bytes', new Uint8Array(JSONRPC_LIMITS.frameBytes + 1), -32011],
    ['too many characters', ' '.repeat(JSONRPC_LIMITS.frameBytes + 1), -32011],
    ['few characters of many bytes', `"${'€'.repeat(JSONRPC_LIMITS.frameBytes / 2)}"`, -32011],
  ])('survives %s [C2A-06-02/data/json-rpc]', (_, frame, expected) => {
    expect(outcome(decode(frame))).toBe(expected);
  });

  it('matches a request by one result or error with its id, never both, neither or two [C2A-06-02/data/request-has-result]', () => {
    const asked = only(encodeRequest('deliver-456', 'ping'));
    expect(asked).toEqual({ kind: 'request', id: 'deliver-456', method: 'ping' });
    const error = { code: -32603, message: 'no' };
    expect(only(encodeResult('deliver-456', 1))).toMatchObject({ id: 'deliver-456', ok: true });
    expect(only(encodeError('deliver-456', error))).toMatchObject({ id: 'deliver-456', ok: false });
    for (const answer of [{ result: 1, error }, {}, { result: 1, id: undefined }]) {
      const frame = { jsonrpc: '2.0', id: 'deliver-456', ...answer };
      expect(outcome(decode(JSON.stringify(frame)))).toBe(-32600);
    }
    expect(outcome(decode(JSON.stringify([request, request])))).toBe('request -32600');
  });

  it.each([
    ['an unknown method', { jsonrpc: '2.0', method: 'notifications/unheard-of' }],
    ['wrong params', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } }],
    ['no params', { jsonrpc: '2.0', method: 'notifications/progress' }],
    ['the method of a request', { jsonrpc: '2.0', method: 'chat/deliver', params: {} }],
  ])(
    'has nothing to answer a notification with, not even one with %s [C2A-06-02/data/notification-unanswered]',
    (_, frame) => {
      const { jsonrpc: _version, ...body } = frame;
      const read = { kind: 'notification', ...body };
      expect(decode(JSON.stringify(frame))).toEqual({
        ok: true,
        batch: false,
        messages: [read],
        refusals: [],
      });
      expect(decode(JSON.stringify([frame, request]))).toMatchObject({ messages: [read, {}], refusals: [] });
    },
  );

  it('answers under the id of the request it refuses [C2A-06-02/data/request-has-result]', () => {
    expect(decode('{"jsonrpc":"2.0","id":"a","method":1}')).toMatchObject({
      ok: false,
      refusal: { id: 'a' },
    });
  });

  it("never answers under a response's id, which numbers our own requests", () => {
    expect(decode('{"jsonrpc":"2.0","id":"a","error":1}')).toMatchObject({
      ok: false,
      refusal: { id: null },
    });
  });

  it('reads every refusal it makes as a response, so that two peers do not trade errors', () => {
    fc.assert(
      fc.property(fc.json(), (frame) => {
        const decoded = decode(frame);
        const refusals = decoded.ok ? decoded.refusals : [decoded.refusal];
        for (const { id, error } of refusals)
          expect(outcome(decode(encodeError(id, error)))).toBe('response');
      }),
    );
  });

  it('repairs half an emoji, written raw or escaped, and leaves whole ones alone', () => {
    const text = '{"jsonrpc":"2.0","method":"m","params":{"a":"\\ud83d","b":"\\ud83d\\ude00","c":"\ud83d"}}';
    expect(decode(text)).toMatchObject({ messages: [{ params: { a: '\ufffd', b: '😀', c: '\ufffd' } }] });
  });

  it('keeps __proto__ a plain member that changes no object', () => {
    const text = '{"jsonrpc":"2.0","method":"m","params":{"__proto__":{"admin":true},"x":"\\ud800"}}';
    const decoded = decode(text);
    const params =
      decoded.ok && decoded.messages[0]?.kind === 'notification' ? decoded.messages[0].params : undefined;
    expect(Object.keys(params ?? {})).toEqual(['__proto__', 'x']);
    expect(params).not.toHaveProperty('admin');
    expect({}).not.toHaveProperty('admin');
  });

  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(decode(bytes)).toHaveProperty('ok');
      }),
      { numRuns: cases(4_000, 40_000) },
    );
  });

  it('never throws on any text, halves of surrogate pairs included, bare or in a message', () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 });
    fc.assert(
      fc.property(units, (codes) => {
        const text = String.fromCharCode(...codes);
        expect(decode(text)).toHaveProperty('ok');
        const decoded = decode(`{"jsonrpc":"2.0","method":"m","params":[${JSON.stringify(text)}]}`);
        expect(decoded).toMatchObject({ ok: true, messages: [{ params: [text.toWellFormed()] }] });
      }),
      { numRuns: cases(3_000, 30_000) },
    );
  });

  it('never throws on any JSON value, nor on any JSON value in the place of a member', () => {
    const members = fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
        id: fc.jsonValue(),
        method: fc.oneof(fc.string(), fc.jsonValue()),
        params: fc.jsonValue(),
        result: fc.jsonValue(),
        error: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), members, fc.array(members)), (value) => {
        expect(decode(JSON.stringify(value))).toHaveProperty('ok');
      }),
      { numRuns: cases(3_000, 30_000) },
    );
  });
});

describe('encode and decode', () => {
  const id = fc.oneof(fc.maxSafeInteger(), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }));
  const method = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
  // Through JSON once, because -0 and the like are not JSON.
  const json = fc.json({ stringUnit: 'grapheme' }).map((text): unknown => JSON.parse(text));
  const params = fc.dictionary(fc.string({ unit: 'grapheme' }), json).map((value) => ({ ...value }));

  it('give back a request and a notification [C2A-06-02/data/json-rpc]', () => {
    fc.assert(
      fc.property(id, method, params, (i, m, p) => {
        expect(only(encodeRequest(i, m, p))).toEqual({
          kind: 'request',
          id: i === 0 ? 0 : i,
          method: m,
          params: p,
        });
        expect(only(encodeNotification(m, p))).toEqual({ kind: 'notification', method: m, params: p });
        expect(only(encodeNotification(m))).toEqual({ kind: 'notification', method: m });
      }),
    );
  });

  it('give back a result and an error [C2A-06-02/data/json-rpc]', () => {
    fc.assert(
      fc.property(
        id,
        json,
        fc.maxSafeInteger(),
        fc.string({ unit: 'grapheme' }),
        (i, result, code, message) => {
          expect(only(encodeResult(i, result))).toEqual({ kind: 'response', id: i, ok: true, result });
          const error = { code, message, data: result };
          expect(only(encodeError(i, error))).toEqual({ kind: 'response', id: i, ok: false, error });
        },
      ),
    );
  });

  it('write a notification without id [C2A-06-02/data/notification-unanswered]', () => {
    expect(encodeNotification('m')).toBe('{"jsonrpc":"2.0","method":"m"}');
  });

  it('put every message on one line', () => {
    expect(encodeNotification('m', { text: 'a\nb' })).not.toContain('\n');
  });

  it('answer with null when there is nothing to say', () => {
    expect(encodeResult(1, undefined)).toBe('{"jsonrpc":"2.0","id":1,"result":null}');
  });
});
