// The archived channels, folded away at the end of the list.
import type { ReactNode } from 'react';
import type { WebConversation } from '../../../protocol/web-chat.ts';

interface ArchivedProps {
  channels: readonly WebConversation[];
  room: string;
  open: (conversation: string) => void;
}

export function Archived({ channels, room, open }: ArchivedProps): ReactNode {
  if (channels.length === 0) return null;
  return (
    <details className="side-section side-archived">
      <summary className="dim small">Archived ({channels.length})</summary>
      <ul>
        {channels.map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              className="side-entry"
              aria-current={id === room ? 'true' : undefined}
              onClick={() => open(id)}
            >
              <span className="side-mark" aria-hidden="true">
                #
              </span>
              <span className="side-name">{title}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
