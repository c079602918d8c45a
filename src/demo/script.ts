// A scripted agent is a list of cues, in order, and what it does about each. It has no model, no key and no memory:
// everything it needs is in its turn, so a restart changes nothing.
import type { Turn, TurnEvent } from '../agent/index.ts';

/** What was said to the script, ready to be matched with its cues. */
export interface CueInput {
  readonly turn: Turn;
  /** The newest event. An answer goes to it. */
  readonly event: TurnEvent;
  /** The words without the @names. */
  readonly words: string;
  /** How many messages were read as one. */
  readonly parts: number;
  /** The agent was asked or has claimed this, so it must not stay silent. */
  readonly mustAnswer: boolean;
  /** Waits on the given clock. Throws when the turn is cancelled. */
  readonly pause: (ms: number) => Promise<void>;
}

/** A string is the reply. Undefined is silence. */
export type ScriptAnswer = string | undefined;

export interface Cue {
  /** A name for people who read the script. */
  readonly name: string;
  readonly hears: RegExp;
  /** Agents may give this cue too. All other cues are for people only, so that scripts do not chatter. */
  readonly agents?: true;
  readonly does: string | ((told: CueInput, heard: RegExpExecArray) => ScriptAnswer | Promise<ScriptAnswer>);
}

export interface DemoScript {
  /** The agent's id in the demo configuration. */
  readonly agent: string;
  /** The first cue that matches counts. */
  readonly cues: readonly Cue[];
  /** The answer to a person when no cue matches and it must answer. When it only may, it stays silent. */
  readonly otherwise: string;
  /** Answers a knock that must be answered, such as an escalation. Its text is withheld. */
  readonly knocked?: (told: CueInput) => ScriptAnswer | Promise<ScriptAnswer>;
}
