// A notch of an agent's dial, or a number, for everywhere or for one conversation. Before anything is chosen, it shows what
// each notch would have done with the log of the last week there.
import { type ReactNode, useState } from 'react';
import type { ReplayDifference } from '../../protocol/operator-api.ts';
import type { DialAnswer, DialNotch } from '../../protocol/settings-api.ts';
import { useClient } from '../api/context.tsx';
import { Action } from '../ui/button.tsx';
import { TextField } from './text-field.tsx';

const NOTCHES: readonly { notch: DialNotch['notch']; title: string; means: string }[] = [
  { notch: 'quiet', title: 'Quiet', means: 'only when it is nearly sure to be meant' },
  { notch: 'balanced', title: 'Balanced', means: 'when it is likelier meant than not' },
  { notch: 'keen', title: 'Keen', means: 'also when it may well be somebody else' },
];

interface DialChoiceProps {
  agent: string;
  /** The choice is about this one. Null: about one that has no log here. Left out: about all. */
  conversation?: string | null;
  /** Tells one choice of the page from another. */
  name: string;
  /** A notch, a number, or nothing. */
  value: string;
  change: (value: string) => void;
}

export function DialChoice({ agent, conversation, name, value, change }: DialChoiceProps): ReactNode {
  const client = useClient();
  const [week, setWeek] = useState<DialAnswer>();
  const ask = async (): Promise<void> =>
    setWeek(
      await client.post<DialAnswer>(
        `/v1/agents/${encodeURIComponent(agent)}/dial`,
        conversation == null ? {} : { conversation },
      ),
    );
  return (
    <>
      <div className="dial-notches" role="radiogroup" aria-label={`Attention, ${name}`}>
        {NOTCHES.map(({ notch, title, means }) => {
          const told = week?.notches.find((one) => one.notch === notch);
          return (
            <label key={notch} className="dial-notch">
              <input
                type="radio"
                name={`attention ${agent} ${name}`}
                checked={value === notch}
                onChange={() => change(notch)}
              />
              <span>
                <b>{title}</b>
                <span className="dim small">{means}</span>
                {told !== undefined && <span className="small dial-week">Last week: {told.words}</span>}
              </span>
            </label>
          );
        })}
      </div>
      <div className="row dial-row">
        <TextField
          label="Or a number from 0 to 100"
          value={/^\d+$/.test(value) ? value : ''}
          change={change}
        />
        {conversation !== null && (
          <Action small act={ask}>
            What would each have done last week{conversation === undefined ? '' : ' here'}?
          </Action>
        )}
      </div>
      {week !== undefined && <Week week={week} />}
    </>
  );
}

function Week({ week }: { week: DialAnswer }): ReactNode {
  const different = week.notches.filter(({ added, saved }) => added.length + saved.length > 0);
  return (
    <div role="status" className="stack-close">
      {different.length === 0 && <p className="dim">Last week every notch would have done the same.</p>}
      {different.map(({ notch, added, saved }) => (
        <details key={notch} className="more">
          <summary>
            {notch}: {added.length + saved.length}{' '}
            {added.length + saved.length === 1 ? 'example' : 'examples'}
          </summary>
          <Lines title="Would wake it" lines={added} />
          <Lines title="Would leave it alone" lines={saved} />
        </details>
      ))}
      {!week.complete && <p className="dim small">The week has more records; the newest were looked at.</p>}
    </div>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly ReplayDifference[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul>
        {lines.map(({ eventId, author, place, text }) => (
          <li key={eventId}>
            <b>{author}</b> <span className="dim">{place}</span> {text}
          </li>
        ))}
      </ul>
    </>
  );
}
