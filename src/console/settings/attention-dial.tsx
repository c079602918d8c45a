// The dial of one agent: how readily it takes a line that names nobody as its own, everywhere and in single conversations.
import type { ReactNode } from 'react';
import { DialChoice } from './dial-choice.tsx';
import { RoomDials, type RoomDialsProps } from './room-dial-list.tsx';

interface DialProps extends Omit<RoomDialsProps, 'hasOwn'> {
  /** A notch, a number, or nothing: then as elsewhere, balanced. */
  value: string;
  change: (value: string) => void;
}

export function AttentionDial({ value, change, ...here }: DialProps): ReactNode {
  const { agent } = here;
  return (
    <section className="stack-close dial" aria-label={`Attention of ${agent}`}>
      <h3>Lines that name nobody</h3>
      <DialChoice agent={agent} name="everywhere" value={value === '' ? 'balanced' : value} change={change} />
      <RoomDials {...here} hasOwn={value !== ''} />
    </section>
  );
}
