// OpenAI's Responses API, as far as programs read it.
import type { Said } from '../../runners/provider/script.ts';

function itemsOf(id: string, { text, toolCalls }: Said): object[] {
  const calls = toolCalls.map((call) => ({
    type: 'function_call',
    id: `fc_${call.id}`,
    call_id: call.id,
    name: call.name,
    arguments: JSON.stringify(call.input),
    status: 'completed',
  }));
  const message = {
    type: 'message',
    id: `msg_${id}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  return text === '' ? calls : [message, ...calls];
}

export function responsesBody(id: string, model: string, said: Said): object {
  const { input, output, cached } = said.usage;
  return {
    id,
    object: 'response',
    created_at: 1,
    status: 'completed',
    model,
    output: itemsOf(id, said),
    parallel_tool_calls: false,
    tool_choice: 'auto',
    tools: [],
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

export function responsesEvents(id: string, model: string, said: Said): string[] {
  let sequence = 0;
  const event = (type: string, more: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...more })}\n\n`;
  const body = responsesBody(id, model, said);
  return [
    event('response.created', { response: { ...body, status: 'in_progress', output: [], usage: null } }),
    ...itemsOf(id, said).flatMap((item, index) => [
      event('response.output_item.added', { output_index: index, item: { ...item, status: 'in_progress' } }),
      event('response.output_item.done', { output_index: index, item }),
    ]),
    event('response.completed', { response: body }),
  ];
}
