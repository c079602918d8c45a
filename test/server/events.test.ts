// POST /v1/events: every family of answers, as a table.
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/store/store.ts';
import { delegate, fixture, message } from './fixture.ts';

interface Case {
  of: string;
  as?: 'dev' | 'other' | 'stranger' | 'lead' | 'operator';
  body: unknown;
  headers?: Record<string, string>;
  status: number;
  code?: string;
  says?: string;
}

const CASES: readonly Case[] = [
  { of: 'one event', as: 'dev', body: message('hi'), status: 202 },
  { of: 'a list', as: 'dev', body: [message('a'), message('b')], status: 202 },
  { of: '{events}', as: 'dev', body: { events: [message('a')] }, status: 202 },
  { of: 'typing', as: 'dev', body: { ...message(''), type: 'typing', text: undefined }, status: 202 },
  {
    of: 'membership',
    as: 'dev',
    body: { ...message(''), type: 'membership', text: undefined, membership: { humans: 2, complete: true } },
    status: 202,
  },
  {
    of: 'an operator with the scope missing',
    as: 'operator',
    body: message('hi'),
    status: 403,
    code: 'forbidden',
    says: 'events:write',
  },
  { of: 'no token', body: message('hi'), status: 401, code: 'unauthorized', says: 'earshot token create' },
  {
    of: 'a token that is none',
    body: message('hi'),
    headers: { authorization: 'Bearer nope' },
    status: 401,
    code: 'unauthorized',
  },
  { of: 'an agent’s token', as: 'lead', body: message('hi'), status: 403, code: 'forbidden' },
  {
    of: 'a source the host does not know',
    as: 'stranger',
    body: message('hi'),
    status: 409,
    code: 'unknown_source',
    says: 'host.sources',
  },
  {
    of: 'another source than its own',
    as: 'dev',
    body: message('hi'),
    headers: { 'earshot-source': 'other' },
    status: 403,
    code: 'forbidden',
  },
  {
    of: 'another platform than its own',
    as: 'other',
    body: message('hi'),
    status: 403,
    code: 'wrong_platform',
  },
  { of: 'no JSON', as: 'dev', body: '{"a":', status: 400, code: 'invalid_json' },
  { of: 'nothing', as: 'dev', body: '', status: 400, code: 'invalid_json', says: 'empty' },
  {
    of: 'another type',
    as: 'dev',
    body: 'hello',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    code: 'unsupported_media_type',
  },
  { of: 'an empty list', as: 'dev', body: [], status: 400, code: 'invalid_request' },
  {
    of: 'events that are no list',
    as: 'dev',
    body: { events: 3 },
    status: 400,
    code: 'invalid_request',
    says: 'events',
  },
  { of: 'null', as: 'dev', body: 'null', status: 400, code: 'invalid_event' },
  {
    of: 'an unknown field',
    as: 'dev',
    body: { ...message('x'), txet: 1 },
    status: 400,
    code: 'invalid_event',
    says: 'txet',
  },
  {
    of: 'a missing field',
    as: 'dev',
    body: { ...message('x'), author: undefined },
    status: 400,
    code: 'invalid_event',
    says: 'author',
  },
  {
    of: 'an unknown type',
    as: 'dev',
    body: { ...message('x'), type: 'shout' },
    status: 400,
    code: 'invalid_event',
    says: 'type',
  },
  {
    of: 'half a surrogate pair',
    as: 'dev',
    body: { ...message('x'), eventId: '\ud800' },
    status: 400,
    code: 'invalid_event',
    says: 'eventId',
  },
  {
    of: 'too many events',
    as: 'dev',
    body: Array.from({ length: 501 }, () => 1),
    status: 413,
    code: 'too_large',
    says: '500',
  },
  { of: 'too many bytes', as: 'dev', body: `"${'x'.repeat(1_100_000)}"`, status: 413, code: 'too_large' },
  {
    of: 'another host name',
    as: 'dev',
    body: message('x'),
    headers: { host: 'evil.example' },
    status: 421,
    code: 'forbidden',
    says: 'allowedHosts',
  },
  {
    of: 'a page of another origin',
    as: 'dev',
    body: message('x'),
    headers: { origin: 'https://evil.example' },
    status: 403,
    code: 'forbidden',
  },
];

describe('POST /v1/events', () => {
  it.each(CASES)('$of is answered $status', async ({ as, body, headers, status, code, says }) => {
    const { call } = await fixture();
    const answer = await call('POST', '/v1/events', as, body, headers);
    expect([answer.status, (answer.body['error'] as { code?: string } | undefined)?.code]).toEqual([
      status,
      code,
    ]);
    if (says !== undefined) expect(answer.text).toContain(says);
  });

  it('names the fields of each bad event', async () => {
    const { call } = await fixture();
    const { body } = await call('POST', '/v1/events', 'dev', {
      ...message('x'),
      at: 'soon',
      author: { id: '', kind: 'cat' },
    });
    const [row] = body['events'] as { error: { fields: { field: string }[] } }[];
    expect(row?.error.fields.map(({ field }) => field)).toEqual(['at', 'author.id', 'author.kind']);
  });

  it('answers 207 with a row per event, in order, when some are good', async () => {
    const { call } = await fixture();
    const first = message('one');
    const { status, body } = await call('POST', '/v1/events', 'dev', [
      first,
      { bad: true },
      first,
      message('two'),
    ]);
    expect(status).toBe(207);
    expect((body['events'] as { status: string }[]).map((row) => row.status)).toEqual([
      'accepted',
      'refused',
      'repeat',
      'accepted',
    ]);
  });

  it('answers 429 with Retry-After when a token sends too much [C2A-06-02/security/rate-limit-in]', async () => {
    const limit = { perMinute: 60, burst: 2, maxKeys: 10 };
    const { call, clock } = await fixture({ rateLimits: { inboundPerSurface: limit } });
    expect((await call('POST', '/v1/events', 'dev', [message('a'), message('b')])).status).toBe(202);
    const refused = await call('POST', '/v1/events', 'dev', message('c'));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    clock.advance(1_000);
    expect((await call('POST', '/v1/events', 'dev', message('c'))).status).toBe(202);
  });

  it('refuses an author’s flood alone: 207 beside others, 429 when nothing else is there [C2A-06-02/security/rate-limit-in]', async () => {
    const limit = { perMinute: 6, burst: 1, maxKeys: 10 };
    const { call } = await fixture({ rateLimits: { inboundPerAuthor: limit } });
    const bob = { author: { id: 'bob', kind: 'human' } };
    const mixed = await call('POST', '/v1/events', 'dev', [message('a'), message('b'), message('c', bob)]);
    expect(mixed.status).toBe(207);
    expect((mixed.body['events'] as { status: string }[]).map((row) => row.status)).toEqual([
      'accepted',
      'refused',
      'accepted',
    ]);
    const alone = await call('POST', '/v1/events', 'dev', message('d'));
    expect([alone.status, alone.headers['retry-after']]).toEqual([429, '10']);
  });

  it('answers 503 with Retry-After when the store is full', async () => {
    let full = false;
    const { call } = await fixture({
      wrapStore: (store) => ({
        ...delegate(store),
        transact: (unit) => (full ? Promise.reject(new StoreError('full', 'waiting')) : store.transact(unit)),
      }),
    });
    full = true;
    const answer = await call('POST', '/v1/events', 'dev', message('x'));
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(answer.body).toMatchObject({ error: { code: 'unavailable' } });
    full = false;
  });

  it('shows no secret of a message to anybody who looks', async () => {
    const { call } = await fixture();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const sent = message(`the key is ${secret}`);
    await call('POST', '/v1/events', 'dev', sent);
    for (const path of [
      '/v1/log',
      `/v1/why/${sent.eventId}`,
      '/v1/conversations',
      '/v1/deliveries?agent=lead',
    ]) {
      const { status, text } = await call('GET', path, 'operator');
      expect([path, status, text.includes(secret)]).toEqual([path, 200, false]);
    }
    expect((await call('GET', '/v1/log', 'operator')).text).toContain('the key is [redacted]');
  });
});
