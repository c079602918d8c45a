// A response's body as text, up to a limit: what is longer is neither read on nor kept.

export type CappedRead = { ok: true; text: string } | { ok: false; problem: 'too_large' | 'broke_off' };

export async function readCapped(response: Response, limitBytes: number): Promise<CappedRead> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      // Leaving the loop cancels the stream, and with it the connection.
      if (bytes > limitBytes) return { ok: false, problem: 'too_large' };
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Error) return { ok: false, problem: 'broke_off' };
    throw error;
  }
  return { ok: true, text: new TextDecoder().decode(Buffer.concat(chunks)) };
}
