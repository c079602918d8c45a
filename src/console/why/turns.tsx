// The turns that an agent took about a message: when, how long, what they cost, why they ended so, and on demand what
// its model read.
import type { ReactNode } from 'react';
import type { ShownTurn } from '../../protocol/operator-api.ts';
import type { TurnUsage } from '../../protocol/usage.ts';
import { Passed, spanText, Time } from '../ui/time.tsx';
import { Prompt } from './prompt.tsx';

interface TurnsTakenProps {
  turns: readonly ShownTurn[];
  eventId: string;
  agent: string;
}

export function TurnsTaken({ turns, eventId, agent }: TurnsTakenProps): ReactNode {
  return (
    <section className="stack-close" aria-label="Turns">
      <h3>What it cost</h3>
      {turns.length === 0 && <p className="dim">Nothing: no model has run for it.</p>}
      {turns.length > 0 && (
        <ol className="stack-close">
          {turns.map((turn) => (
            <li key={turn.turnId} className="turn-taken" data-failed={turn.failed === true ? '' : undefined}>
              <p>{turn.words ?? 'Its turn is running.'}</p>
              <p className="dim small">
                <Time at={turn.startedAt} /> · {lengthOf(turn)} · {costOf(turn)}
              </p>
            </li>
          ))}
        </ol>
      )}
      <Prompt eventId={eventId} agent={agent} />
    </section>
  );
}

function lengthOf({ startedAt, endedAt }: ShownTurn): ReactNode {
  if (endedAt === undefined) return <Passed since={startedAt} />;
  const ms = Date.parse(endedAt) - Date.parse(startedAt);
  return ms < 1_000 ? 'under a second' : spanText(ms);
}

function costOf({ usage, endedAt }: ShownTurn): string {
  if (endedAt === undefined) return 'not counted yet';
  return usage === undefined ? 'cost not told' : usageText(usage);
}

function usageText({
  inputTokens,
  outputTokens,
  cachedInputTokens,
  costUsd,
  model,
  source,
}: TurnUsage): string {
  const guess = source === 'estimated' ? '~' : '';
  const cached = cachedInputTokens === undefined ? '' : ` (${cachedInputTokens.toLocaleString()} cached)`;
  return [
    `${guess}${inputTokens.toLocaleString()} tokens read${cached}, ${guess}${outputTokens.toLocaleString()} written`,
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`]),
    ...(model === undefined ? [] : [model]),
  ].join(' · ');
}
