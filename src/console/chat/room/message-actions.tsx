// The actions on a message: signal, reply, thread, and edit and delete for the person's own. Visible under the pointer
// and on focus.
import { type ReactNode, useCallback, useRef, useState } from 'react';
import type { WebMessage } from '../../../protocol/web-chat.ts';
import { Button } from '../../ui/button.tsx';
import { CHAT_ICONS } from '../icons.tsx';
import { useChatClient } from '../context.tsx';
import { CopyLink } from './copy-link.tsx';
import { Palette, type Toggle } from './reactions.tsx';

export interface MessageVerbs {
  reply: (message: WebMessage) => void;
  edit: (message: WebMessage) => void;
  /** Scrolls to the message with this id, if it is loaded. */
  goTo: (eventId: string) => void;
  /** Missing where threads are not possible. */
  thread?: ((eventId: string) => void) | undefined;
}

interface MessageActionsProps {
  message: WebMessage;
  me: string | undefined;
  tabIndex: number;
  verbs: MessageVerbs;
  toggle: Toggle;
  attempt: (act: Promise<unknown>) => void;
}

export function MessageActions({
  message,
  me,
  tabIndex,
  verbs,
  toggle,
  attempt,
}: MessageActionsProps): ReactNode {
  const client = useChatClient();
  const [open, setOpen] = useState<'palette' | 'delete'>();
  const opener = useRef<HTMLButtonElement>(null);
  const mine = message.author.kind === 'human' && message.author.id === me;
  const close = useCallback(() => {
    setOpen(undefined);
    opener.current?.focus();
  }, []);
  if (open === 'delete') {
    return (
      <div className="message-actions" data-open="" role="group" aria-label="Delete this message?">
        <span className="small">Delete it?</span>
        <Button small tone="danger" autoFocus onClick={() => attempt(client.remove(message.eventId))}>
          Delete
        </Button>
        <Button small onClick={() => setOpen(undefined)}>
          Keep
        </Button>
      </div>
    );
  }
  return (
    <div
      className="message-actions"
      data-open={open === undefined ? undefined : ''}
      role="group"
      aria-label="Actions"
    >
      <button
        ref={opener}
        type="button"
        className="tool"
        tabIndex={tabIndex}
        title="Signal"
        aria-label="Give a signal"
        aria-haspopup="menu"
        aria-expanded={open === 'palette'}
        onClick={() => setOpen(open === undefined ? 'palette' : undefined)}
      >
        {CHAT_ICONS.signal}
      </button>
      <button
        type="button"
        className="tool"
        tabIndex={tabIndex}
        title="Reply"
        aria-label="Reply"
        onClick={() => verbs.reply(message)}
      >
        {CHAT_ICONS.reply}
      </button>
      {verbs.thread !== undefined && (
        <button
          type="button"
          className="tool"
          tabIndex={tabIndex}
          title="Thread"
          aria-label="Open a thread"
          onClick={() => verbs.thread?.(message.eventId)}
        >
          {CHAT_ICONS.thread}
        </button>
      )}
      <CopyLink message={message} tabIndex={tabIndex} />
      {mine && (
        <>
          <button
            type="button"
            className="tool"
            tabIndex={tabIndex}
            title="Edit"
            aria-label="Edit"
            onClick={() => verbs.edit(message)}
          >
            {CHAT_ICONS.edit}
          </button>
          <button
            type="button"
            className="tool"
            tabIndex={tabIndex}
            title="Delete"
            aria-label="Delete"
            onClick={() => setOpen('delete')}
          >
            {CHAT_ICONS.trash}
          </button>
        </>
      )}
      {open === 'palette' && <Palette message={message} me={me} toggle={toggle} close={close} />}
    </div>
  );
}
