// The bytes of files in messages, over HTTP beside the tab's connection. The browser loads no picture by itself, because it
// has no token.
import { ChatRefusal } from './refusal.ts';

export async function fetchFile(token: string, eventId: string, id: string): Promise<Blob> {
  const path = [eventId, id].map(encodeURIComponent).join('/');
  const answer = await fetch(`/v1/web/files/${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new ChatRefusal('not_found', 'This file is not there any more.');
  return answer.blob();
}
