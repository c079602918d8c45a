// A thread beside its channel, or over it on a narrow screen: the message it belongs to, the replies, a field.
import { type ReactNode, useCallback, useMemo } from 'react';
import type { WebMessage } from '../../../protocol/web-chat.ts';
import { Empty } from '../../ui/note.tsx';
import { MessageComposer } from '../composer/composer.tsx';
import type { MessageDraft } from '../composer/draft.ts';
import { useChatClient, useChatState } from '../context.tsx';
import { CHAT_ICONS } from '../icons.tsx';
import type { OnWhy } from '../page.tsx';
import { Decisions } from './decisions.tsx';
import { MessageList } from './message-list.tsx';
import { lastOwnIn } from '../state/state.ts';
import { TypingLine } from './typing-line.tsx';

interface ThreadPanelProps {
  conversation: string;
  draft: MessageDraft;
  setDraft: (draft: MessageDraft) => void;
  close: () => void;
  onWhy: OnWhy;
}

export function ThreadPanel({
  conversation: id,
  draft,
  setDraft,
  close,
  onWhy,
}: ThreadPanelProps): ReactNode {
  const client = useChatClient();
  const { conversations } = useChatState();
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
  const nothing = <Empty title="No replies yet" />;
  const messages = (
    <MessageList conversation={id} label="Messages of the thread" verbs={verbs} empty={nothing} />
  );
  return (
    <section
      className="thread"
      aria-label="Thread"
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
      <MessageComposer
        conversation={id}
        placeholder="Write in the thread"
        draft={draft}
        setDraft={setDraft}
        lastOwn={lastOwn}
        autoFocus
      />
    </section>
  );
}
