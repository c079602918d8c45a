// WebSocket /c2a, for harnesses and surfaces in other processes. An upgrade passes the same checks as every request.
// Revoking a token closes its connections. While draining, the host accepts no new ones.
import type { Server } from 'node:http';
import type { Peer } from '../../transport/peer.ts';
import {
  type AttachedWebSocket,
  type Authentication,
  attachWebSocket,
} from '../../transport/websocket-server.ts';
import { checkRequest } from '../security/http-guard.ts';
import { refusedTokenWords } from '../security/refused-token.ts';
import type { TokenIdentity } from '../security/scopes.ts';
import type { SessionIdentity } from '../harness/session.ts';
import type { ServerContext } from './context.ts';
import { identify, TRY_LATER } from './identify.ts';

interface Caller {
  identity: TokenIdentity;
  who: SessionIdentity;
}

export function serveWebSocket(server: Server, context: ServerContext): AttachedWebSocket {
  const { host, clock, connections, strangers } = context;
  const { log } = host.context;
  return attachWebSocket<Caller>(server, {
    clock,
    path: '/c2a',
    allowHost: (name) => checkRequest({ host: name, origin: undefined }, host.context.settings).ok,
    allowOrigin: (origin, request) =>
      checkRequest({ host: request.headers.host, origin }, host.context.settings).ok,
    async authenticate(request, token): Promise<Authentication<Caller>> {
      strangers.upgrade(request);
      if (token === undefined) return { ok: false, problem: 'Connect with a token (earshot token create).' };
      const known = await identify(context, request, token);
      if (!known.ok) {
        if ('retryAfterMs' in known)
          return { ok: false, status: known.why === 'full' ? 503 : 429, problem: TRY_LATER[known.why] };
        return { ok: false, problem: refusedTokenWords(known) };
      }
      const { identity } = known;
      // Another host may have added the agent a moment ago.
      const { agentIds, changes } = host.context;
      if (identity.kind === 'agent' && !agentIds.has(identity.subject)) await changes.look();
      const who = sessionIdentityOf(context, identity);
      if (who !== undefined) return { ok: true, identity: { identity, who } };
      return { ok: false, problem: `This token (${identity.kind} ${identity.subject}) cannot connect here.` };
    },
    onConnection(transport, { identity, who }) {
      let forget: (() => void) | undefined;
      const opened = (peer: Peer): void => {
        forget = connections.add(identity, (words) => peer.close('unauthorized', words));
        void peer.closed.then(() => forget?.());
      };
      host.connect(transport, who).then(opened, (error: unknown) => {
        log.warn({ err: error, ...who }, 'a connection could not be opened');
        transport.close('going_away');
      });
    },
    onError: (error) => log.warn({ err: error }, 'a connection could not be taken'),
  });
}

function sessionIdentityOf(
  { host, sources }: ServerContext,
  identity: TokenIdentity,
): SessionIdentity | undefined {
  const { kind, subject, scopes } = identity;
  if (kind === 'agent' && scopes.includes('agent:connect')) {
    const known = host.context.agentIds.has(subject);
    return known ? { kind: 'agent', agent: subject } : undefined;
  }
  if (kind === 'surface' && scopes.includes('events:write') && sources.has(subject)) {
    return { kind: 'surface', surface: subject };
  }
  return undefined;
}
