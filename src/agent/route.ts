// What becomes of a delivered event on this side, decided by its policy and mode alone.
// The harness obeys in code: nothing that must not be answered, or only be acknowledged, ever reaches a handler.
import type { TurnEvent } from './event.ts';

export type DeliveryRoute =
  /** Into the compose window, then a turn. */
  | 'fragment'
  /** A turn of its own, with the knock alone: it must be answered, or is offered. */
  | 'knock'
  /** Waits for the next turn in its conversation. */
  | 'ride'
  /** Waits for the next turn anywhere. */
  | 'ride_anywhere'
  /** Acknowledged, and that is all. It stays readable through tools. */
  | 'drop';

export function routeOf({
  policy,
  mode,
  notices,
}: Pick<TurnEvent, 'policy' | 'mode' | 'notices'>): DeliveryRoute {
  if (mode === 'digest') return 'ride_anywhere';
  if (policy === 'ack_only' || mode === 'tool_mailbox' || mode === 'silent') return 'drop';
  if (policy === 'must_not_respond') return mode === 'notify' ? 'ride' : 'drop';
  if (mode === 'immediate' || mode === 'buffered') return 'fragment';
  return policy === 'must_respond' || notices.includes('claim_first') ? 'knock' : 'ride';
}
