// What a caller is told whose claim was refused, by chat.claim or by a reaction that claims.
import type { Effect } from '../../attention/index.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
import type { Unclaimable } from '../../protocol/log-record.ts';

const PROBLEMS: Readonly<Record<Unclaimable, string>> = {
  for_other: 'it is for somebody else',
  asks_nothing: 'it asks for nothing',
  deleted: 'it was deleted',
};

/** `effect`: the fold's answer to the claim. */
export function claimRefused(effect: Effect | undefined, now: number): WireError {
  if (effect?.type !== 'claim_refused') return wireError('stale_token');
  switch (effect.why) {
    case 'held':
    case 'answered':
      return wireError('claimed_by_other', { holder: `agent:${effect.holder}` });
    case 'for_other':
    case 'asks_nothing':
    case 'deleted':
      return wireError('not_claimable', { problem: PROBLEMS[effect.why] });
    case 'limit':
      return wireError('rate_limited', { retryAfterMs: Math.max(0, effect.until - now) });
    case 'not_holder':
    case 'stale_token':
      return wireError('stale_token');
  }
}
