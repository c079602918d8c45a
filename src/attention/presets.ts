// The two presets of the engine. `default` is Earshot's own. `typeclaw` is the engagement system of
// spec/typeclaw-engagement.txt, exactly: it reads no content, has one-shot credits and an advisory loop guard.
// A preset is data, rungs and switches. There is no second code path.
import type { RungId } from './directedness.ts';
import type { Stickiness } from './settings.ts';

export interface Preset {
  /** The rungs of the ladder that count. */
  rungs: ReadonlySet<RungId>;
  stickiness: Stickiness;
  /** `called`: a name counts where it calls somebody (called.ts). `substring`: it may be anywhere. */
  names: 'called' | 'substring';
  /** Whether one agent answers a lone human, or each does. */
  solo: 'one_agent' | 'per_agent';
  /** `advisory`: the guard never goes to level 2. */
  loopGuard: 'enforced' | 'advisory';
  /** When the model is told that several humans are present. */
  groupNotice: 'when_unsure' | 'always';
  /** A reply to a thread's root is a reply to its author, not merely a message in the thread. */
  rootIsReply: boolean;
  /** What the platform calls a direct message is one, whoever has spoken there. */
  dmByKind: boolean;
  /** False: no intent is read from the words. */
  readsIntent: boolean;
  /** Whether the learned scorer weighs what has no explicit sign. */
  scores: boolean;
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
    names: 'called',
    solo: 'one_agent',
    loopGuard: 'enforced',
    groupNotice: 'when_unsure',
    rootIsReply: false,
    dmByKind: false,
    readsIntent: true,
    scores: true,
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
    rootIsReply: true,
    dmByKind: true,
    readsIntent: false,
    scores: false,
  },
};
