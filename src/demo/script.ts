// What a scripted agent is made of: cues it listens for, in order, and what it does about each. No model, no key, no
// memory: everything it needs to know is in its turn, so a restart changes nothing.
import type { Turn, TurnEvent } from '../agent/index.ts';

/** What was said to it, ready to be matched. */
export interface CueInput {
  readonly turn: Turn;
  /** The newest event: what an answer answers. */
  readonly event: TurnEvent;
  /** The words without the @names. */
  readonly words: string;
  /** How many messages were read as one. */
  readonly parts: number;
  /** Asked, or claimed by itself: silence would be a failure. */
  readonly mustAnswer: boolean;
  /** Lets time pass on the clock it was given; throws when the turn is cancelled. */
  readonly pause: (ms: number) => Promise<void>;
}

/** A string is the reply; nothing is silence. */
export type ScriptAnswer = string | undefined;

export interface Cue {
  /** What it is, for whoever reads the script. */
  readonly name: string;
  readonly hears: RegExp;
  /** Agents may give it too. Other cues are for people: a script that took every agent at its word would chatter. */
  readonly agents?: true;
  readonly does: string | ((told: CueInput, heard: RegExpExecArray) => ScriptAnswer | Promise<ScriptAnswer>);
}

export interface DemoScript {
  /** The agent's id in the demo configuration. */
  readonly agent: string;
  /** The first cue that matches counts. */
  readonly cues: readonly Cue[];
  /** What it tells a person whom it must answer when no cue matches. When it only may, it is silent. */
  readonly otherwise: string;
  /** For a knock that must be answered, such as an escalation: its words are withheld. */
  readonly knocked?: (told: CueInput) => ScriptAnswer | Promise<ScriptAnswer>;
}
