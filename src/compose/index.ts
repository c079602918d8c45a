// The public surface of `earshot/compose`: the window that turns fragments of chat into one turn. The agent SDK folds
// it in the harness; the host folds it for harnesses that do not declare `buffered`. Protocol for the caller: on
// `cancel_and_restart` stop the model and let the host fence the old turn. If that turn has sent something, fold
// `sent` with the number in `cancels`. Otherwise start, and fold `turn_started` with the new number.
export { COMPOSE_DEFAULTS } from './options.ts';
export type { ComposeOptions } from './options.ts';
export {
  GAP_EDGES_MS,
  RHYTHM_LIMITS,
  WINDOW_EDGES_MS,
  addsWithinMs,
  goesOnMs,
  noteAnswered,
  noteSaid,
} from './rhythm.ts';
export type { Rhythm } from './rhythm.ts';
export { COMPOSE_VERSION, compose, initialCompose, wakeAt } from './compose.ts';
export type {
  ComposeInput,
  ComposeOutput,
  ComposeState,
  Edited,
  FragmentInput,
  Injection,
  LeadIn,
} from './compose.ts';
