// Shows that the agent is at work, for as long as a turn runs: a sign that is repeated, because platforms let it fade.
import type { Cancel } from '../runtime/clock.ts';
import type { TurnConversation } from './event.ts';
import type { AgentDeps } from './agent-deps.ts';

export function showTyping(
  { clock, limits, session, typing }: AgentDeps,
  { id, threadId }: TurnConversation,
): () => void {
  if (!typing) return () => undefined;
  const tell = (on: boolean): void =>
    session.notify('notifications/typing', {
      conversation: { id, ...(threadId === undefined ? {} : { threadId }) },
      author: { id: session.agent, kind: 'agent' },
      typing: on,
    });
  let cancel: Cancel | undefined;
  const again = (): void => {
    tell(true);
    cancel = clock.after(limits.typingEveryMs, again);
  };
  again();
  return () => {
    cancel?.();
    tell(false);
  };
}
