// Shows under a message what agents do with it: they have it, work on it, have claimed, deferred or answered it.
import { type ReactNode, useContext } from 'react';
import type { WhyAnswer } from '../../../protocol/operator-api.ts';
import { listedNames } from '../../../protocol/listed-names.ts';
import type { WebAgent, WebMessage, WebState, WebWhy } from '../../../protocol/web-chat.ts';
import { useAsked } from '../../api/use-asked.ts';
import { Left, Passed } from '../../ui/time.tsx';
import { DecidedContext } from './decisions.tsx';

type Word = WebState['state'];

/** The states in the order in which they are shown, failures first, each with its words. */
const WORDS: readonly { state: Word; glyph: string; words: (names: string, several: boolean) => string }[] = [
  { state: 'failed', glyph: '!', words: (names) => `${names} could not answer` },
  {
    state: 'retrying',
    glyph: '!',
    words: (names, several) => `${names} ran into a problem and ${several ? 'are' : 'is'} trying again`,
  },
  {
    state: 'working',
    glyph: '●',
    words: (names, several) => `${names} ${several ? 'are' : 'is'} working on it`,
  },
  { state: 'claimed', glyph: '●', words: (names) => `claimed by ${names}` },
  { state: 'deferred', glyph: '○', words: (names) => `put off by ${names}` },
  {
    state: 'awaiting_approval',
    glyph: '○',
    words: (names, several) =>
      several
        ? `${names} wait for a person’s yes to their answers`
        : `${names} waits for a person’s yes to its answer`,
  },
  { state: 'delivered', glyph: '○', words: (names, several) => `${names} ${several ? 'have' : 'has'} it` },
  { state: 'queued', glyph: '○', words: (names) => `waiting for ${names}` },
  { state: 'answered', glyph: '✓', words: (names) => `answered by ${names}` },
  { state: 'acknowledged', glyph: '✓', words: (names) => `taken note of by ${names}` },
  { state: 'not_answered', glyph: '–', words: (names) => `${names} gave no answer` },
];

/** The states that the host's sentence to the author is about. */
const IN_SENTENCE: ReadonlySet<Word> = new Set(['working', 'delivered', 'queued']);

interface StatesProps {
  message: WebMessage;
  agents: ReadonlyMap<string, WebAgent>;
}

export function States({ message: { eventId, states: told, why }, agents }: StatesProps): ReactNode {
  const isOperator = useContext(DecidedContext) !== undefined;
  // The sentence to the author says more than these do.
  const states = why === undefined ? told : told.filter(({ state }) => !IN_SENTENCE.has(state));
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
            <span>
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
            </span>
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

const ARCHIVED = 'Nobody is asked here: the channel is archived';

interface OwnWhyProps {
  why: WebWhy | undefined;
  newest: boolean;
  /** Nobody can be asked there, so it is of no use to say how. */
  archived: boolean;
}

/** The host's one sentence to the author: nobody was asked, or who is waited for. */
export function OwnWhy({ why, newest, archived }: OwnWhyProps): ReactNode {
  if (why === undefined || (why.kind === 'unasked' && !newest)) return null;
  return (
    <p className="own-why" data-kind={why.kind} role="status">
      <span className="state-glyph" aria-hidden="true">
        {why.kind === 'waiting' ? '○' : '–'}
      </span>
      <span>
        {archived && why.kind === 'unasked' ? ARCHIVED : why.words}
        {why.since !== undefined && (
          <>
            {', '}
            <Passed since={why.since} />
          </>
        )}
      </span>
    </p>
  );
}
