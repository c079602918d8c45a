// The public surface of `earshot/attention`: the pure fold and what it needs.
export { denies, isPairingText } from './admission.ts';
export { type Attended, attend, wakeAt } from './attend.ts';
export { type ClaimRefusal, mayAnswer } from './claims.ts';
export { type Decision, type Effect, type Lowering, type Trace, startsTurn } from './decision.ts';
export { LADDER, type Rung, type RungId } from './directedness.ts';
export { keyOf } from './heard.ts';
export { readIntent } from './intent/intent.ts';
export { holdsStatusWord } from './intent/status-words.ts';
export { agentKey, shortKey } from './keys.ts';
export { MATRIX, type MatrixRow, type RowId } from './matrix.ts';
export {
  blockedOn,
  blocks,
  foldObligations,
  initialObligations,
  OBLIGATIONS_VERSION,
  type Obligation,
  type ObligationDirectory,
  type ObligationEffect,
  type ObligationOptions,
  type ObligationRow,
  type ObligationsState,
  owes,
  type RefusalReason,
  obligationsWakeAt,
} from './obligations.ts';
export { createReplay, type Fed, type Folded, type Replay, type ReplaySnapshot } from './replay.ts';
export { PRESETS, type Preset } from './presets.ts';
export { type Place, type Roster, type RosterAgent, rosterFor } from './roster.ts';
export {
  type AttentionLimits,
  type AttentionSettings,
  type AttentionSettingsInput,
  attentionSettingsSchema,
} from './settings.ts';
export { type DecisionOutcome, sameDecision, sameOutcome } from './same-outcome.ts';
export { type AttentionState, STATE_LIMITS, STATE_VERSION, emptyState } from './state.ts';
export { NewerState, STATE_MAX_BYTES, decodeState, encodeState } from './state-codec.ts';
export { foldText, hashText } from './text.ts';
export { explainDecision } from './trace.ts';
