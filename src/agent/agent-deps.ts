// What the parts of one connected agent share: ports and their defaults, limits, the session, and the few tables that
// span conversations.
import type { ComposeOptions } from '../compose/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { Asks } from './asks.ts';
import type { TurnEvent } from './event.ts';
import type { Ledger } from './ledger.ts';
import type { AgentLimits } from './limits.ts';
import type { AgentSession } from './session.ts';
import type { ListedTool } from './tools.ts';
import type { TurnHandler } from './turn.ts';
import type { Slots } from './working.ts';

/**
 * When an urgent event may interrupt a running turn that it cannot be merged with (another author, or something was
 * already sent): never; when the runner calls `turn.step()`; or at once, by aborting `turn.signal`.
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
  /** Whether a turn carries what was said before in its conversation. */
  threadWindow: boolean;
  /** Whether the model can call the chat tools. If not, the prompt names none. */
  modelTools: boolean;
  /** Whether the host is told what the model reads. */
  tellPrompts: boolean;
  compose: Partial<ComposeOptions>;
  /** Resolves once `onTurn` was called. */
  handler: Promise<TurnHandler>;
  /** The host's tool list, fetched once per connection. */
  tools: Promise<readonly ListedTool[]>;
  /** Questions that wait for their answers. */
  asks: Asks;
  /** Digests that wait for the next turn in any conversation. */
  digests: TurnEvent[];
}

/** Where the agent side reports what went wrong. */
export interface AgentLog {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** Prints what an author must know (a refused token, a handler that threw) and keeps quiet about the rest. */
export const consoleLog: AgentLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.warn(`earshot: ${message}`, fields),
  error: (fields, message) => console.error(`earshot: ${message}`, fields),
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Of these no word is made. An id that ended in "pWD" before a colon was taken for the name of a password. */
const ID_ALPHABET = '0123456789abcdef';
const ID_CHARS = 32;

/** Randomness without `node:crypto`, for Node, Bun and browsers. Tests pass a seeded one. */
export const webRandom: Random = {
  next: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
  id: () => characters(ID_CHARS, ID_ALPHABET),
  secret: (bytes) => characters(Math.ceil((bytes * 8) / 6), ALPHABET),
};

/** The length of the alphabet divides 256 evenly: no character is likelier than another. */
function characters(count: number, alphabet: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
}
