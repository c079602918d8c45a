// The files of a message. A picture has a small view here and a large one on a click; every other file is fetched when
// somebody asks for it, and saved. None is ever opened as a page of ours.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { WebFile } from '../../../protocol/web-chat.ts';
import { sizeWords } from '../composer/size-words.ts';
import { useChatClient } from '../context.tsx';
import { usePicture } from './use-picture.ts';

interface MessageFilesProps {
  eventId: string;
  files: readonly WebFile[];
  tabIndex: number;
  attempt: (act: Promise<unknown>) => void;
}

const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export function MessageFiles({ eventId, files, tabIndex, attempt }: MessageFilesProps): ReactNode {
  const client = useChatClient();
  const save = async ({ id, name }: WebFile): Promise<void> => {
    const bytes = await client.fileBytes(eventId, id);
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <ul className="message-files" aria-label="files">
      {files.map((file) => (
        <li key={file.id}>
          {PICTURES.has(file.contentType ?? '') ? (
            <Picture eventId={eventId} file={file} tabIndex={tabIndex} save={() => attempt(save(file))} />
          ) : (
            <SaveButton file={file} tabIndex={tabIndex} save={() => attempt(save(file))} />
          )}
        </li>
      ))}
    </ul>
  );
}

interface OneFile {
  file: WebFile;
  tabIndex: number;
  save: () => void;
}

function SaveButton({ file: { name, bytes }, tabIndex, save }: OneFile): ReactNode {
  return (
    <button type="button" className="file-save" tabIndex={tabIndex} onClick={save}>
      {name}
      <span className="dim"> {sizeWords(bytes)}</span>
    </button>
  );
}

/** The small view has one size for all, so that rows keep their height when pictures come. */
function Picture({ eventId, file, tabIndex, save }: OneFile & { eventId: string }): ReactNode {
  const { url, failed } = usePicture(eventId, file.id);
  const [large, setLarge] = useState(false);
  if (failed) return <SaveButton file={file} tabIndex={tabIndex} save={save} />;
  return (
    <>
      <button
        type="button"
        className="picture"
        tabIndex={tabIndex}
        aria-label={`Show ${file.name}`}
        title={`${file.name}, ${sizeWords(file.bytes)}`}
        onClick={() => setLarge(true)}
      >
        {url !== undefined && <img src={url} alt="" />}
      </button>
      {large && url !== undefined && (
        <LargePicture name={file.name} url={url} save={save} close={() => setLarge(false)} />
      )}
    </>
  );
}

interface LargePictureProps {
  name: string;
  url: string;
  save: () => void;
  close: () => void;
}

function LargePicture({ name, url, save, close }: LargePictureProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog large-picture" aria-label={name} onClose={close}>
      <div className="row">
        <h2>{name}</h2>
        <button type="button" className="button" onClick={save}>
          Save
        </button>
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </div>
      <img src={url} alt={name} />
    </dialog>
  );
}
