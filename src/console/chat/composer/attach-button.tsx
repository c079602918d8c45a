// The button that chooses files. It says how many and how large they may be before anything is sent.
import { type ReactNode, useRef } from 'react';
import { CHAT_ICONS } from '../icons.tsx';
import { FILE_BYTES, FILES_MAX } from '../limits.ts';
import { sizeWords } from './size-words.ts';

interface AttachButtonProps {
  disabled: boolean;
  choose: (files: readonly File[]) => void;
}

export function AttachButton({ disabled, choose }: AttachButtonProps): ReactNode {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-hidden="true"
        tabIndex={-1}
        onChange={({ target }) => {
          choose([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <button
        type="button"
        className="tool attach"
        aria-label="Attach files"
        title={`Attach files: at most ${FILES_MAX}, ${sizeWords(FILE_BYTES)} each. Or drop or paste them.`}
        disabled={disabled}
        onClick={() => chooser.current?.click()}
      >
        {CHAT_ICONS.attach}
      </button>
    </>
  );
}
