// What a caller is told when the store could not take its change, whatever way it came. All ways say the same: it was
// not acknowledged, and the same call may be made again after a while.
import { type WireError, wireError } from '../../protocol/errors.ts';
import { StoreError } from '../../store/store.ts';
import type { HostLog } from './change.ts';

export const STORE_RETRY = {
  /** A queue is empty, and a host is restarted, in about this time. */
  busyMs: 1_000,
  /** Nobody makes room on a disk within seconds. */
  noRoomMs: 5_000,
} as const;

export interface StoreRefusal {
  /** For sources and people. Ends in what to do. */
  message: string;
  /** For supervisors: why nothing can be stored. Without paths, because anybody may ask. */
  why: string;
  retryAfterMs: number;
}

/** Undefined for every other error, also for a bug in a unit: trying that again does not help. */
export function storeRefusal(error: unknown): StoreRefusal | undefined {
  if (!(error instanceof StoreError)) return undefined;
  switch (error.kind) {
    case 'no_room': {
      const message = 'The disk of the host is full, and this was not stored. Send the same again later.';
      return { message, why: 'the disk is full', retryAfterMs: STORE_RETRY.noRoomMs };
    }
    case 'closed': {
      const message = 'The host is stopping or restarting. Send the same again shortly.';
      return { message, why: 'the store takes no more', retryAfterMs: STORE_RETRY.busyMs };
    }
    case 'unavailable': {
      const message =
        'The database of the host cannot be reached, and this was not stored. Send the same again.';
      return { message, why: 'the database cannot be reached', retryAfterMs: STORE_RETRY.busyMs };
    }
    case 'full':
    case 'unknown': {
      const message = 'The store could not take this now. Send the same again.';
      return { message, why: 'the last commit failed', retryAfterMs: STORE_RETRY.busyMs };
    }
    case 'unit':
      return undefined;
  }
}

/** The same for whoever calls a method or a tool. */
export function storeWireError(error: unknown): WireError | undefined {
  const refusal = storeRefusal(error);
  if (refusal === undefined) return undefined;
  const { why, retryAfterMs } = refusal;
  return wireError('unavailable', { what: `The store (${why})`, retryAfterMs });
}

/** A store that cannot take anything is no bug: it gets one line and no stack, because it happens to every call. */
export function logFailure(
  log: Pick<HostLog, 'warn' | 'error'>,
  error: unknown,
  fields: Record<string, unknown>,
  message: string,
): void {
  if (storeRefusal(error) === undefined) log.error({ ...fields, err: error }, message);
  else log.warn({ ...fields, problem: (error as StoreError).message }, message);
}
