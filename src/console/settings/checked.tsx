// What a checked draft would change: in words, and against the log of the last week, with examples each way.
import type { ReactNode } from 'react';
import type { CheckAnswer, DifferenceAnswer } from '../../protocol/settings-api.ts';
import type { ReplayDifference } from '../../protocol/operator-api.ts';
import { Action } from '../ui/button.tsx';
import { ComparedChips } from '../ui/chip.tsx';
import type { Checking } from './use-check.ts';

interface CheckedProps {
  checking: Checking;
  basedOn: number;
  applied: () => void;
  /** Done as part of it, after the settings are in force. */
  andThen?: () => Promise<void>;
  /** What the button says. */
  action?: string;
}

export function Checked({ checking, basedOn, applied, andThen, action = 'Apply' }: CheckedProps): ReactNode {
  const { checked, difference, apply, cancel } = checking;
  if (checked === undefined) return null;
  if (!checked.ok) return <Problems answer={checked} />;
  return (
    <section className="card stack" aria-label="What would change">
      <h2>This would change</h2>
      <ul className="settings-words">
        {checked.words.map((word) => (
          <li key={word}>{word}</li>
        ))}
        {checked.afterRestart.map((key) => (
          <li key={key}>
            <code>{key}</code> counts after a restart of the host
          </li>
        ))}
      </ul>
      <Difference difference={difference} cancel={cancel} />
      <div className="row">
        <Action tone="primary" act={() => apply(basedOn).then(andThen)} done={applied}>
          {action}
        </Action>
      </div>
    </section>
  );
}

export function Problems({ answer }: { answer: Extract<CheckAnswer, { ok: false }> }): ReactNode {
  return (
    <div className="note" data-tone="error" role="alert">
      <span>This cannot be applied yet:</span>
      <ul>
        {answer.problems.map(({ message }) => (
          <li key={message} className="settings-problem">
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Difference({
  difference,
  cancel,
}: {
  difference: DifferenceAnswer | undefined;
  cancel: () => Promise<void>;
}): ReactNode {
  if (difference === undefined) return <p role="status">Deciding the last week again…</p>;
  const { state, done, of, words, turnsAdded, turnsSaved, added, saved, otherwise } = difference;
  if (state === 'running') {
    return (
      <div className="row" role="status">
        <progress max={Math.max(1, of)} value={done} aria-label="Records decided again" />
        <span>
          Deciding the last week again: {done.toLocaleString()} of {of.toLocaleString()} records
        </span>
        <Action small act={cancel}>
          Cancel
        </Action>
      </div>
    );
  }
  return (
    <div className="stack">
      <p role="status" className="settings-difference">
        {state === 'cancelled' ? `Cancelled after ${done.toLocaleString()} records: ` : ''}
        <b>{words}</b>. Turns: {turnsAdded.toLocaleString()} more, {turnsSaved.toLocaleString()} fewer.
      </p>
      <Examples title="Would be woken" some={added} />
      <Examples title="Would stay quiet" some={saved} />
      <Examples title="Would be told otherwise" some={otherwise} />
    </div>
  );
}

function Examples({ title, some }: { title: string; some: readonly ReplayDifference[] }): ReactNode {
  if (some.length === 0) return null;
  return (
    <details>
      <summary>
        {title}: {some.length === 1 ? 'an example' : `${some.length} examples`}
      </summary>
      <ol className="settings-examples">
        {some.map(({ eventId, agent, author, text, place, changed, before, after }) => (
          <li key={`${eventId} ${agent}`}>
            <p>
              <b>{author}</b> {text} <span className="dim small">{place}</span>
            </p>
            <div className="row">
              <ComparedChips before={before} after={after} changed={changed} />
            </div>
          </li>
        ))}
      </ol>
    </details>
  );
}
