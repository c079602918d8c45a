// One decision as a chip, in the four colours: green engage, dim observe, red denied, magenta claim.
import type { ReactNode } from 'react';
import type { InboundDecision, InjectionMode, Policy, Reason } from '../../protocol/vocabulary.ts';

export interface ChipDecision {
  agent: string;
  decision: InboundDecision;
  policy: Policy;
  mode: InjectionMode;
  reason: Reason;
}

/** The text of a chip after the agent's name. */
export function chipWords({ policy, mode, reason }: ChipDecision, short = false): string {
  return short ? reason : `${policy} · ${mode} · ${reason}`;
}

interface DecisionChipProps {
  decision: ChipDecision;
  onOpen?: (() => void) | undefined;
  pressed?: boolean;
  /** A row of a list is one stop of the tab key. Its chips are reached with the arrow keys and Enter. */
  inList?: boolean;
  /** Shows only the reason. The rest is in its title. */
  short?: boolean;
}

export function DecisionChip({ decision, onOpen, pressed, inList, short }: DecisionChipProps): ReactNode {
  const inside = (
    <>
      <b>{decision.agent}</b>
      <span>{chipWords(decision, short)}</span>
    </>
  );
  if (onOpen === undefined) {
    return (
      <span className="chip" data-kind={decision.decision}>
        {inside}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="chip"
      data-kind={decision.decision}
      aria-pressed={pressed}
      title={`${decision.decision}: ${chipWords(decision)}. Why?`}
      tabIndex={inList === true ? -1 : undefined}
      onClick={(event) => {
        event.stopPropagation();
        onOpen();
      }}
    >
      {inside}
    </button>
  );
}

export function Chip({
  kind,
  children,
}: {
  kind?: InboundDecision | 'warn';
  children: ReactNode;
}): ReactNode {
  return (
    <span className="chip" data-kind={kind ?? 'observe'}>
      <span>{children}</span>
    </span>
  );
}
