// The files of a message. One is fetched when somebody asks for it, and saved; it is never opened as a page of ours.
import type { ReactNode } from 'react';
import type { WebMessage } from '../../../protocol/web-chat.ts';
import { useChatClient } from '../context.tsx';

interface MessageFilesProps {
  eventId: string;
  files: NonNullable<WebMessage['files']>;
  tabIndex: number;
  attempt: (act: Promise<unknown>) => void;
}

export function MessageFiles({ eventId, files, tabIndex, attempt }: MessageFilesProps): ReactNode {
  const client = useChatClient();
  const save = async (id: string): Promise<void> => {
    const { name, base64 } = await client.file(eventId, id);
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <ul className="message-files" aria-label="files">
      {files.map(({ id, name, bytes }) => (
        <li key={id}>
          <button type="button" tabIndex={tabIndex} onClick={() => attempt(save(id))}>
            {name}
            <span className="dim"> {sizeOf(bytes)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1_024)} KiB`;
}
