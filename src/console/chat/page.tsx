// The chat's frame: the list of conversations, the open one, and beside it a thread. The address names them, so that
// they can be linked to and survive a reload.
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useFilters } from '../route.ts';
import { Waiting } from '../ui/note.tsx';
import { useDrafts } from './composer/draft.ts';
import { useChatState } from './context.tsx';
import { useGuide } from './guide/use-guide.ts';
import { RoomView } from './room/room-view.tsx';
import { ThreadPanel } from './room/thread-panel.tsx';
import { Sidebar } from './side/sidebar.tsx';
import type { ChatState } from './state/state.ts';
import { PersonSignIn } from './who/sign-in.tsx';

export type OnWhy = ((eventId: string, agent?: string) => void) | undefined;

export function ChatPage({ onWhy }: { onWhy: OnWhy }): ReactNode {
  const state = useChatState();
  const [{ room: wanted, thread }, go] = useFilters(['room', 'thread']);
  const [listed, setListed] = useState(false);
  const drafts = useDrafts();
  const room = wanted === '' ? firstRoom(state) : wanted;
  const guide = useGuide(room ?? '');
  const open = useCallback(
    (conversation: string) => {
      const known = state.conversations.get(conversation);
      if (known?.kind === 'thread' && known.parentId !== undefined)
        go({ room: known.parentId, thread: known.id });
      else go({ room: conversation, thread: '' });
      setListed(false);
    },
    [state.conversations, go],
  );
  const openThread = useCallback((eventId: string) => go({ thread: eventId }), [go]);
  const closeThread = useCallback(() => go({ thread: '' }), [go]);
  const showList = useMemo(() => ({ open: listed, toggle: () => setListed((is) => !is) }), [listed]);

  useKeepUnsent(state.sends.length > 0);

  if (state.status === 'refused')
    return <PersonSignIn operator={onWhy !== undefined} problem={state.problem} />;
  if (state.me === undefined || room === undefined) {
    return (
      <section className="chat" aria-label="Chat">
        <NotConnected />
        <Waiting what="the chat" />
      </section>
    );
  }
  return (
    <section
      className="chat"
      aria-label="Chat"
      data-list={listed ? '' : undefined}
      data-thread={thread === '' ? undefined : ''}
    >
      <NotConnected />
      <div className="chat-columns">
        <Sidebar room={room} open={open} operator={onWhy !== undefined} close={() => setListed(false)} />
        <RoomView
          key={room}
          conversation={room}
          draft={drafts.of(room)}
          setDraft={(draft) => drafts.set(room, draft)}
          openThread={openThread}
          list={showList}
          guide={guide}
          onWhy={onWhy}
        />
        {thread !== '' && (
          <ThreadPanel
            key={thread}
            conversation={thread}
            draft={drafts.of(thread)}
            setDraft={(draft) => drafts.set(thread, draft)}
            close={closeThread}
            onWhy={onWhy}
          />
        )}
      </div>
    </section>
  );
}

/** Unsent messages are lost when the tab closes, so the browser asks first. */
function useKeepUnsent(unsent: boolean): void {
  useEffect(() => {
    if (!unsent) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsent]);
}

/** The conversation shown first: a channel called general, or the one with the newest message. */
function firstRoom({ conversations }: ChatState): string | undefined {
  const rooms = [...conversations.values()].filter(({ kind }) => kind === 'channel');
  return (rooms.find(({ id }) => id === 'general') ?? rooms[0] ?? conversations.values().next().value)?.id;
}

/** Shown over the chat while there is no connection. */
function NotConnected(): ReactNode {
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
