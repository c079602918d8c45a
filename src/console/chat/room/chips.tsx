// Chips under a message for the agents that it woke or mentions. Each opens the panel that says why. The others are
// behind a count, because there are many.
import { type ReactNode, useContext, useState } from 'react';
import { useWhy } from '../../why/use-why.ts';
import { DecisionChip } from '../../ui/chip.tsx';
import { DecidedContext } from './decisions.tsx';

interface ChipsProps {
  eventId: string;
  /** The agents that the message mentions. */
  called: readonly string[];
  tabIndex: number;
}

export function Chips({ eventId, called, tabIndex }: ChipsProps): ReactNode {
  const decided = useContext(DecidedContext);
  const why = useWhy();
  const [all, setAll] = useState(false);
  const decisions = decided?.of(eventId) ?? [];
  if (decided === undefined || decisions.length === 0) return null;
  const woken = decisions.filter(
    ({ agent, decision }) => decision === 'engage' || decision === 'claim' || called.includes(agent),
  );
  const shown = all ? decisions : woken;
  const rest = decisions.length - woken.length;
  return (
    <div
      className="chips"
      role="group"
      aria-label="Who was woken, and why"
      data-quiet={woken.length === 0 && !all ? '' : undefined}
    >
      {shown.map((decision) => (
        <DecisionChip
          key={decision.agent}
          decision={decision}
          all={decisions}
          inList={tabIndex < 0}
          pressed={why.eventId === eventId && why.agent === decision.agent}
          onOpen={() => decided.onWhy(eventId, decision.agent)}
        />
      ))}
      {rest > 0 && (
        <button
          type="button"
          className="chips-more"
          tabIndex={tabIndex}
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? 'fewer' : `${rest} ${rest === 1 ? 'stays' : 'stay'} quiet`}
        </button>
      )}
    </div>
  );
}
