// One conversation where the settings give an agent another dial: what it is at, and the choice of another.
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { DialChoice } from './dial-choice.tsx';
import type { RoomDial } from './room-dials.ts';

interface RoomDialRowProps {
  dial: RoomDial;
  /** As people call it. */
  title: string;
  /** Its key, where it has a log here. */
  conversation: string | null;
  /** What is in force. Undefined: it is new in the form. */
  was: string | undefined;
  /** The pattern of another rule that counts instead. */
  hiddenBy: string | undefined;
  opened: boolean;
  change: (value: string) => void;
  leaveOut: () => void;
}

export function RoomDialRow(props: RoomDialRowProps): ReactNode {
  const { dial, title, conversation, was, hiddenBy, change, leaveOut } = props;
  const [open, setOpen] = useState(props.opened);
  const isBack = was !== undefined && dial.value === '';
  return (
    <li className="room-dial" aria-label={title}>
      <div className="row">
        <span className="grow">
          <b>{title}</b> {isBack ? <s>{was}</s> : dial.value}{' '}
          <span className="dim small">{stateWords(dial.value, was, hiddenBy)}</span>
        </span>
        {was !== undefined && !isBack && (
          <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Close' : 'Change'}
          </Button>
        )}
        {was === undefined ? (
          <Button small onClick={leaveOut}>
            Leave it out
          </Button>
        ) : (
          <Button small onClick={() => change(isBack ? was : '')}>
            {isBack ? 'Keep it' : 'Take back'}
          </Button>
        )}
      </div>
      {open && !isBack && (
        <DialChoice
          agent={dial.agent}
          conversation={conversation}
          name={title}
          value={dial.value}
          change={change}
        />
      )}
    </li>
  );
}

function stateWords(value: string, was: string | undefined, hiddenBy: string | undefined): string {
  if (was === undefined) return value === '' ? 'choose a notch or a number' : 'not in force yet';
  if (value === '') return 'is taken back with the next Apply';
  if (value !== was) return `instead of ${was}, not in force yet`;
  return hiddenBy === undefined
    ? 'in the settings'
    : `in the settings, but the rule for ${hiddenBy} comes first`;
}
