// One message: author, time, text, what it answers, what became of it, and its actions.
import { memo, type ReactNode, useCallback, useState } from 'react';
import type { WebAgent, WebMessage } from '../../../protocol/web-chat.ts';
import type { Signal } from '../../../protocol/vocabulary.ts';
import { ChatTime } from '../chat-time.tsx';
import { useChatClient } from '../context.tsx';
import { CHAT_ICONS } from '../icons.tsx';
import { Face } from '../../ui/face.tsx';
import { chatWords } from '../wire/refusal.ts';
import { Chips } from './chips.tsx';
import { MessageActions, type MessageVerbs } from './message-actions.tsx';
import { MessageFiles } from './message-files.tsx';
import { MessageText } from './message-text.tsx';
import { Question } from './question.tsx';
import { Reactions } from './reactions.tsx';
import { OwnWhy, States } from './states.tsx';
import { Problem } from '../../ui/problem.tsx';

export interface MessageProps {
  message: WebMessage;
  me: string | undefined;
  agents: ReadonlyMap<string, WebAgent>;
  /** True when the same author wrote the message above it shortly before. */
  follows: boolean;
  /** True while an agent still writes it. Then there is nothing to do with it yet. */
  growing?: boolean;
  /** True for the newest message of the conversation. */
  newest: boolean;
  /** True in an archived channel, and in its threads. */
  archived: boolean;
  /** True for the message that the arrow keys are at. Its buttons are in the tab order. */
  current: boolean;
  verbs: MessageVerbs;
}

/** A screen reader reads the label when a message is focused. The text itself follows. */
const LABEL_CHARS = 500;

export const Message = memo(function Message(props: MessageProps): ReactNode {
  const { message, me, agents, follows, growing = false, newest, archived, current, verbs } = props;
  const { eventId, author, text, at, editedAt, deleted, replyTo, mentions, files, thread, question } =
    message;
  const isNotice = message.notice === true;
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
      data-growing={growing ? '' : undefined}
      data-notice={isNotice ? '' : undefined}
      aria-busy={growing ? true : undefined}
      tabIndex={tabIndex}
      aria-label={
        growing
          ? `${author.name} is writing`
          : `${isNotice ? `Earshot, about ${author.name}` : author.name}: ${deleted === true ? 'deleted' : text.slice(0, LABEL_CHARS)}`
      }
    >
      <div className="message-side">
        {isNotice ? (
          <span className="notice-mark" title={`Earshot says this about ${author.name}`}>
            {CHAT_ICONS.notice}
          </span>
        ) : follows ? (
          <ChatTime at={at} short />
        ) : (
          <Face author={author} />
        )}
      </div>
      <div className="message-main">
        {!follows && !isNotice && (
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
        ) : text === '' && files !== undefined ? null : (
          <MessageText
            text={text}
            mentions={mentions}
            agents={agents}
            me={me}
            edited={editedAt !== undefined}
            tabIndex={tabIndex}
            growing={growing}
          />
        )}
        {deleted !== true && files !== undefined && (
          <MessageFiles eventId={eventId} files={files} tabIndex={tabIndex} attempt={attempt} />
        )}
        {deleted !== true && <Reactions message={message} me={me} toggle={toggle} tabIndex={tabIndex} />}
        <States message={message} agents={agents} />
        {question !== undefined && <Question eventId={eventId} question={question} tabIndex={tabIndex} />}
        <OwnWhy why={message.why} newest={newest} archived={archived} />
        {!growing && !isNotice && <Chips eventId={eventId} called={agentsIn(mentions)} tabIndex={tabIndex} />}
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
        <Problem words={problem} small />
      </div>
      {deleted !== true && !growing && (
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

function agentsIn(mentions: WebMessage['mentions']): string[] {
  return mentions.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
}
