// The chat-completions protocol: reads a request as strictly as the real service does, writes the answer whole or as a
// stream of events.
import {
  type Fields,
  fields,
  list,
  type ProviderMessage,
  type ReadRequest,
  Refused,
  type Said,
  toolName,
  words,
} from './script.ts';

export const OPENAI_PATH = '/v1/chat/completions';

export function readOpenai(body: Fields): ReadRequest {
  const tools = body['tools'] === undefined ? [] : readTools(list(body['tools'], 'tools'));
  const messages = list(body['messages'], 'messages').map(readMessage);
  if (messages.length === 0) throw new Refused('messages: at least one is needed');
  checkOrder(messages);
  return {
    model: words(body['model'], 'model'),
    stream: body['stream'] === true,
    messages,
    tools,
    toolChoice: readChoice(body['tool_choice'], tools),
  };
}

function readTools(given: readonly unknown[]): string[] {
  const names: string[] = [];
  if (given.length === 0) throw new Refused('tools: [] is too short');
  for (const [index, one] of given.entries()) {
    const { type, function: declared } = fields(one, `tools[${index}]`);
    if (type !== 'function') throw new Refused(`tools[${index}].type: must be 'function'`);
    const { name, parameters } = fields(declared, `tools[${index}].function`);
    names.push(toolName(name, parameters, `tools[${index}].function`, names));
  }
  return names;
}

function readChoice(choice: unknown, tools: readonly string[]): string {
  if (choice === undefined) return 'auto';
  if (tools.length === 0) throw new Refused("tool_choice is only allowed when 'tools' are specified");
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const { function: declared } = fields(choice, 'tool_choice');
  const name = words(fields(declared, 'tool_choice.function')['name'], 'tool_choice.function.name');
  if (!tools.includes(name)) throw new Refused(`tool_choice: no tool '${name}'`);
  return name;
}

function readMessage(given: unknown, index: number): ProviderMessage {
  const where = `messages[${index}]`;
  const { role, content, tool_calls: calls, tool_call_id: callId } = fields(given, where);
  const text = content === null || content === undefined ? '' : textOf(content, where);
  switch (role) {
    case 'system':
    case 'user':
      return { role, text, toolCalls: [] };
    case 'tool':
      return { role, text, toolCalls: [], toolCallId: words(callId, `${where}.tool_call_id`) };
    case 'assistant': {
      const toolCalls = calls === undefined ? [] : list(calls, `${where}.tool_calls`).map(readCall);
      if (text === '' && toolCalls.length === 0)
        throw new Refused(`${where}: an assistant message needs content or tool_calls`);
      return { role, text, toolCalls };
    }
    default:
      throw new Refused(`${where}.role: '${String(role)}' is no role`);
  }
}

function textOf(content: unknown, where: string): string {
  if (typeof content === 'string') return content;
  const parts = list(content, `${where}.content`).map((part) => fields(part, `${where}.content`));
  return parts.map(({ text }) => words(text, `${where}.content.text`)).join('');
}

function readCall(given: unknown) {
  const { id, function: called } = fields(given, 'tool_calls');
  const { name, arguments: input } = fields(called, 'tool_calls.function');
  if (typeof input !== 'string') throw new Refused('tool_calls.function.arguments: expected a string');
  return { id: words(id, 'tool_calls.id'), name: words(name, 'tool_calls.function.name'), input };
}

/** Calls are followed by their results, one each, before anything else. */
function checkOrder(messages: readonly ProviderMessage[]): void {
  let open = new Set<string>();
  for (const [index, { role, toolCalls, toolCallId }] of messages.entries()) {
    if (role === 'tool') {
      if (!open.delete(toolCallId ?? ''))
        throw new Refused(`messages[${index}]: a tool's result must follow the tool_calls it answers`);
      continue;
    }
    if (open.size > 0)
      throw new Refused(`messages[${index}]: tool_calls without a result: ${[...open].join(', ')}`);
    open = new Set(toolCalls.map(({ id }) => id));
  }
  if (open.size > 0) throw new Refused(`tool_calls without a result: ${[...open].join(', ')}`);
}

const FINISH = {
  stop: 'stop',
  tool: 'tool_calls',
  length: 'length',
  content_filter: 'content_filter',
} as const;

export function openaiError(status: number, message: string): object {
  return { error: { message, type: status === 401 ? 'invalid_request_error' : 'server_error', code: null } };
}

export function openaiBody(id: string, model: string, said: Said): object {
  const message = {
    role: 'assistant',
    content: said.text === '' ? null : said.text,
    ...(said.toolCalls.length === 0 ? {} : { tool_calls: said.toolCalls.map(callOf) }),
  };
  return {
    id,
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason: FINISH[said.finish] }],
    usage: usageOf(said),
  };
}

export function openaiEvents(id: string, model: string, said: Said, body: Fields): string[] {
  const chunk = (more: object): string =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model, ...more })}\n\n`;
  const delta = (part: object, finish: string | null = null): string =>
    chunk({ choices: [{ index: 0, delta: part, finish_reason: finish }] });
  const half = Math.ceil(said.text.length / 2);
  const texts = [said.text.slice(0, half), said.text.slice(half)].filter((text) => text !== '');
  const withUsage = Object(body['stream_options']) as Fields;
  return [
    delta({ role: 'assistant', content: '' }),
    ...texts.map((content) => delta({ content })),
    ...said.toolCalls.map((call, index) => delta({ tool_calls: [{ index, ...callOf(call) }] })),
    delta({}, FINISH[said.finish]),
    ...(withUsage['include_usage'] === true ? [chunk({ choices: [], usage: usageOf(said) })] : []),
    'data: [DONE]\n\n',
  ];
}

function callOf({ id, name, input }: Said['toolCalls'][number]): object {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return { id, type: 'function', function: { name, arguments: text } };
}

function usageOf({ usage: { input, output, cached } }: Said): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
