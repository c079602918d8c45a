// The settings of one room, in a dialog that opens from its header.
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { useChatState } from '../context.tsx';
import { CHAT_ICONS } from '../icons.tsx';
import { NotifyChoice } from '../notify/notify-choice.tsx';
import { RoomChanges } from './room-changes.tsx';

interface RoomSettingsProps {
  conversation: string;
  title: string;
  leave: () => void;
  operator: boolean;
}

export function RoomSettings({ conversation: id, title, leave, operator }: RoomSettingsProps): ReactNode {
  const { me, conversations } = useChatState();
  const conversation = conversations.get(id);
  const [open, setOpen] = useState(false);
  if (me === undefined) return null;
  return (
    <>
      <button
        type="button"
        className="tool"
        aria-label={`Settings of ${title}`}
        title="Notifications and settings"
        onClick={() => setOpen(true)}
      >
        {CHAT_ICONS.bell}
      </button>
      {open && (
        <Dialog title={title} close={() => setOpen(false)}>
          <NotifyChoice person={me.id} room={id} />
          {conversation?.kind === 'channel' && (
            <RoomChanges channel={conversation} leave={leave} operator={operator} />
          )}
        </Dialog>
      )}
    </>
  );
}
