// Standard Webhooks signatures (standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`. A secret is `whsec_` plus
// base64. While a secret is being replaced, several sign at once and one match is enough. Verify the bytes as they
// came: a body that was parsed and written again has another signature.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../runtime/random.ts';

export const WEBHOOK_TOLERANCE_MS = 300_000;
const PREFIX = 'whsec_';
const SECRET_BYTES = { fewest: 24, most: 64, fresh: 32 };
/** More signatures than this in a header are not tried. No rotation needs more. */
const SIGNATURES_MAX = 16;

export interface WebhookHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}
export interface Signable {
  id: string;
  atMs: number;
  body: string | Uint8Array;
}
export type Verification =
  | { ok: true; id: string; atMs: number }
  | { ok: false; problem: 'missing_header' | 'bad_timestamp' | 'too_old' | 'too_new' | 'wrong_signature' };

export function signWebhook(
  secrets: string | readonly string[],
  { id, atMs, body }: Signable,
): WebhookHeaders {
  const timestamp = String(Math.floor(atMs / 1_000));
  const signatures = [secrets]
    .flat()
    .map((secret) => `v1,${mac(secret, id, timestamp, body).toString('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

export function verifyWebhook(
  secrets: string | readonly string[],
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string | Uint8Array,
  nowMs: number,
): Verification {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string' || id === '') {
    return { ok: false, problem: 'missing_header' };
  }
  if (!/^\d{1,12}$/.test(timestamp)) return { ok: false, problem: 'bad_timestamp' };
  const atMs = Number(timestamp) * 1_000;
  if (atMs < nowMs - WEBHOOK_TOLERANCE_MS) return { ok: false, problem: 'too_old' };
  if (atMs > nowMs + WEBHOOK_TOLERANCE_MS) return { ok: false, problem: 'too_new' };
  const offered = signature
    .split(' ', SIGNATURES_MAX)
    .filter((candidate) => candidate.startsWith('v1,'))
    .map((candidate) => Buffer.from(candidate.slice('v1,'.length), 'base64'));
  const matches = [secrets].flat().some((secret) => {
    const expected = mac(secret, id, timestamp, body);
    return offered.some((bytes) => bytes.length === expected.length && timingSafeEqual(bytes, expected));
  });
  return matches ? { ok: true, id, atMs } : { ok: false, problem: 'wrong_signature' };
}

export function webhookSecret(random: Random): string {
  const bytes = Buffer.from(random.secret(SECRET_BYTES.fresh), 'base64url');
  return `${PREFIX}${bytes.toString('base64')}`;
}

/** What is wrong with the secret, without quoting it. Undefined when it can sign. */
export function secretProblem(secret: string): string | undefined {
  if (!secret.startsWith(PREFIX)) return `a webhook secret begins with "${PREFIX}"`;
  const text = secret.slice(PREFIX.length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return `after "${PREFIX}" a webhook secret is base64`;
  const { length } = Buffer.from(text, 'base64');
  if (length >= SECRET_BYTES.fewest && length <= SECRET_BYTES.most) return undefined;
  return `a webhook secret holds ${SECRET_BYTES.fewest} to ${SECRET_BYTES.most} bytes, not ${length}`;
}

function mac(secret: string, id: string, timestamp: string, body: string | Uint8Array): Buffer {
  const problem = secretProblem(secret);
  if (problem !== undefined) throw new TypeError(problem);
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}
