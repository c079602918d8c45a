// A change of the file that counts already, because the file is watched: what changed, how many of last week's decisions
// would have been others, and the way back.
import { type ReactNode, useEffect, useState } from 'react';
import type { TakenFile } from '../../protocol/settings-api.ts';
import { useClient } from '../api/context.tsx';
import { Action, Button } from '../ui/button.tsx';
import { Ago } from '../ui/time.tsx';

/** How often the page asks whether the last week is decided again. */
const ASK_MS = 1_000;

export function Taken({ taken, again }: { taken: TakenFile; again: () => void }): ReactNode {
  const client = useClient();
  const { number, at, words, difference, back } = taken;
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (difference !== null) return undefined;
    const timer = setTimeout(again, ASK_MS);
    return () => clearTimeout(timer);
  }, [difference, again, taken]);
  if (seen) return null;
  return (
    <section className="note settings-taken" data-tone="warn" aria-label="Taken from the file">
      <p>
        The file was edited <Ago at={at} />, and counts as version {number}: {words.join('; ')}.{' '}
        {difference === null ? 'Deciding the last week again…' : `${sentence(difference)}.`}
      </p>
      <div className="row">
        {back !== null && (
          <Action
            small
            act={() => client.post(`/v1/settings/versions/${back}/back`, { basedOn: number })}
            done={again}
          >
            Take it back
          </Action>
        )}
        <Button small onClick={() => setSeen(true)}>
          Keep it
        </Button>
      </div>
    </section>
  );
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
