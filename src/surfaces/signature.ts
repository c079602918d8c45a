// What the signatures of platforms have in common: an HMAC over the raw bytes of a request, compared in constant time.
import { timingSafeEqual } from 'node:crypto';

export interface Signed {
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array;
}

export function isSameSignature(wanted: string, given: string): boolean {
  const [one, other] = [Buffer.from(wanted), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
