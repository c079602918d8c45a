// A thread beside its channel, or over it on a narrow screen: the message it belongs to, the replies, a field.
import { type ReactNode, useCallback, useMemo } from 'react';
import type { WebMessage } from '../../../protocol/web-chat.ts';
import { Empty } from '../../ui/note.tsx';
import { MessageComposer } from '../composer/composer.tsx';
import type { MessageDraft } from '../composer/draft.ts';
import { useDropped } from '../composer/use-dropped.ts';
import { useChatClient, useChatState, useTrays } from '../context.tsx';
import { CHAT_ICONS } from '../icons.tsx';
import type { OnWhy } from '../page.tsx';
import { Decisions } from './decisions.tsx';
import { MessageList } from './message-list.tsx';
import { isArchived, lastOwnIn } from '../state/state.ts';
import { TypingLine } from './typing-line.tsx';

interface ThreadPanelProps {
  conversation: string;
  /** The message to go to; empty when there is none. */
  goal: string;
  draft: MessageDraft;
  setDraft: (draft: MessageDraft) => void;
  close: () => void;
  onWhy: OnWhy;
}

export function ThreadPanel({
  conversation: id,
  goal,
  draft,
  setDraft,
  close,
  onWhy,
}: ThreadPanelProps): ReactNode {
  const client = useChatClient();
  const trays = useTrays();
  const state = useChatState();
  const { conversations } = state;
  const parent = conversations.get(conversations.get(id)?.parentId ?? '');
  const verbs = useMemo(
    () => ({
      reply: (message: WebMessage) =>
        setDraft({ text: draft.editing === undefined ? draft.text : '', replyTo: message }),
      edit: (message: WebMessage) => setDraft({ text: message.text, editing: message }),
    }),
    [setDraft, draft],
  );
  const lastOwn = useCallback(() => lastOwnIn(client.state(), id), [client, id]);
  const dropped = useDropped((files) => trays.add(id, files));
  const nothing = <Empty title="No replies yet" />;
  const messages = (
    <MessageList conversation={id} label="Messages of the thread" verbs={verbs} empty={nothing} goal={goal} />
  );
  return (
    <section
      className="thread"
      aria-label="Thread"
      data-drop={dropped.over ? '' : undefined}
      {...dropped.on}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
    >
      <header className="room-head">
        <h2>Thread</h2>
        <p className="dim small">{parent === undefined ? '' : `in #${parent.title}`}</p>
        <button type="button" className="tool push" aria-label="Close the thread" title="Esc" onClick={close}>
          {CHAT_ICONS.close}
        </button>
      </header>
      {onWhy === undefined ? (
        messages
      ) : (
        <Decisions conversation={id} onWhy={onWhy}>
          {messages}
        </Decisions>
      )}
      <TypingLine conversation={id} />
      {isArchived(state, id) ? (
        <p className="note room-closed">The channel of this thread is archived.</p>
      ) : (
        <MessageComposer
          conversation={id}
          placeholder="Write in the thread"
          draft={draft}
          setDraft={setDraft}
          lastOwn={lastOwn}
          autoFocus
        />
      )}
    </section>
  );
}
