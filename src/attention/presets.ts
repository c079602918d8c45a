// The two ways the engine can behave. `default` is Earshot's own; `typeclaw` is the engagement system of
// spec/typeclaw-engagement.txt as it stands there: content-blind, one-shot credits, an advisory loop guard.
// A preset is data: rungs and switches, never a second code path.
import type { RungId } from './directedness.ts';
import type { Stickiness } from './settings.ts';

export interface Preset {
  /** Rungs of the ladder that are looked at. */
  rungs: ReadonlySet<RungId>;
  stickiness: Stickiness;
  /** `bounded`: a name is a word where the script has words. `substring`: anywhere. */
  names: 'bounded' | 'substring';
  /** A lone human is answered by at most one agent, or by each. */
  solo: 'one_agent' | 'per_agent';
  /** `advisory`: level 2 does not exist. */
  loopGuard: 'enforced' | 'advisory';
  /** When the model is told that several humans are present. */
  groupNotice: 'when_unsure' | 'always';
  /** Content-blind: no intent is read from the words. */
  readsIntent: boolean;
  /** People's own names at the head of a message count as aiming it at them. */
  namesPeople: boolean;
}

const EVERY_RUNG: readonly RungId[] = [
  'self',
  'obligation',
  'left',
  'direct_message',
  'mention',
  'reply',
  'assignment',
  'fragment',
  'exchange',
  'name',
  'role_mention',
  'addressed_elsewhere',
  'agent_no_task',
  'owned_thread',
  'solo_human',
  'thread_question',
  'thread_participation',
  'ambient',
];

export const PRESETS: Record<'default' | 'typeclaw', Preset> = {
  default: {
    rungs: new Set(EVERY_RUNG),
    stickiness: 'exchange',
    names: 'bounded',
    solo: 'one_agent',
    loopGuard: 'enforced',
    groupNotice: 'when_unsure',
    readsIntent: true,
    namesPeople: true,
  },
  typeclaw: {
    rungs: new Set([
      'self',
      'direct_message',
      'mention',
      'reply',
      'exchange',
      'name',
      'addressed_elsewhere',
      'solo_human',
      'ambient',
    ]),
    stickiness: 'one_shot',
    names: 'substring',
    solo: 'per_agent',
    loopGuard: 'advisory',
    groupNotice: 'always',
    readsIntent: false,
    namesPeople: false,
  },
};
