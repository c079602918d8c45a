// A message on its way. It is visible at once. If it was refused, it shows why and a button to send it again.
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { useChatClient, useChatState } from '../context.tsx';
import { Face } from '../../ui/face.tsx';
import type { Send } from '../state/sends.ts';
import { MessageText } from './message-text.tsx';

/** The host resolves mentions when it takes the message. */
const NOBODY: readonly [] = [];

export function PendingSend({ send: { key, text, problem, files } }: { send: Send }): ReactNode {
  const client = useChatClient();
  const { me, status, agents } = useChatState();
  const failed = problem !== undefined;
  return (
    <article className="message" data-pending={failed ? 'failed' : 'sending'} aria-label={`You: ${text}`}>
      <div className="message-side">{me !== undefined && <Face author={{ ...me, kind: 'human' }} />}</div>
      <div className="message-main">
        <header className="message-head">
          <strong>{me?.name ?? 'You'}</strong>
          <span className="dim small">
            {failed ? 'not sent' : status === 'live' ? 'sending…' : 'waits for the host'}
          </span>
        </header>
        <MessageText text={text} mentions={NOBODY} agents={agents} me={me?.id} edited={false} />
        {files !== undefined && <p className="small dim">with {files.map(({ name }) => name).join(', ')}</p>}
        {failed && (
          <div className="note small" data-tone="error" role="alert">
            <span>Not sent. {problem}</span>
            <Button small onClick={() => client.resend(key)}>
              Try again
            </Button>
            <Button small tone="quiet" onClick={() => client.discard(key)}>
              Discard
            </Button>
          </div>
        )}
      </div>
    </article>
  );
}
