// Reads a request of each of the four protocols: what was said, and which tools the model may call.
import {
  type Asked,
  type Fields,
  fieldsOf,
  type Line,
  listOf,
  sinceAnswer,
  textIn,
  toolOf,
  type Wire,
  wordOf,
} from './asked.ts';

type Read = Omit<Asked, 'wire' | 'hungUp'>;

export function readAsked(wire: Wire, body: Fields, path: string): Read {
  return { ...READERS[wire](body), ...(wire === 'gemini' ? fromPath(path) : {}) };
}

const READERS: Readonly<Record<Wire, (body: Fields) => Read>> = {
  chat: (body) => ({
    ...common(body),
    tools: listOf(body['tools'])
      .map((one) => fieldsOf(one['function']))
      .map(({ name, parameters }) => toolOf(name, parameters)),
    ...sinceAnswer(
      listOf(body['messages']).flatMap(({ role, content, tool_calls: calls }): Line[] => {
        const text = textIn(content);
        if (role === 'tool') return [{ role: 'result', text, calls: false }];
        if (role === 'assistant') return [{ role, text, calls: Array.isArray(calls) && calls.length > 0 }];
        return role === 'user' ? [{ role, text, calls: false }] : [];
      }),
    ),
  }),

  messages: (body) => ({
    ...common(body),
    tools: listOf(body['tools']).map(({ name, input_schema: schema }) => toolOf(name, schema)),
    ...sinceAnswer(
      listOf(body['messages']).flatMap(({ role, content }): Line[] => {
        const parts =
          typeof content === 'string' ? [{ type: 'text', text: content } as Fields] : listOf(content);
        if (role === 'assistant')
          return [{ role, text: textIn(content), calls: parts.some(({ type }) => type === 'tool_use') }];
        if (role !== 'user') return [];
        return parts.map((part) => ({
          role: part['type'] === 'tool_result' ? 'result' : 'user',
          text: textIn(part),
          calls: false,
        }));
      }),
    ),
  }),

  responses: (body) => ({
    ...common(body),
    tools: listOf(body['tools'])
      .filter(({ type }) => type === 'function')
      .map(({ name, parameters }) => toolOf(name, parameters)),
    ...sinceAnswer(
      typeof body['input'] === 'string'
        ? [{ role: 'user', text: body['input'], calls: false }]
        : listOf(body['input']).flatMap(({ type, role, content, output }): Line[] => {
            if (type === 'function_call') return [{ role: 'assistant', text: '', calls: true }];
            if (type === 'function_call_output')
              return [{ role: 'result', text: textIn(output), calls: false }];
            return role === 'user' || role === 'assistant'
              ? [{ role, text: textIn(content), calls: false }]
              : [];
          }),
    ),
  }),

  gemini: (body) => ({
    ...common(body),
    tools: listOf(body['tools'])
      .flatMap(({ functionDeclarations: declared }) => listOf(declared))
      .map(({ name, parameters, parametersJsonSchema: schema }) => toolOf(name, schema ?? parameters)),
    ...sinceAnswer(
      listOf(body['contents']).flatMap(({ role, parts }): Line[] => {
        const all = listOf(parts);
        if (role === 'model')
          return [
            {
              role: 'assistant',
              text: textIn(all),
              calls: all.some((part) => part['functionCall'] !== undefined),
            },
          ];
        return all.map((part) =>
          part['functionResponse'] === undefined
            ? { role: 'user', text: textIn(part), calls: false }
            : { role: 'result', text: JSON.stringify(part['functionResponse']), calls: false },
        );
      }),
    ),
  }),
};

function common(body: Fields): Pick<Asked, 'model' | 'stream'> {
  return { model: wordOf(body['model']), stream: body['stream'] === true };
}

function fromPath(path: string): Pick<Asked, 'model' | 'stream'> {
  const [, model = '', verb = ''] = /models\/([^:]+):(\w+)/.exec(path) ?? [];
  return { model, stream: verb === 'streamGenerateContent' };
}
