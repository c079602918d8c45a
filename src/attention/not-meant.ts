// "not you", "I was asking Bob": a person tells an agent that something was not for it. That is obeyed here, without a
// model: nobody is to be told in a turn of its own that nobody wants a turn. The words are those of a correction
// (intent/correction.ts). An agent that still works on the author's last words hears them, so that it can drop the work.
import type { Call } from './called.ts';
import type { Heard } from './heard.ts';
import { TASKS } from './matrix.ts';
import { readCorrection, takesBack } from './intent/correction.ts';
import { openAsk } from './participants.ts';
import type { Roster, RosterAgent } from './roster.ts';
import type { RungId } from './directedness.ts';
import { type KnownNames, nameAt } from './spoken-names.ts';
import type { AttentionState } from './state.ts';

const RUNGS: ReadonlySet<RungId> = new Set(['mention', 'reply', 'exchange', 'name', 'thread_question']);

/** The message says that it, or what came before, is not for this agent. */
export function isNotMeant(heard: Heard, agent: RosterAgent, rung: RungId): boolean {
  const { author, roster, intent, exchange, spoken } = heard;
  if (author.kind !== 'human' || !roster.preset.readsIntent || !RUNGS.has(rung) || TASKS.has(intent))
    return false;
  if (!isYou(heard, agent)) return false;
  if (exchange?.partner === agent.key && exchange.turn === 'follow_up') return false;
  return readCorrection(spoken, agent.names)?.kind === 'not_you';
}

/** "You" is whoever spoke last. Where somebody is tagged ("not you, @otto please"), nobody else is. */
function isYou({ state, mentioned, named }: Heard, agent: RosterAgent): boolean {
  return state.last === agent.key || (mentioned.size === 0 && named.size <= 1);
}

/**
 * "no, I meant staging": the author goes on with what they said last, whoever has spoken since. "no wait, staging" does so
 * while the agent has not answered.
 */
export function putsRight({ author, spoken, roster, exchange }: Heard, agent: RosterAgent): boolean {
  if (author.kind !== 'human' || !roster.preset.readsIntent) return false;
  if (readCorrection(spoken, agent.names)?.kind === 'meant') return true;
  return exchange?.turn === 'follow_up' && takesBack(spoken);
}

/**
 * "I meant Bob", right after an agent's words: the message calls Bob. To an agent that has asked something, it is the answer.
 */
export function meantInstead(
  state: AttentionState,
  author: Heard['author'],
  spoken: string,
  names: KnownNames,
  roster: Roster,
): Call | undefined {
  const agent = state.last === undefined ? undefined : roster.byKey.get(state.last);
  if (author.kind !== 'human' || agent === undefined || !roster.preset.readsIntent) return undefined;
  if (openAsk(state, agent.key, author.key, state.n, roster.limits.askMessages) !== undefined)
    return undefined;
  const said = readCorrection(spoken, agent.names);
  if (said?.kind !== 'meant') return undefined;
  const found = nameAt(said.meant, 0, names);
  if (found === undefined || found.end < said.meant.length || found.keys.includes(agent.key))
    return undefined;
  return { keys: found.keys, at: 'end', marked: false };
}

/** Neither of them is the other's partner any more. */
export function partWays(state: AttentionState, author: string, agent: string): AttentionState {
  const between = (a: string, b: string): boolean =>
    (a === author && b === agent) || (a === agent && b === author);
  return {
    ...state,
    speakers: state.speakers.map((speaker) =>
      between(speaker.key, speaker.partner) ? { ...speaker, partner: '' } : speaker,
    ),
    lines: state.lines.filter((line) => !between(line.author, line.to)),
    windows: state.windows.filter((window) => window.author !== author),
  };
}
