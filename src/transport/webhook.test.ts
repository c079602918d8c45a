import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../runtime/clock.ts';
import { seededRandom } from '../runtime/random.ts';
import { retryAfterMs } from './http-response.ts';
import { postWebhook, type WebhookOutcome, WEBHOOK_LIMITS } from './webhook.ts';
import {
  secretProblem,
  signWebhook,
  verifyWebhook,
  WEBHOOK_TOLERANCE_MS,
  webhookSecret,
} from './webhook-signature.ts';

const SECRET = webhookSecret(seededRandom(1));
const OTHER = webhookSecret(seededRandom(2));
const AT = 1_780_000_000_000;

describe('a signature', () => {
  it('is the one that the reference implementation makes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uuid(), fc.nat(2e9), (body, id, seconds) => {
        const ours = signWebhook(SECRET, { id, atMs: seconds * 1_000 + 999, body })['webhook-signature'];
        expect(ours).toBe(new Webhook(SECRET).sign(id, new Date(seconds * 1_000), body));
      }),
    );
  });

  it('is the one of the published example', () => {
    const { 'webhook-signature': signature } = signWebhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      atMs: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    });
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('verifies under any of several secrets, so that one can be replaced', () => {
    const headers = signWebhook([OTHER, SECRET], { id: 'e1', atMs: AT, body: '{}' });
    expect(verifyWebhook(SECRET, { ...headers }, '{}', AT)).toEqual({ ok: true, id: 'e1', atMs: AT });
    expect(
      verifyWebhook([webhookSecret(seededRandom(3)), OTHER], { ...headers }, Buffer.from('{}'), AT).ok,
    ).toBe(true);
  });

  it.each([
    ['another body', {}, '{ }', AT, 'wrong_signature'],
    ['another id', { 'webhook-id': 'e2' }, '{}', AT, 'wrong_signature'],
    ['another time', { 'webhook-timestamp': String(AT / 1_000 + 1) }, '{}', AT, 'wrong_signature'],
    ['another version', { 'webhook-signature': 'v2,AAAA' }, '{}', AT, 'wrong_signature'],
    ['a short signature', { 'webhook-signature': 'v1,AAAA' }, '{}', AT, 'wrong_signature'],
    ['no signature', { 'webhook-signature': undefined }, '{}', AT, 'missing_header'],
    ['a time that is none', { 'webhook-timestamp': 'soon' }, '{}', AT, 'bad_timestamp'],
    ['an old one', {}, '{}', AT + WEBHOOK_TOLERANCE_MS + 1_000, 'too_old'],
    ['one from the future', {}, '{}', AT - WEBHOOK_TOLERANCE_MS - 1_000, 'too_new'],
  ])('is refused for %s', (_, change, body, nowMs, problem) => {
    const headers = { ...signWebhook(SECRET, { id: 'e1', atMs: AT, body: '{}' }), ...change };
    expect(verifyWebhook(SECRET, headers, body, nowMs)).toEqual({ ok: false, problem });
  });

  it('holds for any headers and any body without a throw', () => {
    const headers = fc.record({
      'webhook-id': fc.option(fc.string(), { nil: undefined }),
      'webhook-timestamp': fc.oneof(fc.string(), fc.constant(String(AT / 1_000))),
      'webhook-signature': fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.base64String().map((text) => `v1,${text}`),
      ),
    });
    fc.assert(
      fc.property(headers, fc.uint8Array(), (some, body) => {
        expect(verifyWebhook(SECRET, some, body, AT).ok).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });

  it('needs a secret that is one', () => {
    expect(secretProblem(SECRET)).toBeUndefined();
    for (const wrong of ['', 'whsec_', 'whsec_!!', 'whsec_QUJD', SECRET.slice(6)]) {
      expect(secretProblem(wrong)).toEqual(expect.any(String));
    }
  });
});

const post = (answer: typeof fetch, more: { url?: string; secret?: string } = {}): Promise<WebhookOutcome> =>
  postWebhook({
    url: 'https://agent.example/hook',
    secret: SECRET,
    id: 'e1',
    body: '{}',
    clock: new VirtualClock(AT),
    fetch: answer,
    ...more,
  });
const answering =
  (status: number, headers: Record<string, string> = {}, body: string | null = null): typeof fetch =>
  () =>
    Promise.resolve(new Response(body, { status, headers }));
const failing =
  (code: string): typeof fetch =>
  () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) }));

const hanging: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });

describe('a post', () => {
  it('is signed, is JSON and follows no redirect', async () => {
    let seen: RequestInit | undefined;
    const outcome = await post((_, init) => {
      seen = init;
      return Promise.resolve(new Response('{"ok":true}', { status: 202 }));
    });
    expect(outcome).toEqual({ kind: 'delivered', status: 202, body: '{"ok":true}' });
    expect(seen).toMatchObject({ method: 'POST', redirect: 'manual', body: '{}' });
    const headers = new Headers(seen?.headers);
    expect(headers.get('content-type')).toBe('application/json');
    expect(verifyWebhook(SECRET, Object.fromEntries(headers), '{}', AT).ok).toBe(true);
  });

  it.each([
    [408, {}, { kind: 'retry', afterMs: undefined }],
    [425, {}, { kind: 'retry' }],
    [429, { 'retry-after': '7' }, { kind: 'retry', afterMs: 7_000 }],
    [500, {}, { kind: 'retry' }],
    [503, { 'retry-after': new Date(AT + 5_000).toUTCString() }, { kind: 'retry', afterMs: 5_000 }],
    [302, { location: 'http://10.0.0.1/' }, { kind: 'refused', gone: false }],
    [400, {}, { kind: 'refused', gone: false }],
    [404, {}, { kind: 'refused', gone: false }],
    [410, {}, { kind: 'refused', gone: true }],
  ])('answered %i with %j is %j', async (status, headers, outcome) => {
    expect(await post(answering(status, headers))).toMatchObject(outcome);
  });

  it.each([
    ['ECONNREFUSED', 'retry'],
    ['ENOTFOUND', 'retry'],
    ['UND_ERR_CONNECT_TIMEOUT', 'retry'],
    ['CERT_HAS_EXPIRED', 'retry'],
    ['ECONNRESET', 'unknown'],
    ['UND_ERR_SOCKET', 'unknown'],
    ['EPIPE', 'unknown'],
  ])('that fails with %s is %s', async (code, kind) => {
    expect((await post(failing(code))).kind).toBe(kind);
  });

  it('without an answer in time is unknown: it may have been taken', async () => {
    const clock = new VirtualClock(AT);
    const outcome = postWebhook({
      url: 'http://a.example',
      secret: SECRET,
      id: 'e',
      body: '',
      clock,
      fetch: hanging,
    });
    clock.advance(WEBHOOK_LIMITS.timeoutMs);
    expect((await outcome).kind).toBe('unknown');
    expect(clock.pending()).toBe(0);
  });

  it('is delivered even when the answer is too large to read', async () => {
    const large = 'x'.repeat(WEBHOOK_LIMITS.answerBytes + 1);
    expect(await post(answering(200, {}, large))).toEqual({
      kind: 'delivered',
      status: 200,
      body: undefined,
    });
  });

  it('goes to http and https only, and only with a secret', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://a.example', 'a.example', 'javascript:1']) {
      expect((await post(answering(200), { url })).kind).toBe('refused');
    }
    expect((await post(answering(200), { secret: 'whsec_short' })).kind).toBe('refused');
  });
});

it.each([
  [null, undefined],
  ['0', 0],
  ['120', 120_000],
  ['999999999', 3_600_000],
  ['-1', undefined],
  ['soon', undefined],
  [new Date(AT - 9_000).toUTCString(), 0],
])('Retry-After %j is %j ms', (header, ms) => {
  expect(retryAfterMs(header, AT)).toBe(ms);
});
