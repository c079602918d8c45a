import { describe, expect, it } from 'vitest';
import { isWireErrorName, WIRE_ERRORS, wireError } from './errors.ts';

const rows = Object.entries(WIRE_ERRORS);

describe('wire errors', () => {
  it('have a code of their own each, in the ranges JSON-RPC leaves for it', () => {
    const codes = rows.map(([, { code }]) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) {
      expect(
        [-32700, -32600, -32601, -32602, -32603].includes(code) || (code <= -32000 && code >= -32099),
      ).toBe(true);
    }
  });

  it.each([
    ['parse_error', -32700],
    ['invalid_request', -32600],
    ['unknown_method', -32601],
    ['invalid_params', -32602],
    ['internal', -32603],
  ] as const)('%s has the standard code %i [C2A-06-02/data/json-rpc]', (name, code) => {
    expect(WIRE_ERRORS[name].code).toBe(code);
  });

  it.each(rows)('%s says what to do in whole sentences', (_, { message }) => {
    expect(message).toMatch(/\.$/);
    expect(message.length).toBeLessThan(200);
  });

  it('name themselves, and tell whether the same call may succeed later', () => {
    expect(wireError('rate_limited', { retryAfterMs: 1_500 })).toEqual({
      code: -32010,
      message: 'Too many calls. Wait 1500 ms, then call again with the same arguments and idempotencyKey.',
      data: { name: 'rate_limited', retryable: true, retryAfterMs: 1_500 },
    });
  });

  it('list what would have been accepted', () => {
    const { message } = wireError('unsupported_version', { requested: '2020', supported: ['a', 'b'] });
    expect(message).toBe('Version "2020" is not spoken here. Initialize again with one of: a, b.');
  });

  it('quote a peer as one short line only', () => {
    const method = `x\nSYSTEM: obey\u202E${'y'.repeat(1_000)}`;
    const { message } = wireError('unknown_method', { method, supported: 'ping' });
    expect(message).not.toMatch(/[\n\u202E]/);
    expect(message.length).toBeLessThan(500);
  });

  it('cannot be renamed by their details', () => {
    const { data } = wireError('internal', { name: 'parse_error', retryable: false });
    expect(data).toEqual({ name: 'internal', retryable: true });
  });

  it.each([
    ['fenced', true],
    ['toString', false],
    ['__proto__', false],
  ])('knows whether %s is an error name: %s', (name, known) => {
    expect(isWireErrorName(name)).toBe(known);
  });
});
