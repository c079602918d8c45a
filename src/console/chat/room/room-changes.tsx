// Renames, archives, brings back and deletes a channel.
import type { ReactNode } from 'react';
import type { WebConversation } from '../../../protocol/web-chat.ts';
import { useClient } from '../../api/context.tsx';
import { Action } from '../../ui/button.tsx';
import { useChatClient } from '../context.tsx';
import { WEB_NAME_CHARS } from '../limits.ts';
import { OneLineForm } from '../one-line-form.tsx';

interface RoomChangesProps {
  channel: WebConversation;
  /** The channel is gone: another one is shown. */
  leave: () => void;
  operator: boolean;
}

/** Everybody begins here, so it stays. */
const FIRST_CHANNEL = 'general';

export function RoomChanges({ channel, leave, operator }: RoomChangesProps): ReactNode {
  const client = useChatClient();
  const { id: conversation, title, closed } = channel;
  return (
    <>
      <OneLineForm
        key={title}
        label="Name of the channel"
        first={title}
        act={() => 'Rename'}
        maxLength={WEB_NAME_CHARS}
        ready={(name) => name !== '' && name !== title}
        run={(name) => client.change({ act: 'rename', conversation, name })}
      />
      {conversation !== FIRST_CHANNEL && (
        <section className="stack-close" aria-label="Archive">
          <p className="dim small">
            {closed === undefined
              ? 'An archived channel can be read, is not in the list, and agents are not asked there. Anybody can bring it back.'
              : 'This channel is archived.'}
          </p>
          <div className="row">
            <Action
              act={() => client.change({ act: closed === undefined ? 'archive' : 'restore', conversation })}
            >
              {closed === undefined ? 'Archive it' : 'Bring it back'}
            </Action>
          </div>
        </section>
      )}
      {channel.mayDelete === true ? (
        <Delete
          title={title}
          leave={leave}
          remove={(name) => client.change({ act: 'delete', conversation, name })}
        />
      ) : (
        operator && conversation !== FIRST_CHANNEL && <DeleteAsOperator channel={channel} leave={leave} />
      )}
    </>
  );
}

/** Operators delete over HTTP what others have made. */
function DeleteAsOperator({ channel: { id, title }, leave }: Omit<RoomChangesProps, 'operator'>): ReactNode {
  const client = useClient();
  const path = `/v1/web/channels/${encodeURIComponent(id)}`;
  return (
    <Delete
      title={title}
      leave={leave}
      remove={(name) => client.remove(`${path}?name=${encodeURIComponent(name)}`)}
      note="You may as an operator. The audit names you."
    />
  );
}

interface DeleteProps {
  title: string;
  remove: (name: string) => Promise<unknown>;
  leave: () => void;
  note?: string;
}

function Delete({ title, remove, leave, note = '' }: DeleteProps): ReactNode {
  return (
    <section className="stack-close" aria-label="Delete">
      <p className="dim small">
        Deleting removes every text in it and in its threads, for everybody and for good. {note}
      </p>
      <OneLineForm
        label={`Write “${title}” to delete it`}
        first=""
        act={() => 'Delete it'}
        maxLength={WEB_NAME_CHARS}
        danger
        ready={(name) => name === title}
        run={async (name) => {
          await remove(name);
          leave();
        }}
      />
    </section>
  );
}
