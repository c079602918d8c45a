// Uploads a file over HTTP, with its progress. A request of the older kind, because only that tells how much has gone out.
import type { WebFile } from '../../../protocol/web-chat.ts';
import { ChatRefusal } from '../wire/refusal.ts';

/** Resolves once the host has the whole file. `progress` is told the share that has gone out. */
export function uploadFile(
  token: string,
  file: Blob,
  name: string,
  options: { progress: (share: number) => void; signal: AbortSignal },
): Promise<WebFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/v1/web/files?name=${encodeURIComponent(name)}`);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      options.progress(total === 0 ? 0 : loaded / total),
    );
    request.addEventListener('load', () => {
      const answer = request.response as { file?: WebFile; error?: { message: string } } | null;
      if (answer?.file !== undefined) resolve(answer.file);
      else reject(new ChatRefusal('unknown', answer?.error?.message ?? 'The host did not take it.'));
    });
    const lost = (): void => reject(new ChatRefusal('unknown', 'The connection was lost. Try again.'));
    request.addEventListener('error', lost);
    request.addEventListener('abort', lost);
    options.signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

export function forgetUpload(token: string, id: string): void {
  const headers = { authorization: `Bearer ${token}` };
  // It goes by itself after a while.
  fetch(`/v1/web/files/${encodeURIComponent(id)}`, { method: 'DELETE', headers }).catch(() => undefined);
}
