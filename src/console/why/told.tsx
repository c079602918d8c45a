// One agent's decision, told: the headline, the chip, the steps that led to it, the facts they used, and what came of it.
import type { ReactNode } from 'react';
import type { LogEntry, ShownDecision, WhyAgent } from '../../protocol/operator-api.ts';
import { DecisionChip } from '../ui/chip.tsx';
import { Ago } from '../ui/time.tsx';

export function DecisionTold({ told, event }: { told: WhyAgent; event: LogEntry }): ReactNode {
  const { headline, steps, decision, since } = told;
  return (
    <>
      <section className="stack-close" aria-label="Decision">
        <h3 className="headline">{headline}</h3>
        {decision !== undefined && (
          <div className="row">
            <DecisionChip decision={decision} />
          </div>
        )}
      </section>
      <section className="stack-close" aria-label="How it came about">
        <h3>How it came about</h3>
        <Steps steps={steps} />
      </section>
      {decision !== undefined && <Facts decision={decision} event={event} />}
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

function Facts({ decision, event }: { decision: ShownDecision; event: LogEntry }): ReactNode {
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
    <details className="more">
      <summary>Facts and state used</summary>
      <dl className="facts mono">
        {rows.map(([name, value]) => (
          <div key={`${name} ${value}`} className="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
