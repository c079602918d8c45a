// Standard Webhooks: HMAC-SHA256 over "id.timestamp.body", with the base64 part of the secret as the key.
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_S = 300;

/** `body` are the bytes as they came: parsed and written again they are another body. */
export function isSigned(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!id || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_S)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
