// A harness without the SDK, frame by frame: it starts a turn for what it is handed and tells its answer as the test says.
import { onTestFinished } from 'vitest';
import type { GrowingResult } from '../../src/protocol/growing.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createPeer } from '../../src/transport/peer.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';
import type { Team } from '../surfaces/web/team.ts';

/** Tells the text of a turn, from the offset on. */
export interface Grow {
  (text: string, from?: number): Promise<GrowingResult>;
  turnId: string;
  streams: unknown;
}

export interface RawHarness {
  request(method: string, params: object): Promise<unknown>;
  /** Starts a turn for the next event that it is handed. */
  turn(): Promise<Grow>;
}

export async function rawHarness(
  { host }: Team,
  agent: string,
  { streaming = true }: { streaming?: boolean } = {},
): Promise<RawHarness> {
  const handed: string[] = [];
  const waiting: ((eventId: string) => void)[] = [];
  const token = host.tokens.agents[agent] ?? '';
  const transport = webSocketClient({
    url: `${host.url.replace('http', 'ws')}/c2a`,
    token,
    clock: systemClock,
  });
  const peer = createPeer(transport, {
    clock: systemClock,
    handlers: {
      ping: () => ({ ok: true, result: {} }),
      'chat/deliver': (params) => {
        const { eventId } = params as unknown as { eventId: string };
        const first = waiting.shift();
        if (first === undefined) handed.push(eventId);
        else first(eventId);
        return { ok: true, result: {} };
      },
    },
  });
  onTestFinished(() => peer.close('normal'));
  await peer.start();
  const request = async (method: string, params: object): Promise<unknown> => {
    const outcome = await peer.request(method, params, { timeoutMs: 60_000 });
    if (outcome.ok) return outcome.result;
    throw new Error(outcome.kind === 'error' ? outcome.error.message : outcome.kind);
  };
  const injection = { immediate: true, buffered: true, notify: true, tool_mailbox: true };
  await request('initialize', { protocolVersion: '2026-08-11', capabilities: { injection, streaming } });
  let turns = 0;
  return {
    request,
    async turn() {
      const eventId = handed.shift() ?? (await new Promise<string>((resolve) => void waiting.push(resolve)));
      const turnId = `turn-${++turns}`;
      const started = await request('turn/started', { turnId, eventIds: [eventId] });
      const place = { turnId, target: 'channel:general', visibility: 'channel', inReplyTo: eventId };
      const grow = (text: string, from = 0): Promise<GrowingResult> =>
        request('turn/growing', { ...place, from, text }) as Promise<GrowingResult>;
      return Object.assign(grow, { turnId, streams: (started as { streams?: unknown }).streams });
    },
  };
}
