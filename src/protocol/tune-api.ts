// What `POST /v1/tune` answers: what a host's own corrections say about the dial and the bias of each agent. `earshot tune`
// and `earshot score --own` print it. Nothing changes by asking.
import type { SettingsEdit } from './settings-api.ts';

export interface TuneAnswer {
  agents: readonly TunedAgent[];
  /** For `POST /v1/settings/check`, if anything moves. */
  edits: readonly SettingsEdit[];
  /** False when the log has more records than are looked at; then the newest count. */
  complete: boolean;
  /** One sentence. */
  words: string;
}

export interface TunedAgent {
  agent: string;
  /** Corrections that still count, and those of them about lines that named nobody: only these can be learned from. */
  corrections: number;
  weighed: number;
  should: { answer: number; quiet: number };
  /** Of the weighed ones, how many the settings in force and the fitted ones decide as people want. */
  right: { now: number; fitted: number };
  /** The share that is right now: nine times in ten it is in here, by a Beta distribution. */
  interval: { low: number; high: number };
  attention: Fitted;
  bias: Fitted;
  /** The share of the draws that move the same way. */
  sure: number;
  moves: boolean;
  /** What it would be set to and how sure that is, or why it stays. */
  words: string;
}

/** Nine draws in ten are from `low` to `high`. */
export interface Fitted {
  now: number;
  fitted: number;
  low: number;
  high: number;
}
