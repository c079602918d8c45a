// The files that go with the next message, above the field: each with its progress and a button that takes it out.
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { CHAT_ICONS } from '../icons.tsx';
import { sizeWords } from './size-words.ts';
import type { Tray, TrayFile } from './tray.ts';
import { Problem } from '../../ui/problem.tsx';

interface TrayListProps {
  tray: Tray;
  remove: (key: number) => void;
  again: (key: number) => void;
}

export function TrayList({ tray: { files, problem }, remove, again }: TrayListProps): ReactNode {
  if (files.length === 0 && problem === undefined) return null;
  return (
    <div className="tray">
      <Problem words={problem} small />
      <ul aria-label="files to send">
        {files.map((file) => (
          <li key={file.key} data-failed={file.problem === undefined ? undefined : ''}>
            {file.preview !== undefined && <img src={file.preview} alt="" />}
            <span className="tray-name">{file.name}</span>
            <span className="dim small tray-state">{stateOf(file)}</span>
            {file.problem !== undefined && (
              <Button small onClick={() => again(file.key)}>
                Try again
              </Button>
            )}
            <button
              type="button"
              className="tool"
              aria-label={`Remove ${file.name}`}
              onClick={() => remove(file.key)}
            >
              {CHAT_ICONS.close}
            </button>
            {file.uploaded === undefined && file.problem === undefined && (
              <progress max={1} value={file.progress} aria-label={`upload of ${file.name}`} />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function stateOf({ problem, bytes }: TrayFile): string {
  return problem ?? sizeWords(bytes);
}
