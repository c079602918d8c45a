// What if: changes one setting and lets the host's own code decide the same message again, from the state before it.
import { type ReactNode, useState } from 'react';
import type { WhatIfAnswer } from '../../protocol/operator-api.ts';
import { useClient } from '../api/context.tsx';
import { wordsOf } from '../api/error.ts';
import { Select } from '../ui/field.tsx';
import { ComparedChips } from '../ui/chip.tsx';
import { CHANGES } from './changes.ts';
import { Steps } from './told.tsx';

export function WhatIf({ eventId, agent }: { eventId: string; agent: string }): ReactNode {
  const client = useClient();
  const [chosen, setChosen] = useState('');
  const [answer, setAnswer] = useState<WhatIfAnswer>();
  const [problem, setProblem] = useState<string>();
  const ask = async (id: string): Promise<void> => {
    setChosen(id);
    setAnswer(undefined);
    setProblem(undefined);
    const change = CHANGES.find((one) => one.id === id);
    if (change === undefined) return;
    try {
      setAnswer(
        await client.post<WhatIfAnswer>('/v1/what-if', { eventId, agent, settings: change.settings(agent) }),
      );
    } catch (error) {
      setProblem(wordsOf(error));
    }
  };
  return (
    <section className="what-if stack-close" aria-label="What if">
      <h3>What if…</h3>
      <Select
        hideLabel
        label="What if"
        none="…a setting were different?"
        value={chosen}
        options={CHANGES.map(({ id, title }) => ({ value: id, title: `…${title}` }))}
        onChange={(id) => void ask(id)}
      />
      <div role="status" className="stack-close">
        {chosen !== '' && answer === undefined && problem === undefined && (
          <p className="dim">Deciding again…</p>
        )}
        {problem !== undefined && (
          <p className="note" data-tone="error">
            {problem}
          </p>
        )}
        {answer !== undefined && <Compared answer={answer} />}
      </div>
    </section>
  );
}

function Compared({ answer }: { answer: WhatIfAnswer }): ReactNode {
  const { now, changed, differs, complete, records } = answer;
  return (
    <>
      <p className="note" data-tone={differs ? 'warn' : 'plain'}>
        {differs ? 'The decision changes.' : 'Nothing changes: the same decision.'}
      </p>
      {differs && (
        <div className="compared">
          <ComparedChips before={now} after={changed} />
        </div>
      )}
      {changed !== null && differs && (
        <>
          <p>{changed.headline}</p>
          <Steps steps={changed.steps} />
        </>
      )}
      <p className="dim small">
        Decided from {records} earlier {records === 1 ? 'record' : 'records'} of the conversation
        {complete ? '.' : ', not all of them: older ones are gone.'}
      </p>
    </>
  );
}
