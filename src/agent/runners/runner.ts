// What every runner is: a handler for `onTurn` with declared capabilities and a `close`. Capabilities are declared, so
// that nobody is promised an interrupt that would never arrive.
import type { Interrupts } from '../agent-deps.ts';
import type { Turn } from '../turn.ts';

export interface Runner {
  /** Runs one turn. Resolves when it is over. Throws when it has failed; the host then delivers its events again. */
  (turn: Turn): Promise<void>;
  readonly capabilities: RunnerCapabilities;
  /** Stops running turns and starts no more. Resolves when they have ended. A second call kills without waiting. */
  close(): Promise<void>;
}

/** What a runner can do with the agent it runs. The connection is set up to fit it. */
export interface RunnerCapabilities {
  /** A turn can start it. It need not be running before. */
  readonly wake: boolean;
  /** It can take in a message in the middle of its work. */
  readonly steer: boolean;
  /** Its work can be stopped in the middle. */
  readonly cancel: boolean;
  /** Deliveries are acknowledged, and settled by how the turn ends. */
  readonly ack: boolean;
  /** Its model can call the chat tools, so that the prompt may name them. Missing: yes. */
  readonly tools?: boolean;
}

/** For `connect`: when an urgent event may interrupt. */
export function interruptsOf({ steer, cancel }: RunnerCapabilities): Interrupts {
  if (steer) return 'tool_boundary';
  return cancel ? 'anytime' : 'never';
}
