// What a runner can do with the agent it runs. Declared, not guessed: the connection is made to fit it, and nobody is
// promised an interrupt that would never arrive.
import type { Interrupts } from '../agent-deps.ts';

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
