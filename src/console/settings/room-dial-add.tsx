// Chooses a conversation, by the name that people see, where an agent is to have another dial.
import { type ReactNode, useState } from 'react';
import { patternOf } from '../../attention/pattern.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import type { RoomDial } from './room-dials.ts';
import type { Rooms } from './use-rooms.ts';

interface AddRoomDialProps {
  agent: string;
  rooms: Rooms;
  taken: readonly string[];
  add: (dial: RoomDial) => void;
}

/** The list is made when it is opened: there may be many conversations, and many agents. */
export function AddRoomDial(props: AddRoomDialProps): ReactNode {
  const [open, setOpen] = useState(false);
  if (open) return <ChooseRoom {...props} done={() => setOpen(false)} />;
  return (
    <div className="row">
      <Button small onClick={() => setOpen(true)}>
        Another dial in one conversation
      </Button>
    </div>
  );
}

/** In direct messages the dial counts nothing. */
function ChooseRoom({ agent, rooms, taken, add, done }: AddRoomDialProps & { done: () => void }): ReactNode {
  const [chosen, choose] = useState('');
  const free = rooms.conversations
    .filter(({ conversation, agents }) => agents.includes(agent) && conversation.kind !== 'dm')
    .filter((one) => one.conversation.retired === undefined && !taken.includes(patternOf(one)));
  const options = free
    .map((one) => ({ value: one.key, title: rooms.titles.get(patternOf(one)) ?? one.key }))
    .toSorted((a, b) => a.title.localeCompare(b.title));
  const room = free.find(({ key }) => key === chosen);
  if (options.length === 0)
    return <p className="dim small">Nobody has spoken yet in another conversation where {agent} is bound.</p>;
  return (
    <div className="row dial-row">
      <Select
        label="Another dial in"
        none="choose a conversation"
        value={room === undefined ? '' : chosen}
        options={options}
        onChange={choose}
      />
      <Button
        small
        disabled={room === undefined}
        onClick={() => {
          if (room === undefined) return;
          const { platform, workspaceId, conversation } = room;
          add({ agent, match: patternOf(room), value: '', place: { platform, workspaceId, conversation } });
          done();
        }}
      >
        Set it
      </Button>
      <Button small tone="quiet" onClick={done}>
        Cancel
      </Button>
    </div>
  );
}
