// One message: author, time, text, what it answers, what became of it, and its actions.
import { memo, type ReactNode, useCallback, useState } from 'react';
import type { WebAgent, WebMessage } from '../../../protocol/web-chat.ts';
import type { Signal } from '../../../protocol/vocabulary.ts';
import { ChatTime } from '../chat-time.tsx';
import { useChatClient } from '../context.tsx';
import { Face } from '../face.tsx';
import { chatWords } from '../wire/refusal.ts';
import { Chips } from './chips.tsx';
import { MessageActions, type MessageVerbs } from './message-actions.tsx';
import { MessageFiles } from './message-files.tsx';
import { MessageText } from './message-text.tsx';
import { Reactions } from './reactions.tsx';
import { States } from './states.tsx';

export interface MessageProps {
  message: WebMessage;
  me: string | undefined;
  agents: ReadonlyMap<string, WebAgent>;
  /** True when the same author wrote the message above it shortly before. */
  follows: boolean;
  /** True for the message that the arrow keys are at. Its buttons are in the tab order. */
  current: boolean;
  verbs: MessageVerbs;
}

export const Message = memo(function Message(props: MessageProps): ReactNode {
  const { message, me, agents, follows, current, verbs } = props;
  const { eventId, author, text, at, editedAt, deleted, replyTo, mentions, files, thread } = message;
  const client = useChatClient();
  const [problem, setProblem] = useState<string>();
  const mine = author.kind === 'human' && author.id === me;
  const tabIndex = current ? 0 : -1;
  const attempt = useCallback((act: Promise<unknown>) => {
    setProblem(undefined);
    act.catch((error: unknown) => setProblem(chatWords(error)));
  }, []);
  const toggle = useCallback(
    (signal: Signal, remove: boolean) => attempt(client.react(eventId, signal, remove)),
    [attempt, client, eventId],
  );
  return (
    <article
      className="message"
      data-follows={follows ? '' : undefined}
      data-event={eventId}
      data-mine={mine ? '' : undefined}
      tabIndex={tabIndex}
      aria-label={`${author.name}: ${deleted === true ? 'deleted' : text}`}
    >
      <div className="message-side">{follows ? <ChatTime at={at} short /> : <Face author={author} />}</div>
      <div className="message-main">
        {!follows && (
          <header className="message-head">
            <strong>{author.name}</strong>
            {author.kind !== 'human' && <span className="kind">{author.kind}</span>}
            <ChatTime at={at} />
          </header>
        )}
        {replyTo !== undefined && (
          <button
            type="button"
            className="quote"
            tabIndex={tabIndex}
            onClick={() => verbs.goTo(replyTo.eventId)}
          >
            <b>{replyTo.author?.name ?? 'a message'}</b>
            <span>{replyTo.excerpt ?? 'that is not here any more'}</span>
          </button>
        )}
        {deleted === true ? (
          <p className="message-text dim">
            <em>This message was deleted.</em>
          </p>
        ) : (
          <MessageText
            text={text}
            mentions={mentions}
            agents={agents}
            me={me}
            edited={editedAt !== undefined}
          />
        )}
        {deleted !== true && files !== undefined && (
          <MessageFiles eventId={eventId} files={files} tabIndex={tabIndex} attempt={attempt} />
        )}
        {deleted !== true && <Reactions message={message} me={me} toggle={toggle} tabIndex={tabIndex} />}
        <States message={message} agents={agents} />
        <Chips eventId={eventId} tabIndex={tabIndex} />
        {thread !== undefined && verbs.thread !== undefined && (
          <button
            type="button"
            className="thread-line"
            tabIndex={tabIndex}
            onClick={() => verbs.thread?.(eventId)}
          >
            {thread.replies === 1 ? '1 reply' : `${thread.replies} replies`}
            <span className="dim">
              {' '}
              in a thread, last <ChatTime at={thread.lastAt} />
            </span>
          </button>
        )}
        {problem !== undefined && (
          <p className="note small" data-tone="error" role="alert">
            {problem}
          </p>
        )}
      </div>
      {deleted !== true && (
        <MessageActions
          message={message}
          me={me}
          tabIndex={tabIndex}
          verbs={verbs}
          toggle={toggle}
          attempt={attempt}
        />
      )}
    </article>
  );
});
