// One agent's decision: the headline, the chip, the steps that led to it, the facts they used, and the outcome.
import { type ReactNode, useState } from 'react';
import { protocolPhrase } from '../../attention/decision-phrase.ts';
import type { LogEntry, ShownDecision, StateUsed, WhyAgent } from '../../protocol/operator-api.ts';
import { useAsked } from '../api/use-asked.ts';
import { ErrorNote, Waiting } from '../ui/note.tsx';
import { Ago } from '../ui/time.tsx';

export function DecisionTold({ told, event }: { told: WhyAgent; event: LogEntry }): ReactNode {
  const { headline, steps, decision, since } = told;
  return (
    <>
      <section className="stack-close" aria-label="Decision">
        <h3 className="headline">{headline}</h3>
        {decision !== undefined && (
          <p className="mono protocol-words" title="The same in the words of the protocol">
            <span className="kind-dot" data-kind={decision.decision} />
            {protocolPhrase(decision)}
          </p>
        )}
      </section>
      <section className="stack-close" aria-label="How it came about">
        <h3>How it came about</h3>
        <Steps steps={steps} />
      </section>
      {decision !== undefined && <Facts decision={decision} event={event} agent={told.agent} />}
      <section className="stack-close" aria-label="Since then">
        <h3>What came of it</h3>
        {since.length === 0 ? (
          <p className="dim">Nothing: it was not handed over, and nothing has happened to it since.</p>
        ) : (
          <ol className="since">
            {since.map((change) => (
              <li key={`${change.at} ${change.words}`}>
                <span>{change.words}</span>{' '}
                <span className="dim small">
                  <Ago at={change.at} />
                </span>
              </li>
            ))}
          </ol>
        )}
      </section>
    </>
  );
}

export function Steps({ steps }: { steps: readonly string[] }): ReactNode {
  return (
    <ol className="steps">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

interface FactsProps {
  decision: ShownDecision;
  event: LogEntry;
  agent: string;
}

function Facts({ decision, event, agent }: FactsProps): ReactNode {
  const [opened, setOpened] = useState(false);
  const { trace, directedness, intent } = decision;
  const rows: [string, string][] = [
    ['rule', trace.as === undefined ? trace.rung : `${trace.rung}, as ${trace.as}`],
    ['policy row', trace.row],
    ['directedness', directedness],
    ['intent', intent],
    ['takes a turn', decision.turn ? 'yes' : 'no'],
    ...(trace.lowered ?? []).map((why): [string, string] => ['lowered by', why]),
    ...Object.entries(trace.facts).map(([name, value]): [string, string] => [name, String(value)]),
    ['record', `${event.seq} of ${event.conversation.id}`],
  ];
  return (
    <details className="more" onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary>Facts and state used</summary>
      <dl className="facts mono">
        {rows.map(([name, value]) => (
          <div key={`${name} ${value}`} className="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {opened && <Remembered eventId={event.eventId} agent={agent} />}
    </details>
  );
}

/** Loaded only when somebody opens it, because the host must fold the conversation again. */
function Remembered({ eventId, agent }: { eventId: string; agent: string }): ReactNode {
  const path = `/v1/why/${encodeURIComponent(eventId)}/state`;
  const { answer, error, waiting, again } = useAsked<StateUsed>(path, { agent });
  if (error !== undefined) return <ErrorNote error={error} again={again} />;
  if (waiting || answer === undefined) return <Waiting what="what was remembered" />;
  return (
    <>
      <h4>Remembered then</h4>
      <dl className="facts">
        {answer.remembered.map(({ what, words }) => (
          <div key={`${what} ${words}`} className="fact">
            <dt>{what}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {!answer.complete && <p className="dim small">The beginning of the conversation was left out.</p>}
    </>
  );
}
