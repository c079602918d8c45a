// Chips under a message for the agents that it woke. Each opens the panel that says why. Agents that only observed it
// are behind a count, because there are many.
import { type ReactNode, useContext, useState } from 'react';
import { useWhy } from '../../why/use-why.ts';
import { DecisionChip } from '../../ui/chip.tsx';
import { DecidedContext } from './decisions.tsx';

export function Chips({ eventId, tabIndex }: { eventId: string; tabIndex: number }): ReactNode {
  const decided = useContext(DecidedContext);
  const why = useWhy();
  const [all, setAll] = useState(false);
  const decisions = decided?.of(eventId) ?? [];
  if (decided === undefined || decisions.length === 0) return null;
  const woken = decisions.filter(({ decision }) => decision !== 'observe');
  const shown = all ? decisions : woken;
  const rest = decisions.length - woken.length;
  return (
    <div className="chips" role="group" aria-label="Who was woken, and why">
      {shown.map((decision) => (
        <DecisionChip
          key={decision.agent}
          decision={decision}
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
          {all ? 'less' : woken.length === 0 ? 'nobody woken' : `+${rest} more`}
        </button>
      )}
    </div>
  );
}
