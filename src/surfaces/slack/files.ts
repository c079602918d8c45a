// The bytes of a file, by its id. Slack tells where they are; the token goes to Slack's own hosts only, wherever that
// address points.
import type { AttachmentOutcome, AttachmentRequest } from '../surface.ts';
import type { SlackApi } from './api.ts';

interface FileInfo {
  file?: { url_private?: string; url_private_download?: string; mimetype?: string; size?: number };
}

export interface FileDeps {
  api: SlackApi;
  token: string;
  /** For another address of the API than Slack's own. */
  apiUrl: string | undefined;
}

export async function readFile(
  { api, token, apiUrl }: FileDeps,
  { attachment, maxBytes, signal }: AttachmentRequest,
): Promise<AttachmentOutcome> {
  const called = await api.call<FileInfo>('files.info', { file: attachment.id });
  if (!called.ok) {
    const { failure } = called;
    return failure.type === 'refused'
      ? { type: 'refused', error: failure.error }
      : { type: 'retry', error: failure.error };
  }
  const { url_private_download, url_private, mimetype, size } = called.value.file ?? {};
  if ((size ?? 0) > maxBytes) return { type: 'too_large' };
  const url = URL.parse(url_private_download ?? url_private ?? '');
  if (url === null || !isSlack(url, apiUrl))
    return { type: 'refused', error: 'the file is kept outside of Slack' };
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'manual',
    signal,
  });
  if (response.status >= 500 || response.status === 429)
    return { type: 'retry', error: `Slack answered with HTTP ${response.status}` };
  if (!response.ok)
    return {
      type: 'refused',
      error: `Slack does not hand it out: HTTP ${response.status}, is files:read granted?`,
    };
  const bytes = await bytesOf(response, maxBytes);
  if (bytes === undefined) return { type: 'too_large' };
  const contentType = response.headers.get('content-type') ?? mimetype ?? 'application/octet-stream';
  // A page where a file should be is Slack's way to ask for a login.
  if (contentType.startsWith('text/html') && mimetype !== 'text/html')
    return { type: 'refused', error: 'Slack asks for a login: the app lacks the scope files:read' };
  return { type: 'bytes', bytes, contentType };
}

/** Whether an address that Slack gave is Slack's own. */
export function isSlack(url: URL, apiUrl: string | undefined): boolean {
  if (apiUrl !== undefined && url.origin === new URL(apiUrl).origin) return true;
  return (
    url.protocol === 'https:' && /(?:^|\.)(?:slack\.com|slack-files\.com|slack-gov\.com)$/.test(url.hostname)
  );
}

/** Undefined: there are more than may be read. */
async function bytesOf(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += (part as Uint8Array).length;
    if (length > maxBytes) return undefined;
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts);
}
