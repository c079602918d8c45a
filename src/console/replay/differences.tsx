// The result of a replay: the turns added and saved, and each decision that differs, with its reasons.
import { type ReactNode, useState } from 'react';
import type { ReplayAnswer, ReplayDifference } from '../../protocol/operator-api.ts';
import { ComparedChips } from '../ui/chip.tsx';
import { Empty } from '../ui/note.tsx';
import { Time } from '../ui/time.tsx';
import { Steps } from '../why/told.tsx';
import '../why/why.css';

export function Differences({ answer }: { answer: ReplayAnswer }): ReactNode {
  const { differences, malformed, duplicates, complete } = answer;
  return (
    <section className="stack" aria-label="Differences">
      <Summary answer={answer} />
      {malformed.count > 0 && (
        <div className="note" data-tone="warn">
          <span>
            {malformed.count} {malformed.count === 1 ? 'line is' : 'lines are'} no ChatEvent and left out.
          </span>
          <ul className="small">
            {malformed.lines.map(({ line, problem }) => (
              <li key={line}>
                line {line}: {problem}
              </li>
            ))}
          </ul>
        </div>
      )}
      {duplicates > 0 && (
        <p className="note">{duplicates} repeated events are left out: the first of each counts.</p>
      )}
      {!complete && (
        <p className="note" data-tone="warn">
          This is not all of it: choose a shorter period or a smaller file to see the rest.
        </p>
      )}
      {differences.length === 0 ? (
        <Empty title="Nothing differs">
          <p>Every decision comes out the same.</p>
        </Empty>
      ) : (
        <ol className="differences">
          {differences.map((one) => (
            <Difference key={`${one.eventId} ${one.agent}`} difference={one} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Summary({ answer }: { answer: ReplayAnswer }): ReactNode {
  const { different, decisions, events, turnsBefore, turnsAfter, turnsAdded, turnsSaved, before } = answer;
  const compared = before === 'decided' ? 'as it was decided' : 'with the rules of this host';
  return (
    <p className="replay-summary" role="status">
      <b>
        {different.toLocaleString()} of {decisions.toLocaleString()} decisions differ
      </b>{' '}
      in {events.toLocaleString()} events. Turns: {turnsBefore.toLocaleString()} {compared},{' '}
      {turnsAfter.toLocaleString()} with this configuration ({turnsAdded.toLocaleString()} added,{' '}
      {turnsSaved.toLocaleString()} saved).
    </p>
  );
}

function Difference({ difference }: { difference: ReplayDifference }): ReactNode {
  const [open, setOpen] = useState(false);
  const { before, after, author, text, place, changed, at } = difference;
  return (
    <li className="difference">
      <p className="difference-said">
        <span className="dim small">
          <Time at={at} />
        </span>{' '}
        <b>{author}</b> {text} <span className="dim small">{place}</span>
      </p>
      <div className="row">
        <ComparedChips before={before} after={after} changed={changed} />
        <TurnMark before={before?.turn === true} after={after?.turn === true} />
        <button
          type="button"
          className="button"
          data-tone="quiet"
          data-small
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Less' : 'Why?'}
        </button>
      </div>
      {open && (
        <div className="difference-why">
          <Told title="Before" side={before} />
          <Told title="After" side={after} />
        </div>
      )}
    </li>
  );
}

function TurnMark({ before, after }: { before: boolean; after: boolean }): ReactNode {
  if (before === after) return null;
  return <span className={after ? 'turn-added' : 'turn-saved'}>{after ? '+1 turn' : '−1 turn'}</span>;
}

function Told({ title, side }: { title: string; side: ReplayDifference['before'] }): ReactNode {
  return (
    <section className="stack-close">
      <h3>{title}</h3>
      {side === null ? (
        <p className="dim">It was not asked.</p>
      ) : (
        <>
          <p>{side.headline}</p>
          <Steps steps={side.steps} />
        </>
      )}
    </section>
  );
}
