// Shows above the field which message is being answered or edited, with a button to stop that.
import type { ReactNode } from 'react';
import { CHAT_ICONS } from '../icons.tsx';
import type { MessageDraft } from './draft.ts';

export function About({
  draft: { editing, replyTo },
  cancel,
}: {
  draft: MessageDraft;
  cancel: () => void;
}): ReactNode {
  const about = editing ?? replyTo;
  if (about === undefined) return null;
  return (
    <div className="about">
      <span>
        {editing === undefined ? (
          <>
            Reply to <b>{about.author.name}</b>: <span className="dim">{about.text}</span>
          </>
        ) : (
          <b>Change your message</b>
        )}
      </span>
      <button
        type="button"
        className="tool"
        aria-label={editing === undefined ? 'No reply' : 'Leave it as it was'}
        title="Esc"
        onClick={cancel}
      >
        {CHAT_ICONS.close}
      </button>
    </div>
  );
}
