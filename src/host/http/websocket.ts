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
import type { TokenIdentity } from '../security/scopes.ts';
import type { SessionIdentity } from '../harness/session.ts';
import type { ServerContext } from './context.ts';

interface Caller {
  identity: TokenIdentity;
  who: SessionIdentity;
}

export function serveWebSocket(server: Server, context: ServerContext): AttachedWebSocket {
  const { host, tokens, clock, connections } = context;
  const { settings, log } = host.context;
  const { allowedHosts } = settings;
  return attachWebSocket<Caller>(server, {
    clock,
    path: '/c2a',
    allowHost: (name) => checkRequest({ host: name, origin: undefined }, { allowedHosts }).ok,
    allowOrigin: (origin, request) =>
      checkRequest({ host: request.headers.host, origin }, { allowedHosts }).ok,
    async authenticate(_request, token): Promise<Authentication<Caller>> {
      if (token === undefined) return { ok: false, problem: 'Connect with a token (earshot token create).' };
      const known = await tokens.authenticate(token);
      if (!known.ok) return { ok: false, problem: 'This token is not valid here (earshot token create).' };
      const { identity } = known;
      const who = sessionIdentityOf(context, identity);
      if (who !== undefined) return { ok: true, identity: { identity, who } };
      return { ok: false, problem: `This token (${identity.kind} ${identity.subject}) cannot connect here.` };
    },
    onConnection(transport, { identity, who }) {
      let forget: (() => void) | undefined;
      const opened = (peer: Peer): void => {
        forget = connections.add(identity, () => peer.close('unauthorized'));
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
    const known = host.context.attention.agents.some(({ id }) => id === subject);
    return known ? { kind: 'agent', agent: subject } : undefined;
  }
  if (kind === 'surface' && scopes.includes('events:write') && sources.has(subject)) {
    return { kind: 'surface', surface: subject };
  }
  return undefined;
}
