// The bytes of a picture in a message as a data address. The page's policy loads pictures from nowhere else.
import { useEffect, useState } from 'react';
import { useChatClient } from '../context.tsx';
import { dataUrlOf } from '../data-url.ts';

/** Pictures kept for scrolling back. The oldest goes first. */
const KEPT = 40;
const kept = new Map<string, string>();

export function usePicture(eventId: string, id: string): { url: string | undefined; failed: boolean } {
  const client = useChatClient();
  const [url, setUrl] = useState(() => kept.get(id));
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (url !== undefined) return undefined;
    let current = true;
    const load = async (): Promise<void> => {
      const made = await dataUrlOf(await client.fileBytes(eventId, id));
      // The host says what the bytes are. What is no picture is only saved.
      if (!made.startsWith('data:image/')) throw new Error('no picture');
      kept.set(id, made);
      if (kept.size > KEPT) kept.delete(kept.keys().next().value ?? '');
      if (current) setUrl(made);
    };
    load().catch(() => current && setFailed(true));
    return () => {
      current = false;
    };
  }, [client, eventId, id, url]);
  return { url, failed };
}
