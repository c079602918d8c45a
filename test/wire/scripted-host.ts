// A host of somebody else's making, over a real socket: it takes everything, and delivers what the test says. For
// promises of the agent's side that our own host never puts to the test.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/runtime/clock.ts';
import { createPeer, type Peer } from '../../src/transport/peer.ts';
import type { RpcHandlers } from '../../src/transport/requests.ts';
import { attachWebSocket } from '../../src/transport/websocket-server.ts';

export interface ScriptedHost {
  url: string;
  deliver(event: object): Promise<unknown>;
  /** How many messages the agent has sent, and how many turns have ended. */
  sent(): number;
  ended(): number;
  /** What the agent said of the turns that ended. */
  endings: readonly unknown[];
}

/** `more`: what it does otherwise for some of the calls. */
export async function scriptedHost(clock: Clock, more: RpcHandlers = {}): Promise<ScriptedHost> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  let agent: Peer | undefined;
  let sends = 0;
  const endings: unknown[] = [];
  attachWebSocket(server, {
    clock,
    path: '/c2a',
    authenticate: () => ({ ok: true, identity: 'lead' }),
    onConnection: (transport) => {
      const peer = createPeer(transport, {
        clock,
        handlers: {
          initialize: ok({ protocolVersion: '2026-06-02', agent: 'agent:lead' }),
          'tools/list': ok({ tools: [] }),
          'turn/started': ok({}),
          'turn/ended': (params) => {
            endings.push(params);
            return { ok: true, result: { sendsCommitted: 0 } };
          },
          'tools/call': () => {
            sends += 1;
            return { ok: true, result: { content: [{ type: 'text', text: '{}' }], structuredContent: {} } };
          },
          ...more,
        },
      });
      agent = peer;
      void peer.start();
    },
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as { port: number }).port}/c2a`,
    deliver: (event) => agent?.request('chat/deliver', event) ?? Promise.resolve(undefined),
    sent: () => sends,
    ended: () => endings.length,
    endings,
  };
}

function ok(result: object) {
  return () => ({ ok: true as const, result });
}
