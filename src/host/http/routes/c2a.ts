// POST /c2a: the protocol for harnesses that pull. A request holds one JSON-RPC message or a batch; `chat.wait_events`
// is a long poll. The token names the agent. A caller that sends no `initialize` gets the base profile.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Agreement,
  DEFAULT_HOST_OFFER,
  negotiate,
  VERSION_HEADER,
} from '../../../protocol/initialize.ts';
import { METHODS } from '../../../protocol/methods.ts';
import { readParams } from '../../../protocol/read-params.ts';
import type { RpcHandlers } from '../../../transport/requests.ts';
import { createHttpEndpoint } from '../../../transport/http-server.ts';
import { BODY_LIMITS } from '../../security/http-guard.ts';
import { agentMethods, agentNotification, gated } from '../../harness/session.ts';
import { ok, refusedByStore, withinRate } from '../../harness/share.ts';
import type { ServerContext } from '../context.ts';
import { HttpError, unavailable } from '../http-error.ts';
import { authorized } from '../request.ts';

export function c2aRoutes(app: FastifyInstance, context: ServerContext): void {
  const { host } = context;
  const endpoint = createHttpEndpoint<Caller>({
    handlersFor: (caller) => methodsFor(context, caller),
    answerTo: refusedByStore,
    onNotification: ({ agent, agreement = host.agreements.overHttp(agent) }, method, params) =>
      agentNotification(host.sessionDeps, agent, agreement, method, params),
    onError: (error) => host.context.log.error({ err: error }, 'a call over HTTP failed'),
  });
  app.post('/c2a', { bodyLimit: BODY_LIMITS.rpcBytes }, async (request, reply) => {
    if (context.drain.draining) throw unavailable('The host is stopping. Call again shortly.');
    const { subject: agent } = await authorized(context, request, 'agent:connect');
    // Another host may have added it a moment ago.
    if (!host.context.agentIds.has(agent)) await host.context.changes.look();
    knownAgent(context, agent);
    await host.agreements.renew(agent);
    const identity = { agent, ...versionNamed(request) };
    const contentType = request.headers['content-type'];
    const body = request.body instanceof Uint8Array ? request.body : '';
    const signal = untilGone(reply, context.drain.signal);
    const { status, headers, body: text } = await endpoint({ identity, body, contentType, signal });
    return sendText(reply, status, headers, text);
  });
  app.get('/c2a', (_request: FastifyRequest, reply: FastifyReply) => {
    const message = 'Open a WebSocket here, or POST JSON-RPC.';
    return reply
      .code(426)
      .header('upgrade', 'websocket')
      .send({ error: { code: 'upgrade_required', message } });
  });
}

function sendText(
  reply: FastifyReply,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): FastifyReply {
  return reply.code(status).headers(headers).send(text);
}

export function knownAgent({ host }: ServerContext, agent: string): void {
  if (host.context.agentIds.has(agent)) return;
  throw new HttpError(
    403,
    'forbidden',
    `This token is for the agent "${agent}", which is not in the configuration.`,
  );
}

/** A reason that costs nothing: an answer ends for every request, and an error of its own would take a stack each time. */
const GONE = 'the caller is gone';

/** A signal that aborts when the caller disconnects or the host begins to drain. A long poll then ends. */
function untilGone(reply: FastifyReply, drain: AbortSignal): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort(GONE));
  return AbortSignal.any([gone.signal, drain]);
}

interface Caller {
  agent: string;
  /** From the version that the request itself names. */
  agreement?: Agreement;
}

function versionNamed({ headers }: FastifyRequest): Pick<Caller, 'agreement'> {
  const protocolVersion = headers[VERSION_HEADER];
  if (typeof protocolVersion !== 'string') return {};
  const negotiated = negotiate({ protocolVersion });
  if (negotiated.ok) return { agreement: negotiated.agreement };
  throw new HttpError(400, negotiated.error.data.name, negotiated.error.message);
}

/** The methods of one caller. */
export function methodsFor({ host }: Pick<ServerContext, 'host'>, { agent, agreement }: Caller): RpcHandlers {
  return {
    ...agentMethods(host.sessionDeps, agent, () => agreement ?? host.agreements.overHttp(agent)),
    initialize: gated(host.context.gate, async (params) => {
      const read = readParams(METHODS.initialize.params, params);
      if (!read.ok) return read;
      const negotiated = negotiate(read.value, DEFAULT_HOST_OFFER);
      if (!negotiated.ok) return negotiated;
      return withinRate(host.context.shares, `agent:${agent}`, 'sessions', async () => {
        await host.agreements.note(agent, negotiated.agreement, 'http');
        return ok({ ...negotiated.agreement, serverInfo: { name: 'earshot' }, agent: `agent:${agent}` });
      });
    }),
  };
}
