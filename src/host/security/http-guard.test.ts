import { describe, expect, it } from 'vitest';
import { bearerOf, checkListen, checkRequest, isLoopback } from './http-guard.ts';

const allowed = { allowedHosts: ['Chat.example.com'] };

describe('Host and Origin', () => {
  it.each([
    ['localhost:7575', undefined],
    ['LOCALHOST', undefined],
    ['localhost.:7575', undefined],
    ['127.0.0.1:7575', 'http://127.0.0.1:7575'],
    ['127.8.9.1', undefined],
    ['[::1]:7575', 'http://[::1]:7575'],
    ['localhost:7575', 'http://localhost:7575'],
    ['localhost', 'http://localhost'],
    ['localhost:80', 'http://localhost'],
    ['chat.example.com', 'https://chat.example.com'],
    ['chat.example.com:443', 'https://chat.example.com'],
  ])('lets through Host %j with Origin %j', (host, origin) => {
    expect(checkRequest({ host, origin }, allowed)).toEqual({ ok: true });
  });
  it.each([
    // a name of the attacker's that points at 127.0.0.1
    ['evil.example:7575', 'http://evil.example:7575', 421],
    ['localhost.evil.example', undefined, 421],
    ['127.0.0.1.evil.example', undefined, 421],
    ['0.0.0.0:7575', undefined, 421],
    ['10.0.0.1', undefined, 421],
    ['console.example.com', undefined, 421],
    // what a URL parser would read as localhost
    ['evil@localhost', undefined, 400],
    ['localhost/evil', undefined, 400],
    ['localhost#', undefined, 400],
    ['localhost:7575, evil.example', undefined, 400],
    ['', undefined, 400],
    [undefined, undefined, 400],
    // pages of others
    ['localhost:7575', 'http://localhost:3000', 403],
    ['chat.example.com', 'https://console.example.com', 403],
    ['localhost:7575', 'http://127.0.0.1:7575', 403],
    ['localhost:7575', 'https://evil.example', 403],
    ['localhost:7575', 'null', 403],
    ['localhost:7575', '', 403],
    ['localhost:7575', 'http://localhost:7575@evil.example', 403],
    ['localhost:7575', 'http://localhost:7575.evil.example', 403],
    ['localhost:7575', 'file://localhost:7575', 403],
  ])('refuses Host %j with Origin %j: %i', (host, origin, status) => {
    const answer = checkRequest({ host, origin }, allowed);
    expect(answer).toMatchObject({ ok: false, status });
    // What a stranger wrote is not repeated.
    expect(JSON.stringify(answer)).not.toContain('evil');
  });
});

describe('where to listen', () => {
  it.each(['127.0.0.1', 'localhost', '::1', '127.0.0.2'])('%s needs no token', (host) => {
    expect(checkListen({ host, tokensExist: false })).toEqual({ ok: true, wide: false });
  });
  it.each(['0.0.0.0', '::', '192.168.1.4', 'example.com', ''])('%j is refused without one', (host) => {
    expect(checkListen({ host, tokensExist: false })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/no token.*earshot token create.*127\.0\.0\.1/),
    });
    expect(checkListen({ host, tokensExist: true })).toEqual({ ok: true, wide: true });
  });
  it('knows loopback from what looks like it', () => {
    expect(
      ['127.0.0.1.nip.io', '1270.0.0.1', '127.1', '::ffff:127.0.0.1', '128.0.0.1'].filter(isLoopback),
    ).toEqual([]);
  });
});

describe('the bearer token', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer   a-b_c.d~e+f/g== ', 'a-b_c.d~e+f/g=='],
    ['Basic abc', undefined],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    ['Bearer a,b', undefined],
    [`Bearer ${'a'.repeat(300)}`, undefined],
    [['Bearer a', 'Bearer b'], undefined],
    [undefined, undefined],
  ])('of %j is %j', (authorization, token) => {
    expect(bearerOf({ authorization })).toBe(token);
  });
});
