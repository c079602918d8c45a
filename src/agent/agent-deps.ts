// What the parts of one connected agent share: ports, bounds, the session, and the few tables that span conversations.
import type { ComposeOptions } from '../compose/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { AgentLog } from './agent-log.ts';
import type { Asks } from './asks.ts';
import type { TurnEvent } from './event.ts';
import type { Ledger } from './ledger.ts';
import type { AgentLimits } from './limits.ts';
import type { AgentSession } from './session.ts';
import type { Slots } from './slots.ts';
import type { ListedTool } from './tools.ts';
import type { TurnHandler } from './turn.ts';

/**
 * Where an urgent event may break into a running turn that it cannot simply be merged with (another author, or
 * something was sent): never; where the runner calls `turn.step()`; or at once, by aborting `turn.signal`.
 */
export type Interrupts = 'never' | 'tool_boundary' | 'anytime';

export interface AgentDeps {
  clock: Clock;
  random: Random;
  limits: AgentLimits;
  log: AgentLog;
  session: AgentSession;
  ledger: Ledger;
  slots: Slots;
  interrupts: Interrupts;
  typing: boolean;
  /** Whether turns carry what was said before in their conversation. */
  threadWindow: boolean;
  compose: Partial<ComposeOptions>;
  /** Resolves once `onTurn` was called. */
  handler: Promise<TurnHandler>;
  /** As the host lists them; fetched once a connection. */
  tools: Promise<readonly ListedTool[]>;
  /** Granted claims by the event claimed: tokens are attached here, never by a model. */
  claims: Map<string, number>;
  /** Questions that wait for their answers. */
  asks: Asks;
  /** For the next turn anywhere. */
  digests: TurnEvent[];
}
