// The messages protocol: reads a request as strictly as the real service does, writes the answer whole or as a stream of
// events.
import {
  type Fields,
  fields,
  list,
  type ProviderMessage,
  type ProviderToolCall,
  type ReadRequest,
  Refused,
  type Said,
  toolName,
  words,
} from './script.ts';

export const ANTHROPIC_PATH = '/v1/messages';

export function readAnthropic(body: Fields): ReadRequest {
  if (!Number.isSafeInteger(body['max_tokens']) || Number(body['max_tokens']) < 1)
    throw new Refused('max_tokens: Field required');
  const tools = body['tools'] === undefined ? [] : readTools(list(body['tools'], 'tools'));
  const system = body['system'] === undefined ? [] : [{ text: systemOf(body['system']) }];
  return {
    model: words(body['model'], 'model'),
    stream: body['stream'] === true,
    messages: [
      ...system.map(({ text }) => ({ role: 'system' as const, text, toolCalls: [] })),
      ...readMessages(list(body['messages'], 'messages')),
    ],
    tools,
    toolChoice: readChoice(body['tool_choice'], tools),
  };
}

function readTools(given: readonly unknown[]): string[] {
  const names: string[] = [];
  for (const [index, one] of given.entries()) {
    const { name, input_schema: schema } = fields(one, `tools.${index}`);
    names.push(toolName(name, schema, `tools.${index}`, names));
  }
  return names;
}

function readChoice(choice: unknown, tools: readonly string[]): string {
  if (choice === undefined) return 'auto';
  if (tools.length === 0) throw new Refused('tool_choice may only be specified while providing tools');
  const { type, name } = fields(choice, 'tool_choice');
  if (type === 'tool') {
    if (!tools.includes(words(name, 'tool_choice.name'))) throw new Refused('tool_choice: no such tool');
    return String(name);
  }
  if (type !== 'auto' && type !== 'any' && type !== 'none') throw new Refused('tool_choice.type: unknown');
  return type === 'any' ? 'required' : type;
}

function systemOf(system: unknown): string {
  if (typeof system === 'string') return system;
  return list(system, 'system')
    .map((part) => words(fields(part, 'system')['text'], 'system: text content blocks must be non-empty'))
    .join('\n');
}

/** Roles, and results right after the calls they answer: first in the next user message, one each. */
function readMessages(given: readonly unknown[]): ProviderMessage[] {
  const all: ProviderMessage[] = [];
  let open = new Set<string>();
  for (const [index, one] of given.entries()) {
    const where = `messages.${index}`;
    const { role, content } = fields(one, where);
    // Between turns, as Claude Code's own client sends it.
    if (role === 'system' && index > 0) {
      const text = partsOf(content, where).map((part) => words(part['text'], where));
      all.push({ role, text: text.join(''), toolCalls: [] });
      continue;
    }
    if (role !== 'user' && role !== 'assistant')
      throw new Refused(`${where}.role: must be 'user' or 'assistant'`);
    if (index === 0 && role !== 'user') throw new Refused('messages: first message must use the "user" role');
    const parts = partsOf(content, where);
    const results = parts.filter(({ type }) => type === 'tool_result');
    if (
      parts.findIndex(({ type }) => type !== 'tool_result') < results.length &&
      results.length < parts.length
    )
      throw new Refused(`${where}: tool_result blocks must come first`);
    for (const { tool_use_id: id } of results) {
      if (role !== 'user' || !open.delete(String(id)))
        throw new Refused(`${where}: unexpected tool_use_id '${String(id)}' found in tool_result blocks`);
    }
    if (open.size > 0)
      throw new Refused(
        `${where}: tool_use ids were found without tool_result blocks: ${[...open].join(', ')}`,
      );
    all.push(...results.map(resultOf));
    const text = parts.map((part) => (part['type'] === 'text' ? String(part['text']) : '')).join('');
    const toolCalls = parts.filter(({ type }) => type === 'tool_use').map(callOf);
    if (role === 'user' && toolCalls.length > 0) throw new Refused(`${where}: tool_use is the assistant's`);
    if (text !== '' || toolCalls.length > 0) all.push({ role, text, toolCalls });
    open = new Set(toolCalls.map(({ id }) => id));
  }
  if (given.length === 0) throw new Refused('messages: at least one message is required');
  if (open.size > 0) throw new Refused('tool_use ids were found without tool_result blocks');
  return all;
}

function partsOf(content: unknown, where: string): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: words(content, where) }];
  const parts = list(content, `${where}.content`).map((part) => fields(part, `${where}.content`));
  if (parts.length === 0) throw new Refused(`${where}: content must not be empty`);
  for (const { type, text } of parts) {
    if (type === 'text') words(text, `${where}: text content blocks must be non-empty`);
  }
  return parts;
}

function resultOf({ tool_use_id: id, content }: Fields): ProviderMessage {
  const text =
    typeof content === 'string'
      ? content
      : list(content ?? [], 'tool_result.content')
          .map((part) => words(fields(part, 'tool_result.content')['text'], 'tool_result.content'))
          .join('');
  return { role: 'tool', text, toolCalls: [], toolCallId: String(id) };
}

function callOf({ id, name, input }: Fields): ProviderToolCall {
  return { id: words(id, 'tool_use.id'), name: words(name, 'tool_use.name'), input };
}

const FINISH = {
  stop: 'end_turn',
  tool: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
} as const;
const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export function anthropicError(status: number, message: string): object {
  return { type: 'error', error: { type: ERRORS[status] ?? 'api_error', message } };
}

export function anthropicBody(id: string, model: string, said: Said): object {
  return {
    ...opening(id, model, said),
    content: blocksOf(said),
    stop_reason: FINISH[said.finish],
    usage: usageOf(said),
  };
}

export function anthropicEvents(id: string, model: string, said: Said): string[] {
  const { usage } = said;
  return [
    event('message_start', { message: { ...opening(id, model, said), content: [], stop_reason: null } }),
    ...blocksOf(said).flatMap((block, index) => {
      const [empty, delta] =
        block['type'] === 'text'
          ? [
              { ...block, text: '' },
              { type: 'text_delta', text: block['text'] },
            ]
          : [
              { ...block, input: {} },
              { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) },
            ];
      return [
        event('content_block_start', { index, content_block: empty }),
        event('content_block_delta', { index, delta }),
        event('content_block_stop', { index }),
      ];
    }),
    event('message_delta', {
      delta: { stop_reason: FINISH[said.finish], stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
    event('message_stop', {}),
  ];
}

function event(type: string, more: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
}

function opening(id: string, model: string, said: Said): object {
  return { id, type: 'message', role: 'assistant', model, stop_sequence: null, usage: usageOf(said) };
}

function blocksOf({ text, toolCalls }: Said): Fields[] {
  const calls = toolCalls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }));
  return text === '' ? calls : [{ type: 'text', text }, ...calls];
}

function usageOf({ usage: { input, output, cached } }: Said): object {
  return { input_tokens: input - cached, output_tokens: output, cache_read_input_tokens: cached };
}
