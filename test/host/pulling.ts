// An agent that pulls, as a test sees it: the calls of `POST /c2a`, without a socket. It keeps no session.
import { methodsFor } from '../../src/host/http/routes/c2a.ts';
import { Call } from '../../src/transport/requests.ts';
import { type Handed, textOfEvent } from './harness.ts';
import type { World } from './world.ts';

export interface Pulling {
  /** What is ready now: the ids of the deliveries, with the words of each. */
  pull(): Promise<Record<string, string>>;
  start(turnId: string, ...eventIds: string[]): Promise<{ superseded: string[] }>;
  end(turnId: string, outcome: 'answered' | 'silent' | 'cancelled' | 'failed'): Promise<unknown>;
  /** The name of the refusal, if there is one. */
  reply(inReplyTo: string, text: string, turnId: string): Promise<string | undefined>;
}

interface ToolResult {
  events?: Handed[];
  data?: { name: string };
}

export function pulling(w: World, agent: string): Pulling {
  let calls = 0;
  const call = async (method: string, params: Record<string, unknown>): Promise<unknown> => {
    const run = methodsFor({ host: w.host }, { agent })[method];
    const answer = await run?.(params, new Call(++calls, method));
    if (answer?.ok !== true) throw new Error(`${method} was refused: ${answer?.error.message}`);
    await w.advance(0);
    return answer.result;
  };
  const tool = async (name: string, args: Record<string, unknown>): Promise<ToolResult> => {
    const result = (await call('tools/call', { name, arguments: args })) as { structuredContent: ToolResult };
    return result.structuredContent;
  };
  return {
    async pull() {
      const { events = [] } = await tool('chat.wait_events', { timeoutMs: 0 });
      return Object.fromEntries(events.map((event) => [event.eventId, textOfEvent(event)]));
    },
    start: async (turnId, ...eventIds) =>
      (await call('turn/started', { turnId, eventIds })) as { superseded: string[] },
    end: (turnId, outcome) => call('turn/ended', { turnId, outcome }),
    async reply(inReplyTo, text, turnId) {
      const sent = await tool('chat.send_message', {
        target: 'channel:C1',
        text,
        inReplyTo,
        turnId,
        visibility: 'channel',
        directedness: 'to_other',
        idempotencyKey: `${turnId}:${text}`,
      });
      return sent.data?.name;
    },
  };
}
