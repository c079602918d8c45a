// What the agent's model read in its turns about the message. Loaded only when somebody opens it: a prompt is long.
import { type ReactNode, useState } from 'react';
import type { PromptsShown } from '../../protocol/operator-api.ts';
import { useAsked } from '../api/use-asked.ts';
import { ErrorNote, Waiting } from '../ui/note.tsx';
import { Time } from '../ui/time.tsx';

export function Prompt({ eventId, agent }: { eventId: string; agent: string }): ReactNode {
  const [opened, setOpened] = useState(false);
  return (
    <details className="more" onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary>The exact prompt</summary>
      {opened && <Prompts eventId={eventId} agent={agent} />}
    </details>
  );
}

function Prompts({ eventId, agent }: { eventId: string; agent: string }): ReactNode {
  const path = `/v1/why/${encodeURIComponent(eventId)}/prompt`;
  const { answer, error, waiting, again } = useAsked<PromptsShown>(path, { agent }, ['settled']);
  if (error !== undefined) return <ErrorNote error={error} again={again} />;
  if (waiting || answer === undefined) return <Waiting what="the prompt" />;
  if (answer.prompts.length === 0) return <p className="dim">{answer.note}</p>;
  return (
    <>
      {answer.prompts.map(({ at, turnId, text }) => (
        <section key={`${at} ${turnId ?? ''}`} className="stack-close" aria-label="Prompt">
          <p className="dim small">
            <Time at={at} /> {turnId}
          </p>
          <pre className="prompt mono" tabIndex={0}>
            {text}
          </pre>
        </section>
      ))}
    </>
  );
}
