// The cast of the tests about obligations: an author and its lead (boss), a worker and its lead (chief), each connected
// over a real transport, and the ways in which one of them owes another an answer.
import { type WireHost, type WireHostOptions, wireHost } from './host.ts';
import {
  type HarnessOptions,
  harness,
  type ToolResult,
  type Way,
  webhookFor,
  type WireHarness,
} from './ways.ts';

/** The interval after which a debt comes back to its recipient. Shorter than in production, to save steps. */
export const RETURN_MS = 60_000;
/** How far time may jump at once while nothing but returns is waited for. Sessions are pinged every five seconds. */
export const STEP_MS = 5_000;

const AGENTS = [
  { id: 'author', lead: 'boss' },
  { id: 'worker', lead: 'chief' },
  { id: 'chief' },
  { id: 'boss' },
];

const INTERVALS = {
  immediate: RETURN_MS / 2,
  buffered: RETURN_MS,
  notify: 2 * RETURN_MS,
  tool_mailbox: 2 * RETURN_MS,
};

export interface Cast {
  wire: WireHost;
  /** Connects an agent: the tested one over the tested way, every other over WebSocket. */
  join: (agent: string, options?: HarnessOptions) => Promise<WireHarness>;
}

/** A host on which `tested` connects over `way`. */
export async function cast(way: Way, tested: string, options: WireHostOptions = {}): Promise<Cast> {
  const webhooks = way === 'webhook' ? [await webhookFor(tested)] : [];
  const wire = await wireHost({
    agents: AGENTS,
    obligations: { intervalsMs: INTERVALS },
    ...options,
    host: { ...options.host, webhooks },
  });
  return {
    wire,
    join: (agent, more = {}) => {
      const used = agent === tested ? way : 'websocket';
      const declared = used === 'websocket' ? { capabilities: { obligations: true } } : {};
      return harness(wire, agent, used, { ...declared, ...more });
    },
  };
}

let asked = 0;

/** The agent asks another one, by direct message, and is blocked until it is answered. */
export async function askBlocked(
  from: WireHarness,
  to: string,
  text: string,
  obligation: Record<string, unknown> = {},
): Promise<string> {
  const sent = await from.tool('chat.send_message', {
    target: `agent:${to}`,
    text,
    visibility: 'dm',
    directedness: 'to_me',
    obligation: { blocks: 'halted', defaultAction: 'I wait.', ...obligation },
    idempotencyKey: `asked-${++asked}`,
  });
  if (!sent.ok) throw new Error(`${sent.name}: ${sent.message}`);
  return String(sent.result['eventId']);
}

export interface OwedRow {
  eventId: string;
  author: string;
  recipient: string;
  state: string;
  [more: string]: unknown;
}

export async function openSet(who: WireHarness, query: string): Promise<OwedRow[]> {
  return resultIn(await who.tool('chat.open_set', { query }))['obligations'] as OwedRow[];
}

/** The result of a call. Fails the test when it was refused. */
export function resultIn(answer: ToolResult): Record<string, unknown> {
  if (!answer.ok) throw new Error(`${answer.name}: ${answer.message}`);
  return answer.result;
}
