// Reads what an HTTP response says, within bounds: its body up to a limit, its Retry-After header. Shared by everything
// that calls fetch. A body over the limit is neither read to its end nor kept.

export type CappedRead = { ok: true; text: string } | { ok: false; problem: 'too_large' | 'broke_off' };

export async function readCapped(response: Response, limitBytes: number): Promise<CappedRead> {
  try {
    const bytes = await readBytes(response, limitBytes);
    if (bytes === undefined) return { ok: false, problem: 'too_large' };
    return { ok: true, text: new TextDecoder().decode(bytes) };
  } catch (error) {
    if (error instanceof Error) return { ok: false, problem: 'broke_off' };
    throw error;
  }
}

/** Undefined when the body is larger than the limit. Throws when the connection breaks off. */
export async function readBytes(response: Response, limitBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the stream, and with it the connection.
    if (bytes > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A server may put us off for an hour at most. */
const LONGEST_MS = 3_600_000;

/** The header is a number of seconds or a date. Anything else counts as absent. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : dateMs(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_MS);
}

/** Date.parse alone would take "-1" for a year. */
function dateMs(text: string): number {
  return text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
}
