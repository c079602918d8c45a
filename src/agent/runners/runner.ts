// What every runner is: a handler for `onTurn` that says what it can do and can be ended.
import type { Interrupts } from '../agent-deps.ts';
import type { Turn } from '../turn.ts';

export interface Runner {
  /** One turn. Resolves when it is over; throws when it has failed, and the host hands its events over again. */
  (turn: Turn): Promise<void>;
  readonly capabilities: RunnerCapabilities;
  /** Stops what runs, and resolves when it has ended; called again, does not wait for its manners. Nothing starts any more. */
  close(): Promise<void>;
}

/** What a runner can do with the agent it runs. The connection is set up to fit it. */
export interface RunnerCapabilities {
  /** A turn starts it: it need not be running before. */
  readonly wake: boolean;
  /** It can be told something in the middle of its work. */
  readonly steer: boolean;
  /** Its work can be stopped in the middle. */
  readonly cancel: boolean;
  /** What it is handed is acknowledged, and settled by how its turn ends. */
  readonly ack: boolean;
}

/** For `connect`: where something urgent may break in. */
export function interruptsOf({ steer, cancel }: RunnerCapabilities): Interrupts {
  if (steer) return 'tool_boundary';
  return cancel ? 'anytime' : 'never';
}
