// Shows under a message what agents do with it: they have it, work on it, have claimed, deferred or answered it.
import { type ReactNode, useContext } from 'react';
import type { WhyAnswer } from '../../../protocol/operator-api.ts';
import type { WebAgent, WebMessage, WebState } from '../../../protocol/web-chat.ts';
import { useAsked } from '../../api/use-asked.ts';
import { Left } from '../../ui/time.tsx';
import { DecidedContext } from './decisions.tsx';

type Word = WebState['state'];

/** The states in the order in which they are shown, each with its words. */
const WORDS: readonly { state: Word; glyph: string; words: (names: string, several: boolean) => string }[] = [
  {
    state: 'working',
    glyph: '●',
    words: (names, several) => `${names} ${several ? 'are' : 'is'} working on it`,
  },
  { state: 'claimed', glyph: '●', words: (names) => `claimed by ${names}` },
  { state: 'deferred', glyph: '○', words: (names) => `put off by ${names}` },
  {
    state: 'retrying',
    glyph: '!',
    words: (names, several) => `${names} ran into a problem and ${several ? 'are' : 'is'} trying again`,
  },
  { state: 'delivered', glyph: '○', words: (names, several) => `${names} ${several ? 'have' : 'has'} it` },
  { state: 'queued', glyph: '○', words: (names) => `waiting for ${names}` },
  { state: 'answered', glyph: '✓', words: (names) => `answered by ${names}` },
  { state: 'acknowledged', glyph: '✓', words: (names) => `taken note of by ${names}` },
  { state: 'not_answered', glyph: '–', words: (names) => `${names} stayed quiet` },
  { state: 'failed', glyph: '!', words: (names) => `${names} could not answer` },
];

interface StatesProps {
  message: WebMessage;
  agents: ReadonlyMap<string, WebAgent>;
}

export function States({ message: { eventId, states }, agents }: StatesProps): ReactNode {
  const isOperator = useContext(DecidedContext) !== undefined;
  if (states.length === 0) return null;
  return (
    <ul className="states" aria-label="What agents do with it">
      {WORDS.map(({ state, glyph, words }) => {
        const those = states.filter((one) => one.state === state);
        if (those.length === 0) return null;
        const names = those.map(({ agent }) => agents.get(agent)?.name ?? agent);
        const until = those.find((one) => one.until !== undefined)?.until;
        return (
          <li key={state} data-state={state}>
            <span className="state-glyph" aria-hidden="true">
              {glyph}
            </span>
            {words(listedNames(names), names.length > 1)}
            {until !== undefined && (
              <>
                {', '}
                <Left until={until} />
              </>
            )}
            {isOperator &&
              (state === 'retrying' || state === 'failed') &&
              those.map(({ agent }) => <LastError key={agent} eventId={eventId} agent={agent} />)}
          </li>
        );
      })}
    </ul>
  );
}

/** What the agent's harness said about the last turn that failed. Only operators may read it. */
function LastError({ eventId, agent }: { eventId: string; agent: string }): ReactNode {
  const path = `/v1/why/${encodeURIComponent(eventId)}`;
  const { answer } = useAsked<WhyAnswer>(path, { agent }, ['turn_failed']);
  const error = answer?.deliveries.findLast((one) => one.agent === agent && one.error !== undefined)?.error;
  return error === undefined ? null : <span>: {error}</span>;
}

/** "a", "a and b", "a, b and c". */
export function listedNames(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
