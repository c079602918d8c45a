// What a failed call of a platform means, and what the host is told of it. Every adapter reads its platform's errors as one
// of these, in one place.
import type { PostOutcome } from './surface.ts';

export type Failure =
  /** The platform did not do it, and says when to come back. */
  | { type: 'limited'; error: string; afterMs: number }
  /** The answer was lost: nobody knows whether it was done. */
  | { type: 'lost'; error: string }
  /** The login is dead. */
  | { type: 'account'; error: string }
  | { type: 'refused'; code: string; error: string };

export type Called<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export function outcomeOf(failure: Failure): PostOutcome {
  switch (failure.type) {
    case 'limited':
      return { type: 'retry', afterMs: failure.afterMs, error: failure.error };
    case 'lost':
      return { type: 'unknown', error: failure.error };
    case 'account':
      return { type: 'refused', scope: 'account', error: failure.error };
    case 'refused':
      return { type: 'refused', error: failure.error };
  }
}

/** A question that could not be answered says nothing about the post: it is asked again, or nobody can ever tell. */
export function findOutcomeOf(failure: Failure): PostOutcome {
  const { type, error } = failure;
  return type === 'refused' ? { type: 'unknowable', error } : { type: 'unknown', error };
}
