// What an error of PostgreSQL or of the connection means for a batch, and in words for whoever runs Earshot.
import { StoreError } from '../store.ts';

/**
 * `stale`: another node has changed what the batch saw. `repeated`: a row that was taken for new is stored. `locked`:
 * somebody held a lock for too long, or two waited for each other. `fenced`: this node was taken for dead. `lost`: the
 * connection ended, so nobody knows what became of the last statement. `refused`: nothing was stored.
 */
export type Fault = 'stale' | 'repeated' | 'locked' | 'fenced' | 'lost' | 'no_room' | 'refused';

const FAULTS: Readonly<Record<string, Fault>> = {
  EA001: 'stale',
  EA002: 'stale',
  EA003: 'fenced',
  '23505': 'repeated',
  '55P03': 'locked',
  '40P01': 'locked',
  '40001': 'locked',
  '53100': 'no_room',
  // A limit of time has ended the connection, or the server stops, starts or gives over to another.
  '25P03': 'lost',
  '25P04': 'lost',
  '57P01': 'lost',
  '57P02': 'lost',
  '57P03': 'lost',
  '25006': 'lost',
  '53300': 'lost',
};

/** Undefined when the error is neither PostgreSQL's nor the connection's. */
export function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && 'severity' in error) {
    return FAULTS[code] ?? (code.startsWith('08') ? 'lost' : 'refused');
  }
  return isSystemCode(code) || LOST.test(error.message) ? 'lost' : undefined;
}

/** A state is stale, whatever the rows are. */
export function isStaleState(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'EA001';
}

/** ECONNRESET and the like. */
function isSystemCode(code: unknown): boolean {
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code);
}

/** What `pg` says of a connection that is gone. */
const LOST = /connection terminated|connection is lost|not queryable|query read timeout|timeout expired/i;

export function unavailable(what: string, cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreError('unavailable', `${what} (${why})`, { cause });
}
