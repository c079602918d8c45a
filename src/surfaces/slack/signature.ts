// Whether a request comes from Slack: a signature over the time and the raw bytes, at most five minutes old.
// https://docs.slack.dev/authentication/verifying-requests-from-slack
import { createHmac } from 'node:crypto';
import { isSameSignature, type Signed } from '../signature.ts';

export const SIGNATURE_AGE_MS = 5 * 60_000;

/** Undefined: it is from Slack. Otherwise why not. */
export function signatureProblem(
  secret: string,
  { headers, body }: Signed,
  now: number,
): 'unsigned' | 'stale' | 'bad_signature' | undefined {
  const at = headers['x-slack-request-timestamp'];
  const given = headers['x-slack-signature'];
  if (at === undefined || given === undefined || !/^\d{1,12}$/.test(at)) return 'unsigned';
  if (Math.abs(now - Number(at) * 1_000) > SIGNATURE_AGE_MS) return 'stale';
  return isSameSignature(sign(secret, at, body), given) ? undefined : 'bad_signature';
}

export function sign(secret: string, at: string, body: Uint8Array): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${at}:`).update(body).digest('hex')}`;
}
