// The public surface of `earshot/attention`: the pure fold and what it needs.
export { accountAt, keyOf, ownerOf } from './accounts.ts';
export { putsTask } from './agent-talk.ts';
export { type Attended, attend, wakeAt } from './attend.ts';
export { claimsBy } from './attend-reaction.ts';
export { type ClaimRefusal, mayAnswer } from './claims.ts';
export { isPairingText } from './decide.ts';
export {
  type Decision,
  type DecisionOutcome,
  type Effect,
  type Lowering,
  type Trace,
  sameDecision,
  sameOutcome,
  startsTurn,
} from './decision.ts';
export { LADDER, type Rung, type RungId } from './directedness.ts';
export { holdsStatusWord, readIntent } from './intent/intent.ts';
export { mayCorrect, readCorrection, type SaidCorrection } from './intent/correction.ts';
export { languageOf } from './intent/language.ts';
export { type DialHere, dialHere } from './dial.ts';
export type { DialMove } from './intent/request-table.ts';
export type { RequestLanguage } from './intent/request-words.ts';
export { isUnsure } from './opinion.ts';
export { findPair } from './loop-guard.ts';
export { isPeerLoop } from './peer-turns.ts';
export { MATRIX, type MatrixRow, type RowId } from './matrix.ts';
export {
  askedNow,
  blockedOn,
  blocks,
  dischargeable,
  dischargersOf,
  type EscalatedItem,
  foldObligations,
  initialObligations,
  isAskedAbout,
  listOf,
  OBLIGATIONS_VERSION,
  type Obligation,
  type ObligationDirectory,
  type ObligationEffect,
  type ObligationOptions,
  type ObligationRow,
  type ObligationsState,
  obligationsAbout,
  openById,
  owes,
  toIdentity,
  type RefusalReason,
  obligationsWakeAt,
} from './obligations.ts';
export { createReplay, type Fed, type Folded, type Replay, type ReplaySnapshot } from './replay.ts';
export { matches, patternOf } from './pattern.ts';
export { dialRule } from './place-dial.ts';
export { PRESETS, type Preset } from './presets.ts';
export { denies } from './participants.ts';
export { recall } from './recent.ts';
export { type Place, type Roster, type RosterAgent, rosterFor } from './roster.ts';
export {
  ATTENTION,
  ATTENTION_MOST,
  ATTENTION_NOTCHES,
  type AttentionNotch,
  type Band,
  attentionNumber,
  SURE,
  bandOf,
  engagesFrom,
} from './scorer/bands.ts';
export { SCORER_VERSION } from './scorer/parameters.ts';
export {
  type AttentionLimits,
  ATTENTION_BIAS_MOST,
  type AttentionSettings,
  type AttentionSettingsInput,
  attentionSettingsSchema,
} from './settings.ts';
export {
  type AttentionState,
  type LoopCause,
  STATE_LIMITS,
  STATE_VERSION,
  agentKey,
  emptyState,
  shortKey,
} from './state.ts';
export { NewerState, STATE_MAX_BYTES, decodeState, encodeState } from './state-codec.ts';
export { directFacts } from './direct.ts';
export { mentionsOf } from './mentions.ts';
export { foldText, hashText } from './text.ts';
export { explainDecision, weighedSteps } from './trace.ts';
