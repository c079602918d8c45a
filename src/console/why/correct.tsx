// What the agent should have done. A click is a record in the log, and `earshot tune` learns from it; nothing changes by
// itself.
import { type ReactNode, useState } from 'react';
import type { CorrectionLabel } from '../../protocol/correction.ts';
import type { ActAnswer, WhyAgent } from '../../protocol/operator-api.ts';
import { useClient } from '../api/context.tsx';
import { Button } from '../ui/button.tsx';
import { useSubmit } from '../ui/use-submit.ts';

const LABELS: readonly { label: CorrectionLabel; title: string }[] = [
  { label: 'should_have_answered', title: 'Should have answered' },
  { label: 'should_have_stayed_quiet', title: 'Should have stayed quiet' },
];

interface CorrectProps {
  told: WhyAgent;
  eventId: string;
  /** Asks for the answer again, which then shows the record. */
  said: () => void;
}

export function Correct({ told, eventId, said }: CorrectProps): ReactNode {
  const client = useClient();
  const { busy, problem, run } = useSubmit();
  const [chosen, choose] = useState<CorrectionLabel>();
  const [words, setWords] = useState<string>();
  const say = (label: CorrectionLabel): Promise<void> =>
    run(async () => {
      const path = `/v1/why/${encodeURIComponent(eventId)}/correction`;
      const answer = await client.post<ActAnswer>(path, { agent: told.agent, label });
      choose(label === 'withdrawn' ? undefined : label);
      setWords(answer.words);
      said();
    });
  return (
    <section className="stack-close" aria-label="Was that right?">
      <h3>Was that right?</h3>
      <div className="row">
        {LABELS.map(({ label, title }) => (
          <Button
            key={label}
            disabled={busy}
            aria-pressed={chosen === label}
            onClick={() => void say(chosen === label ? 'withdrawn' : label)}
          >
            {title}
          </Button>
        ))}
      </div>
      <div role="status">
        {words !== undefined && <p className="dim small">{words}</p>}
        {problem !== undefined && (
          <p className="note" data-tone="error">
            {problem}
          </p>
        )}
      </div>
    </section>
  );
}
