// Whether a request comes from GitHub: an HMAC over the raw bytes. There is no time in it, so an old request may come
// again; it then has the ids of the first one and is a repeat. Node's own crypto compares in constant time, which is all
// that @octokit/webhooks-methods would add.
// https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
import { createHmac } from 'node:crypto';
import { isSameSignature, type Signed } from '../signature.ts';

/** Undefined: it is from GitHub. Otherwise why not. */
export function signatureProblem(
  secret: string,
  { headers, body }: Signed,
): 'unsigned' | 'bad_signature' | undefined {
  const given = headers['x-hub-signature-256'];
  if (given === undefined) return 'unsigned';
  return isSameSignature(sign(secret, body), given) ? undefined : 'bad_signature';
}

export function sign(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
