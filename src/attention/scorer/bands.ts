// The dial. An agent's `attention` says how likely it must be that a line without any explicit sign is for it: at 50 as
// likely as not. Three bands follow: sure, unsure, not. `balanced` is where F1 was best on rooms kept aside (docs/scoring.md).
import { PROBABILITY_ONE } from './score.ts';

/** The notches of the dial, as numbers. */
export const ATTENTION = { quiet: 20, balanced: 55, keen: 80 } as const;
export type AttentionNotch = keyof typeof ATTENTION;
export const ATTENTION_NOTCHES = ['quiet', 'balanced', 'keen'] as const satisfies readonly AttentionNotch[];
export const ATTENTION_MOST = 100;

/** From here on a line is as good as addressed, whatever the dial says, unless the dial wants more. */
export const SURE = 800;

/** `sure`: as if the exchange were certain. `unsure`: the agent may answer, and is told that it need not. */
export type Band = 'sure' | 'unsure' | 'not';

/** What a probability must reach for the agent to hear the line as its own, in thousandths. */
export function engagesFrom(attention: number): number {
  return ((ATTENTION_MOST - attention) * PROBABILITY_ONE) / ATTENTION_MOST;
}

export function bandOf(probability: number, attention: number): Band {
  if (probability < engagesFrom(attention)) return 'not';
  return probability >= SURE ? 'sure' : 'unsure';
}

export function attentionNumber(attention: number | AttentionNotch): number {
  return typeof attention === 'number' ? attention : ATTENTION[attention];
}
