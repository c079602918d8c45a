// Keys: how state refers to people, agents and events. At most eight characters (eleven for our own agents), so that
// a full state stays under 4 KB whatever ids a platform uses; short ids stay readable, long ones become a hash.

const LONGEST = 8;
const LONGEST_AGENT = 11;

export function shortKey(id: string): string {
  const first = id.charCodeAt(0);
  // '@' marks our own agents and '#' a hash, so an id that starts with either is hashed too.
  if (id.length <= LONGEST && first !== 64 && first !== 35 && isPlain(id)) return id;
  return `#${digits(hash53(id))}`;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** 42 bits in seven characters: among 100 ids of one conversation two are the same once in 10^9. */
function digits(hash: number): string {
  let written = '';
  for (let rest = hash; written.length < LONGEST - 1; rest = Math.floor(rest / 64)) {
    written += DIGITS[rest % 64];
  }
  return written;
}

/** Our own agents, by their configured id: never confused with an account that has the same name. */
export function agentKey(id: string): string {
  return id.length < LONGEST_AGENT ? `@${id}` : `@#${hash53(id).toString(36).slice(0, 9)}`;
}

/** Printable ASCII without space, quote and backslash: one byte a character in JSON, and stored between spaces. */
function isPlain(id: string): boolean {
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    if (code < 33 || code > 126 || code === 34 || code === 92) return false;
  }
  return true;
}

/** cyrb53: two 32-bit lanes mixed; plenty for the few dozen ids of one conversation, not for security. */
function hash53(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
