// Receives a host's webhook, as one function from Request to Response. It verifies the signature, reads the delivery,
// calls `onEvent` once per event even if it is posted several times, and returns the reply for the host to carry out.
// It never calls `onEvent` when the policy does not allow an answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { decode, type RpcRequest } from '../../protocol/jsonrpc.ts';
import type { Signal } from '../../protocol/vocabulary.ts';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import { readCapped } from '../../transport/http-response.ts';
import { verifyWebhook } from '../../transport/webhook-signature.ts';
import { type AgentLog, consoleLog, webRandom } from '../agent-deps.ts';
import { type TurnEvent, routeOf, untrustedTexts } from '../event.ts';
import { chooseFence } from '../fence.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { namesFor } from '../names.ts';
import { renderPrefix } from '../prefix.ts';
import { renderTurn } from '../prompt.ts';
import { readEvent, readIdentity, readParticipants, record, string } from '../read-event.ts';
import { NO_TOOLS, spoken } from '../rules.ts';
import type { RunnerCapabilities } from './runner.ts';

export const WEBHOOK_CAPABILITIES = {
  wake: true,
  steer: false,
  cancel: true,
  ack: true,
  tools: false,
} as const satisfies RunnerCapabilities;

export const WEBHOOK_HANDLER_LIMITS = {
  /** The size of one request. A larger one is refused. */
  bodyBytes: 1_048_576,
  /** Answers kept in case a delivery is posted again. The oldest is forgotten. */
  remembered: 1_000,
} as const;

/** What `onEvent` gets. */
export interface WebhookTurn {
  /** Its `text`, `attachments` and `obligation` were written by somebody in chat. Untrusted. */
  event: TurnEvent;
  /** The standing rules and the event as one string for a model. `system` and `user` are its two halves. */
  prompt: string;
  system: string;
  user: string;
  /** Aborts when the event is withdrawn. The host would drop an answer. */
  signal: AbortSignal;
}

/** A text is the reply. NO_REPLY, an empty text or nothing at all is silence. */
export type WebhookReply = string | { react: Signal } | void;

export interface WebhookOptions {
  /** `whsec_…`, as configured at the host. Several while a secret is being replaced. */
  secret: string | readonly string[];
  onEvent: (turn: WebhookTurn) => WebhookReply | Promise<WebhookReply>;
  clock?: Clock;
  random?: Random;
  log?: AgentLog;
}

/** What the host reads in the response. */
type Body = { reply: string } | { react: Signal } | { claim: true } | { silent: true };

interface Asked {
  answer: Promise<Body>;
  abort: AbortController;
}

const RETRYABLE = 500;

export function webhookHandler(options: WebhookOptions): (request: Request) => Promise<Response> {
  const { secret, clock = systemClock, log = consoleLog } = options;
  const asked = new Map<string, Asked>();

  const ask = (event: TurnEvent, params: unknown): Promise<Body> => {
    const known = asked.get(event.eventId);
    if (known !== undefined) return known.answer;
    const abort = new AbortController();
    const answer = answerTo(options, event, params, abort.signal);
    remember(asked, event.eventId, { answer, abort });
    // After a failure, the next post asks again.
    answer.catch(() => asked.delete(event.eventId));
    return answer;
  };

  const deliver = async ({ params }: RpcRequest): Promise<Response> => {
    const read = readEvent(params);
    if (!read.ok) return refuse(400, read.problem);
    const { event } = read;
    const route = routeOf(event);
    if (route === 'knock' && event.notices.includes('claim_first')) return json({ claim: true });
    if (route !== 'fragment' && route !== 'knock') return new Response(null, { status: 204 });
    try {
      return json(await ask(event, params));
    } catch (error) {
      log.error({ err: error, event: event.eventId }, 'onEvent failed; the host posts it again');
      return refuse(RETRYABLE, 'onEvent failed');
    }
  };

  return async (request) => {
    if (request.method !== 'POST') return refuse(405, 'deliveries are posted');
    const read = await readCapped(new Response(request.body), WEBHOOK_HANDLER_LIMITS.bodyBytes);
    if (!read.ok) return refuse(read.problem === 'too_large' ? 413 : RETRYABLE, read.problem);
    const verified = verifyWebhook(secret, Object.fromEntries(request.headers), read.text, clock.now());
    if (!verified.ok) return refuse(401, `the signature does not hold: ${verified.problem}`);
    const decoded = decode(read.text);
    const message = decoded.ok ? decoded.messages[0] : undefined;
    if (message?.kind === 'request' && message.method === 'chat/deliver') return deliver(message);
    if (message?.kind === 'notification' && message.method === 'notifications/cancelled') {
      const eventId = string(record(message.params)['eventId']) ?? '';
      asked.get(eventId)?.abort.abort();
    }
    return message === undefined ? refuse(400, 'no JSON-RPC message') : new Response(null, { status: 204 });
  };
}

async function answerTo(
  { onEvent, random = webRandom }: WebhookOptions,
  event: TurnEvent,
  params: unknown,
  signal: AbortSignal,
): Promise<Body> {
  const fields = record(params);
  const agent = string(fields['agent'])?.replace(/^agent:/, '') ?? '';
  const participants = readParticipants(fields);
  const voice = { agent, names: namesFor(participants, agent), tools: NO_TOOLS };
  const identity = readIdentity(fields['identity']);
  const system = renderPrefix({ ...voice, identity, participants, conversation: event.conversation });
  const input = { events: [event], seen: [], knocks: [], digests: [], ...voice };
  const user = renderTurn(input, chooseFence(random, untrustedTexts(event)), AGENT_LIMITS);
  const prompt = `${system}\n\n${user}`;
  const answer = await onEvent({ event, prompt, system, user, signal });
  if (typeof answer === 'object') return { react: answer.react };
  const said = spoken(answer ?? '');
  return said === undefined ? { silent: true } : { reply: said };
}

function remember(asked: Map<string, Asked>, eventId: string, one: Asked): void {
  asked.set(eventId, one);
  const [oldest] = asked.keys();
  if (asked.size > WEBHOOK_HANDLER_LIMITS.remembered && oldest !== undefined) asked.delete(oldest);
}

function json(body: Body): Response {
  return Response.json(body);
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

/** A fetch-style handler as a listener of node:http: `createServer(nodeListener(handler))`. */
export function nodeListener(
  handler: (request: Request) => Promise<Response>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming, outgoing) => {
    answerOver(handler, incoming, outgoing).catch(() => {
      // The handler answers every request it can read, so the caller is probably gone.
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
    });
  };
}

async function answerOver(
  handler: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', headers } = incoming;
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' as const } : {};
  // The handler ignores the address. The signature says whose request it is.
  const response = await handler(new Request('http://webhook.invalid/', { method, headers: given, ...body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
}
