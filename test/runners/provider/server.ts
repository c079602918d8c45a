// A model provider on the loopback: speaks both protocols, answers by a script, keeps what it was asked, and refuses what
// the real services refuse. Nothing here knows what is being tested.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ANTHROPIC_PATH,
  anthropicBody,
  anthropicError,
  anthropicEvents,
  readAnthropic,
} from './anthropic.ts';
import { OPENAI_PATH, openaiBody, openaiError, openaiEvents, readOpenai } from './openai.ts';
import {
  type Fields,
  fields,
  type Protocol,
  type ProviderReply,
  type ProviderRequest,
  type ProviderScript,
  Refused,
  type Said,
} from './script.ts';

export type { ProviderReply, ProviderRequest, ProviderScript } from './script.ts';

export interface Provider {
  /** For `OPENAI_BASE_URL` and `createOpenAICompatible`: with the version. */
  openaiUrl: string;
  /** For `ANTHROPIC_BASE_URL`: without it. `createAnthropic` wants `/v1` after it. */
  anthropicUrl: string;
  /** The one key it takes. */
  key: string;
  /** All that were not refused, in order. */
  requests: readonly ProviderRequest[];
  /** What was refused, and why. */
  refusals: readonly string[];
  /** Resolves with the nth request, from 1, once it is here. */
  request(nth: number): Promise<ProviderRequest>;
  close(): Promise<void>;
}

/** The wait between two tries that a client is told to keep, so that tests need not wait. */
const RETRY_AFTER_MS = '1';

export async function startProvider(
  script: ProviderScript,
  { key = 'test-key' }: { key?: string } = {},
): Promise<Provider> {
  const requests: ProviderRequest[] = [];
  const refusals: string[] = [];
  let waiting: { nth: number; resolve: (request: ProviderRequest) => void }[] = [];
  const server = createServer((incoming, response) => {
    void (async () => {
      const protocol: Protocol = incoming.url?.startsWith(ANTHROPIC_PATH) === true ? 'anthropic' : 'openai';
      try {
        const request = await read(incoming, response, protocol, key, requests.length + 1);
        requests.push(request);
        for (const { nth, resolve } of waiting) if (nth <= requests.length) resolve(requests[nth - 1]!);
        waiting = waiting.filter(({ nth }) => nth > requests.length);
        const given = await script(request);
        await write(response, request, typeof given === 'string' ? { text: given } : given);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        refusals.push(message);
        fail(response, protocol, error instanceof Refused ? error.status : 500, message);
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    openaiUrl: `${url}/v1`,
    anthropicUrl: url,
    key,
    requests,
    refusals,
    request: (nth) =>
      new Promise((resolve) => {
        const known = requests[nth - 1];
        if (known === undefined) waiting.push({ nth, resolve });
        else resolve(known);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(
  incoming: IncomingMessage,
  response: ServerResponse,
  protocol: Protocol,
  key: string,
  nth: number,
): Promise<ProviderRequest> {
  const { method, url = '', headers } = incoming;
  const path = url.split('?')[0];
  if (method !== 'POST' || (path !== OPENAI_PATH && path !== ANTHROPIC_PATH))
    throw new Refused(`${method ?? ''} ${url}: not found`, 404);
  const given = protocol === 'openai' ? headers.authorization : headers['x-api-key'];
  if (given !== (protocol === 'openai' ? `Bearer ${key}` : key))
    throw new Refused(`Incorrect API key provided: ${String(given)}`, 401);
  if (protocol === 'anthropic' && headers['anthropic-version'] === undefined)
    throw new Refused('anthropic-version: header is required');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new Refused(`the body is no JSON: ${String(error)}`);
  }
  const body: Fields = fields(parsed, 'the body');
  const asked = protocol === 'openai' ? readOpenai(body) : readAnthropic(body);
  const system = asked.messages.filter(({ role }) => role === 'system');
  const others = asked.messages.filter(({ role }) => role !== 'system');
  const { promise: hungUp, resolve } = Promise.withResolvers<void>();
  const request: ProviderRequest = {
    ...asked,
    nth,
    protocol,
    system: system.map(({ text }) => text).join('\n'),
    said: others.map(({ text }) => text).join('\n'),
    last: others.at(-1)?.text ?? '',
    body,
    headers,
    hungUp,
    gone: false,
  };
  response.once('close', () => {
    if (response.writableFinished) return;
    request.gone = true;
    resolve();
  });
  return request;
}

async function write(
  response: ServerResponse,
  request: ProviderRequest,
  reply: ProviderReply,
): Promise<void> {
  if (reply.delayMs !== undefined) await untilGone(request, reply.delayMs);
  if (request.gone) return;
  const { protocol, model, stream, nth, body } = request;
  if (reply.status !== undefined) {
    fail(response, protocol, reply.status, reply.error ?? `scripted ${reply.status}`);
    return;
  }
  if (reply.page !== undefined) {
    response.setHeader('content-type', 'text/html');
    response.end(reply.page);
    return;
  }
  const said = saidBy(reply, nth);
  const id = `${protocol === 'openai' ? 'chatcmpl' : 'msg'}_${nth}`;
  if (!stream) {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(protocol === 'openai' ? openaiBody(id, model, said) : anthropicBody(id, model, said)),
    );
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const events =
    protocol === 'openai' ? openaiEvents(id, model, said, body) : anthropicEvents(id, model, said);
  for (const [index, event] of events.entries()) {
    if (index === HELD_AT) await Promise.race([reply.hold, request.hungUp]);
    if (!request.gone) response.write(event);
  }
  response.end();
}

/** The event of a stream before which it may be held: one with the first words is out by then. */
const HELD_AT = 2;

function saidBy({ text = '', toolCalls = [], finish, usage }: ProviderReply, nth: number): Said {
  const { input, output, cached = 0 } = usage ?? { input: 100, output: 10 };
  return {
    text,
    toolCalls: toolCalls.map(({ name, input: args = {} }, index) => ({
      id: `call_${nth}_${index}`,
      name,
      input: args,
    })),
    finish: finish ?? (toolCalls.length > 0 ? 'tool' : 'stop'),
    usage: { input, output, cached },
  };
}

async function untilGone({ hungUp }: ProviderRequest, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    hungUp,
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    }),
  ]);
  clearTimeout(timer);
}

function fail(response: ServerResponse, protocol: Protocol, status: number, message: string): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': RETRY_AFTER_MS });
  response.end(
    JSON.stringify(protocol === 'openai' ? openaiError(status, message) : anthropicError(status, message)),
  );
}
