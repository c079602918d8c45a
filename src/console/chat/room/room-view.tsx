// One channel or direct message: its header, its messages, who is typing, and the field to write in.
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { listedNames } from '../../../protocol/listed-names.ts';
import type { WebConversation, WebMessage } from '../../../protocol/web-chat.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/note.tsx';
import { MessageComposer } from '../composer/composer.tsx';
import type { MessageDraft } from '../composer/draft.ts';
import { useDropped } from '../composer/use-dropped.ts';
import { useChatClient, useChatState, useTrays } from '../context.tsx';
import { Guide } from '../guide/guide.tsx';
import type { GuideControl } from '../guide/use-guide.ts';
import { CHAT_ICONS } from '../icons.tsx';
import type { OnWhy } from '../page.tsx';
import { lastOwnIn } from '../state/state.ts';
import { Decisions } from './decisions.tsx';
import { MessageList } from './message-list.tsx';
import { RoomSettings } from './room-settings.tsx';
import { TypingLine } from './typing-line.tsx';

interface RoomViewProps {
  conversation: string;
  /** The message to go to; empty when there is none. */
  goal: string;
  draft: MessageDraft;
  setDraft: (draft: MessageDraft) => void;
  openThread: (eventId: string) => void;
  list: { open: boolean; toggle: () => void };
  guide: GuideControl | undefined;
  /** Shows another room, because this one is gone. */
  leave: () => void;
  onWhy: OnWhy;
}

export function RoomView({
  conversation: id,
  goal,
  draft,
  setDraft,
  openThread,
  list,
  guide,
  leave,
  onWhy,
}: RoomViewProps): ReactNode {
  const client = useChatClient();
  const trays = useTrays();
  const state = useChatState();
  const conversation = state.conversations.get(id);
  const isDm = conversation?.kind === 'dm';
  const title = conversation === undefined ? id : isDm ? conversation.title : `#${conversation.title}`;
  const verbs = useMemo(
    () => ({
      reply: (message: WebMessage) =>
        setDraft({ text: draft.editing === undefined ? draft.text : '', replyTo: message }),
      edit: (message: WebMessage) => setDraft({ text: message.text, editing: message }),
      thread: isDm ? undefined : openThread,
    }),
    [setDraft, draft, openThread, isDm],
  );
  const lastOwn = useCallback(() => lastOwnIn(client.state(), id), [client, id]);
  const unread = unreadIn(state.conversations);
  useEffect(() => {
    document.title = `${unread === 0 ? '' : `(${unread}) `}${title} · Earshot`;
    return () => void (document.title = 'Earshot');
  }, [title, unread]);
  const dropped = useDropped((files) => trays.add(id, files));
  const nothing = <NothingYet title={title} isDm={isDm} />;
  const messages = (
    <MessageList conversation={id} label={`Messages of ${title}`} verbs={verbs} empty={nothing} goal={goal} />
  );
  return (
    <section className="room" aria-label={title} data-drop={dropped.over ? '' : undefined} {...dropped.on}>
      <header className="room-head">
        <button
          type="button"
          className="tool list-button"
          aria-label="Conversations"
          aria-expanded={list.open}
          onClick={list.toggle}
          onKeyDown={({ key }) => {
            if (key === 'Escape' && list.open) list.toggle();
          }}
        >
          {CHAT_ICONS.list}
        </button>
        <h1>{title}</h1>
        <p className="dim small">
          {isDm ? 'Only the two of you read this' : stateOf(conversation, state.agents)}
        </p>
        <RoomSettings conversation={id} title={title} leave={leave} operator={onWhy !== undefined} />
        {guide !== undefined && (
          <Button
            small
            tone={guide.open ? 'quiet' : 'plain'}
            aria-expanded={guide.open}
            onClick={guide.toggle}
          >
            {CHAT_ICONS.guide} Guide
          </Button>
        )}
      </header>
      <div className="room-body" onPointerDown={list.open ? list.toggle : undefined}>
        {guide?.open === true && (
          <Guide
            guide={guide}
            conversation={id}
            fill={(text) => setDraft({ text })}
            operator={onWhy !== undefined}
          />
        )}
        {onWhy === undefined ? (
          messages
        ) : (
          <Decisions conversation={id} onWhy={onWhy}>
            {messages}
          </Decisions>
        )}
        <Announcer conversation={id} />
        <TypingLine conversation={id} />
        {conversation === undefined ? (
          <Elsewhere id={id} leave={leave} />
        ) : conversation.closed === undefined ? (
          <MessageComposer
            conversation={id}
            placeholder={`Write to ${title}`}
            draft={draft}
            setDraft={setDraft}
            lastOwn={lastOwn}
            autoFocus={window.matchMedia('(pointer: fine)').matches}
          />
        ) : (
          <p className="note room-closed">
            This channel is archived. It can be brought back in its settings.
          </p>
        )}
      </div>
    </section>
  );
}

/** Over all channels and direct messages, for the title of the tab. */
function unreadIn(conversations: ReadonlyMap<string, WebConversation>): number {
  return [...conversations.values()].reduce((sum, { unread = 0 }) => sum + unread, 0);
}

function NothingYet({ title, isDm }: { title: string; isDm: boolean }): ReactNode {
  return (
    <Empty title={isDm ? `You and ${title}` : `${title} is empty`} icon={CHAT_ICONS.thread}>
      <p>
        {isDm
          ? 'Only the two of you read this. An agent answers here without an @.'
          : 'Say something. With @ you choose who is meant: only they must answer, the others stay quiet.'}
      </p>
    </Empty>
  );
}

/** The address names a room that is gone, or that this person may not see. */
function Elsewhere({ id, leave }: { id: string; leave: () => void }): ReactNode {
  const { rooms } = useChatState();
  if (rooms.get(id)?.problem === undefined) return null;
  return (
    <p className="note room-closed">
      <span className="grow">It was deleted, or it is not for you to see.</span>
      <Button small onClick={leave}>
        Show another room
      </Button>
    </p>
  );
}

function stateOf(
  conversation: WebConversation | undefined,
  agents: ReadonlyMap<string, { name: string; connected: boolean }>,
): string {
  if (conversation === undefined) return '';
  if (conversation.closed !== undefined) return 'Archived: read only';
  const here = conversation.agents.flatMap((id) => agents.get(id) ?? []);
  if (here.length === 0) return 'No agents listen here';
  const away = here.filter(({ connected }) => !connected).length;
  const names = here.length > 4 ? `${here.length} agents` : listedNames(here.map(({ name }) => name));
  return `${names} ${here.length === 1 ? 'listens' : 'listen'} here${away === 0 ? '' : `, ${away} not connected`}`;
}

/** Reads the newest message of somebody else to people who use a screen reader. */
function Announcer({ conversation }: { conversation: string }): ReactNode {
  const { rooms, me } = useChatState();
  const room = rooms.get(conversation);
  const last = room?.opened === true ? room.held.at(-1)?.message : undefined;
  const known = useRef<string | undefined>(undefined);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (last === undefined || last.eventId === known.current) return;
    // Messages that were there when the conversation was opened are not announced.
    const first = known.current === undefined;
    known.current = last.eventId;
    if (!first && last.author.id !== me?.id) setSaid(`${last.author.name}: ${last.text}`);
  }, [last, me]);
  return (
    <p className="hidden" aria-live="polite">
      {said}
    </p>
  );
}
