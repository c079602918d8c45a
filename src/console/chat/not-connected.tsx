// Said over the chat while there is no connection: what is shown may be old, what is written will be sent.
import type { ReactNode } from 'react';
import { useChatState } from './context.tsx';

export function NotConnected(): ReactNode {
  const { status, me } = useChatState();
  if (status !== 'lost') return null;
  return (
    <p className="not-connected" role="alert">
      <b>Not connected.</b>{' '}
      {me === undefined
        ? 'The host does not answer; this goes on by itself.'
        : 'What you write is kept and sent when the host is back.'}
    </p>
  );
}
