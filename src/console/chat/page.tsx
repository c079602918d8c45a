// The chat's frame: the list of conversations, the open one, and beside it a thread. The address names them, so that
// they can be linked to and survive a reload.
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import type { WebFound } from '../../protocol/web-chat.ts';
import { useFilters } from '../route.ts';
import { Waiting } from '../ui/note.tsx';
import { useDrafts } from './composer/draft.ts';
import { chatUrl, useChatState, useTrays } from './context.tsx';
import { useGuide } from './guide/use-guide.ts';
import { useNotifications } from './notify/use-notifications.ts';
import { RoomView } from './room/room-view.tsx';
import { ThreadPanel } from './room/thread-panel.tsx';
import { Sidebar } from './side/sidebar.tsx';
import { SearchPanel } from './search/search-panel.tsx';
import { useSearchKeys } from './search/use-search-keys.ts';
import type { ChatState } from './state/state.ts';
import { AskName } from './who/name-form.tsx';
import { PersonSignIn } from './who/sign-in.tsx';
import { useBrowserPerson } from './who/use-browser-person.ts';

export type OnWhy = ((eventId: string, agent?: string) => void) | undefined;

export function ChatPage({ token, onWhy }: { token: string; onWhy: OnWhy }): ReactNode {
  const state = useChatState();
  const [{ room: wanted, thread, message }, go] = useFilters(['room', 'thread', 'message', 'why', 'by']);
  const [searching, setSearching] = useState(false);
  const [listed, setListed] = useState(false);
  const drafts = useDrafts();
  const room = wanted === '' ? firstRoom(state) : wanted;
  const guide = useGuide(room ?? '');
  const open = useCallback(
    (conversation: string) => {
      const known = state.conversations.get(conversation);
      if (known?.kind === 'thread' && known.parentId !== undefined)
        go({ room: known.parentId, thread: known.id, message: '', why: '', by: '' });
      else go({ room: conversation, thread: '', message: '' });
      setListed(false);
    },
    [state.conversations, go],
  );
  // A thread takes the place of the panel that says why.
  const openThread = useCallback(
    (eventId: string) => go({ thread: eventId, message: '', why: '', by: '' }),
    [go],
  );
  const closeThread = useCallback(() => go({ thread: '', message: '' }), [go]);
  const leave = useCallback(() => go({ room: '', thread: '', message: '' }), [go]);
  const showList = useMemo(() => ({ open: listed, toggle: () => setListed((is) => !is) }), [listed]);

  useSearchKeys(useCallback(() => setSearching(true), []));
  const showFound = useCallback(
    ({ eventId, conversation: { id, kind, parentId } }: WebFound) => {
      const inThread = kind === 'thread' && parentId !== undefined;
      go({ room: inThread ? parentId : id, thread: inThread ? id : '', message: eventId });
      setSearching(false);
      setListed(false);
    },
    [go],
  );

  useNotifications(go);
  useBrowserPerson(token, chatUrl());
  useKeepUnsent(state.sends.length > 0, useTrays().isFull);

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
      {searching && <SearchPanel room={room} show={showFound} close={() => setSearching(false)} />}
      <AskName />
      <div className="chat-columns">
        <Sidebar
          room={room}
          open={open}
          operator={onWhy !== undefined}
          close={() => setListed(false)}
          search={() => setSearching(true)}
        />
        <RoomView
          key={room}
          conversation={room}
          goal={thread === '' ? message : ''}
          draft={drafts.of(room)}
          setDraft={(draft) => drafts.set(room, draft)}
          openThread={openThread}
          list={showList}
          guide={guide}
          leave={leave}
          onWhy={onWhy}
        />
        {thread !== '' && (
          <ThreadPanel
            key={thread}
            conversation={thread}
            goal={message}
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

/** Unsent messages and files are lost when the tab closes, so the browser asks first. */
function useKeepUnsent(unsent: boolean, hasFiles: () => boolean): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (unsent || hasFiles()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsent, hasFiles]);
}

/** The conversation shown first: a channel called general, or the one with the newest message. */
function firstRoom({ conversations }: ChatState): string | undefined {
  const rooms = [...conversations.values()].filter(
    ({ kind, closed }) => kind === 'channel' && closed === undefined,
  );
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
