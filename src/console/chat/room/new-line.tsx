// Where the unread messages of a conversation begin: a line above the first one, and a way to it while it is off the
// screen.
import { type ReactNode, useEffect, useState } from 'react';
import { useChatState } from '../context.tsx';

/** The first message that was unread when the conversation was opened, or the first one since nobody looks. */
export function useNewFrom(conversation: string): string | undefined {
  const first = useChatState().conversations.get(conversation)?.firstUnread;
  const [from, setFrom] = useState(first);
  // Reading takes the mark away at the host. The line stays until there is a new first one.
  useEffect(() => {
    if (first !== undefined) setFrom(first);
  }, [first]);
  return from;
}

export function NewLine(): ReactNode {
  return (
    <p className="new-line" role="separator" aria-label="New messages">
      <span>New</span>
    </p>
  );
}

interface ToFirstUnreadProps {
  /** The first unread message is above the screen, or not loaded. */
  above: boolean;
  go: () => void;
}

/** Once it has been used or seen, it does not come back for the same messages. */
export function ToFirstUnread({ above, go }: ToFirstUnreadProps): ReactNode {
  const [used, setUsed] = useState(false);
  if (!above || used) return null;
  return (
    <div className="first-unread">
      <button
        type="button"
        onClick={() => {
          setUsed(true);
          go();
        }}
      >
        Jump to first unread ↑
      </button>
      <button type="button" aria-label="Stay here" title="Stay here" onClick={() => setUsed(true)}>
        ✕
      </button>
    </div>
  );
}
