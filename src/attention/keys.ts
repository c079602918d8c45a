// Keys stand for people, agents and events in the state. A key has at most eight characters, eleven for our own agents,
// so a full state stays under 4 KB with any platform's ids. A short id is its own key; a long one becomes a hash.

const LONGEST = 8;
const LONGEST_AGENT = 11;

export function shortKey(id: string): string {
  const first = id.charCodeAt(0);
  // '@' marks our own agents and '#' a hash, so an id that starts with either is hashed too.
  if (id.length <= LONGEST && first !== 64 && first !== 35 && isPlain(id)) return id;
  return `#${digits(hash53(id))}`;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** 42 bits in seven characters: among the 100 ids of a conversation, two collide once in 10^9 conversations. */
function digits(hash: number): string {
  let written = '';
  for (let rest = hash; written.length < LONGEST - 1; rest = Math.floor(rest / 64)) {
    written += DIGITS[rest % 64];
  }
  return written;
}

/** The key of one of our agents, by its configured id. It never equals that of an account with the same name. */
export function agentKey(id: string): string {
  return id.length < LONGEST_AGENT ? `@${id}` : `@#${hash53(id).toString(36).slice(0, 9)}`;
}

/** Printable ASCII without space, quote and backslash. Each character is one byte in JSON; a space separates keys. */
function isPlain(id: string): boolean {
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    if (code < 33 || code > 126 || code === 34 || code === 92) return false;
  }
  return true;
}

/** cyrb53, which mixes two 32-bit lanes. Good enough for the few dozen ids of a conversation, not for security. */
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
