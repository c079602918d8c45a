// What an agent of a simulated world says about events: it repeats the words it was asked about, so that the oracle can
// tell which question was answered, by whom and how often.
import type { TurnEvent } from '../../src/agent/event.ts';
import { wordsIn } from './people.ts';

export function answerTo(events: readonly TurnEvent[]): string {
  return `re ${askedWords(events).join(' ')}`;
}

/** What people said, and what agents asked. An answer of an agent repeats words that are not its own. */
function askedWords(events: readonly TurnEvent[]): string[] {
  const words = events.flatMap(({ text, author }) =>
    author.kind === 'human' ? wordsIn(text) : (text.match(/(?<=could you check )q\d+/g) ?? []),
  );
  return [...new Set(words)];
}
