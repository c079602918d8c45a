// What every runner is: a handler for `onTurn` that says what it can do and can be ended.
import type { Turn } from '../turn.ts';
import type { RunnerCapabilities } from './capabilities.ts';

export interface Runner {
  /** One turn. Resolves when it is over; throws when it has failed, and the host hands its events over again. */
  (turn: Turn): Promise<void>;
  readonly capabilities: RunnerCapabilities;
  /** Stops what runs, and resolves when it has ended; called again, does not wait for its manners. Nothing starts any more. */
  close(): Promise<void>;
}
