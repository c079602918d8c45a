// The type of a picture, from its first bytes. Only these four are ever shown by a browser inside a page. An SVG is a
// program and is never one of them.

const SIGNATURES: readonly (readonly [type: string, bytes: string, at?: number])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'WEBP', 8],
];

export function rasterTypeOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const found = SIGNATURES.find(([, sign, at = 0]) => head.startsWith(sign, at));
  return found?.[0] === 'image/webp' && !head.startsWith('RIFF') ? undefined : found?.[0];
}
