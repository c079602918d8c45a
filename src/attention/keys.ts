// Keys: how state refers to people, agents and events. At most eleven characters, so that a state of 32 speakers
// stays under 4 KB whatever ids a platform uses; short ids stay readable, long ones become a 53-bit hash.

const LONGEST = 11;

export function shortKey(id: string): string {
  const first = id.charCodeAt(0);
  // '@' marks our own agents and '#' a hash, so an id that starts with either is hashed too.
  if (id.length <= LONGEST && first !== 64 && first !== 35 && isPlain(id)) return id;
  return `#${hash53(id).toString(36)}`;
}

/** Our own agents, by their configured id: never confused with an account that has the same name. */
export function agentKey(id: string): string {
  return id.length < LONGEST ? `@${id}` : `@#${hash53(id).toString(36).slice(0, 9)}`;
}

/** Printable ASCII without quote and backslash: one byte a character in JSON. */
function isPlain(id: string): boolean {
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    if (code < 32 || code > 126 || code === 34 || code === 92) return false;
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
