// The sidebar: the person's identity, channels, direct messages, threads, and everybody who is here. Choosing a person
// or an agent opens a direct message with them.
import { type ReactNode, useState } from 'react';
import type { WebConversation } from '../../../protocol/web-chat.ts';
import { useChatClient, useChatState } from '../context.tsx';
import { Face } from '../../ui/face.tsx';
import { CHAT_ICONS } from '../icons.tsx';
import { UNREAD_MAX } from '../limits.ts';
import { chatWords } from '../wire/refusal.ts';
import { Identity } from '../who/identity.tsx';
import { Invite } from '../who/invite.tsx';
import { Archived } from './archived.tsx';
import { NewChannel } from './new-channel.tsx';
import { Problem } from '../../ui/problem.tsx';

interface SidebarProps {
  room: string;
  open: (conversation: string) => void;
  operator: boolean;
  close: () => void;
  search: () => void;
}

/** Older threads are reached from their message. */
const THREADS_SHOWN = 8;

export function Sidebar({ room, open, operator, close, search }: SidebarProps): ReactNode {
  const client = useChatClient();
  const { me, mayInvite, people, agents, conversations } = useChatState();
  const [creating, setCreating] = useState(false);
  const [inviting, setInviting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const all = [...conversations.values()];
  const everyChannel = all
    .filter(({ kind }) => kind === 'channel')
    .toSorted((a, b) => a.title.localeCompare(b.title));
  const channels = everyChannel.filter(({ closed }) => closed === undefined);
  const archived = everyChannel.filter(({ closed }) => closed === 'archived');
  const dms = all.filter(({ kind, lastAt }) => kind === 'dm' && lastAt !== undefined).toSorted(newestFirst);
  const threads = all
    .filter(({ kind, lastAt }) => kind === 'thread' && lastAt !== undefined)
    .toSorted(newestFirst);
  const direct = (who: string): void => {
    setProblem(undefined);
    client.create({ kind: 'dm', with: who }).then(
      ({ id }) => open(id),
      (error: unknown) => setProblem(chatWords(error)),
    );
  };
  const others = [...people.values()].filter(({ id }) => id !== me?.id);
  return (
    <nav
      className="side"
      aria-label="Conversations"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      {me !== undefined && <Identity me={me} people={[...people.values()]} operator={operator} />}
      <button type="button" className="side-search" onClick={search}>
        {CHAT_ICONS.search} Search <kbd>Ctrl K</kbd>
      </button>
      <Problem words={problem} small />
      <Section
        title="Channels"
        tool={
          <button
            type="button"
            className="tool"
            aria-label="New channel"
            title="New channel"
            onClick={() => setCreating(true)}
          >
            {CHAT_ICONS.plus}
          </button>
        }
      >
        {channels.map((one) => (
          <Entry key={one.id} conversation={one} current={one.id === room} open={open} mark="#" />
        ))}
      </Section>
      {dms.length > 0 && (
        <Section title="Direct messages">
          {dms.map((one) => (
            <Entry key={one.id} conversation={one} current={one.id === room} open={open} mark="@" />
          ))}
        </Section>
      )}
      {threads.length > 0 && (
        <Section title="Threads">
          {threads.slice(0, THREADS_SHOWN).map((one) => (
            <Entry key={one.id} conversation={one} current={false} open={open} mark="↳" />
          ))}
        </Section>
      )}
      <Section title="Agents">
        {[...agents.values()].map(({ id, name, roles, connected }) => (
          <Member
            key={id}
            id={id}
            name={name}
            detail={roles.join(', ')}
            connected={connected}
            kind="agent"
            choose={() => direct(`agent:${id}`)}
          />
        ))}
      </Section>
      <Section
        title="People"
        tool={
          (operator || mayInvite) && (
            <button
              type="button"
              className="tool"
              aria-label="Invite somebody"
              title="Invite somebody"
              onClick={() => setInviting(true)}
            >
              {CHAT_ICONS.plus}
            </button>
          )
        }
      >
        {others.map(({ id, name, connected }) => (
          <Member
            key={id}
            id={id}
            name={name}
            detail=""
            connected={connected}
            kind="human"
            choose={() => direct(`human:${id}`)}
          />
        ))}
        {others.length === 0 && <li className="dim small side-none">Nobody else yet</li>}
      </Section>
      <Archived channels={archived} room={room} open={open} />
      {creating && <NewChannel done={open} close={() => setCreating(false)} />}
      {inviting && <Invite operator={operator} close={() => setInviting(false)} />}
    </nav>
  );
}

function newestFirst(a: WebConversation, b: WebConversation): number {
  return (b.lastAt ?? '').localeCompare(a.lastAt ?? '');
}

function Section({
  title,
  tool,
  children,
}: {
  title: string;
  tool?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="side-section" aria-label={title}>
      <div className="side-title">
        <h2>{title}</h2>
        {tool}
      </div>
      <ul>{children}</ul>
    </section>
  );
}

interface EntryProps {
  conversation: WebConversation;
  current: boolean;
  open: (conversation: string) => void;
  mark: string;
}

function Entry({ conversation, current, open, mark }: EntryProps): ReactNode {
  const { id, kind, title, unread = 0 } = conversation;
  // Everything in a direct message is for the person.
  const mentioned = kind === 'dm' ? unread : (conversation.mentioned ?? 0);
  return (
    <li>
      <button
        type="button"
        className="side-entry"
        aria-current={current ? 'true' : undefined}
        data-unread={unread > 0 ? '' : undefined}
        onClick={() => open(id)}
      >
        <span className="side-mark" aria-hidden="true">
          {mark}
        </span>
        <span className="side-name">{title}</span>
        {mentioned > 0 && kind !== 'dm' && (
          <span className="side-count" data-mention="">
            @{atMost(mentioned)}
            <span className="hidden"> {mentioned === 1 ? 'mentions' : 'mention'} you</span>
          </span>
        )}
        {unread > 0 && (
          <span className="side-count" data-mention={kind === 'dm' ? '' : undefined}>
            {atMost(unread)}
            <span className="hidden"> unread</span>
          </span>
        )}
      </button>
    </li>
  );
}

function atMost(count: number): string {
  return count >= UNREAD_MAX ? `${UNREAD_MAX - 1}+` : String(count);
}

interface MemberProps {
  id: string;
  name: string;
  detail: string;
  connected: boolean;
  kind: 'human' | 'agent';
  choose: () => void;
}

function Member({ id, name, detail, connected, kind, choose }: MemberProps): ReactNode {
  return (
    <li>
      <button type="button" className="side-entry" title={`Direct message to ${name}`} onClick={choose}>
        <Face author={{ id, kind, name }} connected={connected} size="small" />
        <span className="side-name">{name}</span>
        <span className="dim small">{detail}</span>
        <span className="hidden">{connected ? 'connected' : 'not connected'}</span>
      </button>
    </li>
  );
}
