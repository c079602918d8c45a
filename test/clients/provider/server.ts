// A model provider on the loopback for real programs: chat completions, messages, Responses and generateContent at one
// address. A brain says what the model does; a scenario replaces it as it goes on.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicBody, anthropicError, anthropicEvents } from '../../runners/provider/anthropic.ts';
import { openaiBody, openaiError, openaiEvents } from '../../runners/provider/openai.ts';
import type { Said } from '../../runners/provider/script.ts';
import { type Asked, bodyOf, type Fields, type Wire } from './asked.ts';
import { geminiBody, geminiError } from './gemini.ts';
import { knocked, withTaken } from './knocked.ts';
import { readAsked } from './read.ts';
import { responsesBody, responsesEvents } from './responses.ts';

export interface Does {
  text?: string;
  calls?: { name: string; input: Fields }[];
  /** An error in place of an answer. */
  status?: number;
  error?: string;
}

export type Brain = (asked: Asked) => Does | Promise<Does>;

export interface ClientsProvider {
  /** Without a path. */
  url: string;
  key: string;
  /** Everything that was asked, in order. */
  asked: readonly Asked[];
  /** Requests for anything but an answer, such as a list of models. */
  others: readonly string[];
  think(brain: Brain): void;
  close(): Promise<void>;
}

const mute: Brain = () => ({ text: 'I have not been told what to say.' });

const WIRES: readonly (readonly [RegExp, Wire])[] = [
  [/\/chat\/completions$/, 'chat'],
  [/\/messages$/, 'messages'],
  [/\/responses$/, 'responses'],
  [/:(?:stream)?[gG]enerateContent$/, 'gemini'],
];

export async function startClientsProvider({ woken = false } = {}): Promise<ClientsProvider> {
  const asked: Asked[] = [];
  const others: string[] = [];
  let brain = mute;
  const server = createServer((incoming, response) => {
    void (async () => {
      const path = (incoming.url ?? '').split('?')[0] ?? '';
      const wire = WIRES.find(([pattern]) => pattern.test(path))?.[1];
      const body = await bodyOf(incoming);
      if (wire === undefined) {
        others.push(`${incoming.method} ${path}`);
        answerOther(response, path);
        return;
      }
      const { promise: hungUp, resolve } = Promise.withResolvers<void>();
      response.once('close', () => void (response.writableFinished || resolve()));
      const read: Asked = { ...readAsked(wire, body, path), wire, hungUp };
      const one = woken ? withTaken(read) : read;
      const nth = asked.push(one);
      write(response, one, await brain(one), nth, body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'test-key',
    asked,
    others,
    think: (next) => void (brain = woken ? knocked(next) : next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerOther(response: ServerResponse, path: string): void {
  const known = /count_?tokens$/i.test(path)
    ? { input_tokens: 100, totalTokens: 100 }
    : path.endsWith('/models')
      ? { object: 'list', data: [] }
      : undefined;
  response.writeHead(known === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(known ?? { error: { message: 'not found' } }));
}

function write(response: ServerResponse, asked: Asked, does: Does, nth: number, body: Fields): void {
  if (response.destroyed) return;
  const { wire, model, stream } = asked;
  if (does.status !== undefined) {
    const { status, error = `scripted ${status}` } = does;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(errorOf(wire, status, error)));
    return;
  }
  const said = saidBy(does, nth);
  response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json');
  if (stream) for (const event of eventsOf(wire, `id_${nth}`, model, said, body)) response.write(event);
  response.end(stream ? undefined : JSON.stringify(wholeOf(wire, `id_${nth}`, model, said)));
}

function saidBy({ text = '', calls = [] }: Does, nth: number): Said {
  return {
    text,
    toolCalls: calls.map(({ name, input }, index) => ({ id: `call_${nth}_${index}`, name, input })),
    finish: calls.length > 0 ? 'tool' : 'stop',
    usage: { input: 100, output: 10, cached: 0 },
  };
}

function eventsOf(wire: Wire, id: string, model: string, said: Said, body: Fields): string[] {
  switch (wire) {
    case 'chat':
      return openaiEvents(id, model, said, body);
    case 'messages':
      return anthropicEvents(id, model, said);
    case 'responses':
      return responsesEvents(id, model, said);
    case 'gemini':
      return [`data: ${JSON.stringify(geminiBody(model, said))}\r\n\r\n`];
  }
}

function wholeOf(wire: Wire, id: string, model: string, said: Said): object {
  switch (wire) {
    case 'chat':
      return openaiBody(id, model, said);
    case 'messages':
      return anthropicBody(id, model, said);
    case 'responses':
      return responsesBody(id, model, said);
    case 'gemini':
      return geminiBody(model, said);
  }
}

function errorOf(wire: Wire, status: number, message: string): object {
  if (wire === 'gemini') return geminiError(status, message);
  return wire === 'messages' ? anthropicError(status, message) : openaiError(status, message);
}
