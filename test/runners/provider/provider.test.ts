// The local provider: it streams what it answers whole, and refuses what the real services refuse. Tests that rely on a
// refusal rely on this.
import { isStepCount, jsonSchema, streamText, tool } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { modelOf } from '../model.ts';
import { type Provider, type ProviderScript, startProvider } from './server.ts';

async function provider(script: ProviderScript = () => 'ok'): Promise<Provider> {
  const started = await startProvider(script);
  onTestFinished(() => started.close());
  return started;
}

describe.each(['openai', 'anthropic'] as const)('a stream over %s', (protocol) => {
  it('has the text, the calls and the usage', async () => {
    const at = await provider(({ nth, last }) =>
      nth === 1
        ? { text: 'Let me look.', toolCalls: [{ name: 'look', input: { at: 'web' } }] }
        : { text: `It says: ${last}`, usage: { input: 50, output: 7, cached: 20 } },
    );
    const result = streamText({
      model: modelOf(protocol, at),
      prompt: 'hello',
      stopWhen: isStepCount(5),
      tools: {
        look: tool({
          inputSchema: jsonSchema<{ at: string }>({
            type: 'object',
            properties: { at: { type: 'string' } },
          }),
          execute: (input) => `${input.at} is green`,
        }),
      },
    });
    const steps = await result.steps;
    expect(steps.map(({ text }) => text)).toEqual(['Let me look.', 'It says: web is green']);
    expect(at.requests.map(({ stream }) => stream)).toEqual([true, true]);
    expect(at.refusals).toEqual([]);
    if (protocol === 'anthropic') expect(steps[1]?.usage).toMatchObject({ inputTokens: 50, outputTokens: 7 });
  });

  it('notices a client that hangs up', async () => {
    const at = await provider(() => ({ text: 'late', delayMs: 1_000_000 }));
    const aborter = new AbortController();
    const result = streamText({ model: modelOf(protocol, at), prompt: 'hello', abortSignal: aborter.signal });
    const drained = (async () => {
      for await (const _ of result.stream);
    })();
    const first = await at.request(1);
    aborter.abort();
    await first.hungUp;
    await drained;
    expect(first.gone).toBe(true);
  });
});

const FUNCTION = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
const TOOL = { name: 'look', input_schema: { type: 'object' } };
const hello = { role: 'user', content: 'hello' };
const called = { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'look', arguments: '{}' } }] };
const used = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] };
const result = { type: 'tool_result', tool_use_id: 'c1', content: 'green' };

describe('is refused', () => {
  it.each<['openai' | 'anthropic', object, string]>([
    [
      'openai',
      { tools: [{ type: 'function', function: { name: 'chat.react', parameters: { type: 'object' } } }] },
      "'chat.react' does not match",
    ],
    ['openai', { tools: [FUNCTION, FUNCTION] }, 'must be unique'],
    ['openai', { tool_choice: 'auto' }, "only allowed when 'tools'"],
    [
      'openai',
      { tools: [FUNCTION], tool_choice: { type: 'function', function: { name: 'x' } } },
      "no tool 'x'",
    ],
    ['openai', { messages: [] }, 'at least one'],
    ['openai', { messages: [hello, called, hello] }, 'without a result: c1'],
    ['openai', { messages: [hello, called] }, 'without a result: c1'],
    ['openai', { messages: [hello, { role: 'tool', tool_call_id: 'c1', content: 'x' }] }, 'must follow'],
    ['anthropic', { tools: [{ ...TOOL, name: 'chat.react' }] }, "'chat.react' does not match"],
    [
      'anthropic',
      { tools: [{ name: 'look', input_schema: { type: 'object', oneOf: [] } }] },
      'oneOf, anyOf or allOf',
    ],
    ['anthropic', { tool_choice: { type: 'auto' } }, 'while providing tools'],
    ['anthropic', { max_tokens: undefined }, 'max_tokens'],
    ['anthropic', { messages: [{ role: 'assistant', content: 'hi' }] }, 'first message'],
    ['anthropic', { messages: [{ role: 'user', content: '' }] }, 'non-empty'],
    ['anthropic', { messages: [hello, used, hello] }, 'without tool_result'],
    ['anthropic', { messages: [hello, { role: 'user', content: [result] }] }, 'unexpected tool_use_id'],
    [
      'anthropic',
      { messages: [hello, used, { role: 'user', content: [{ type: 'text', text: 'x' }, result] }] },
      'must come first',
    ],
  ])('over %s: %j', async (protocol, wrong, why) => {
    const at = await provider();
    const answer = await post(at, protocol, { model: 'm', max_tokens: 9, messages: [hello], ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(why);
    expect(at.requests).toEqual([]);
  });

  it('a wrong key, in both', async () => {
    const at = await provider();
    for (const protocol of ['openai', 'anthropic'] as const) {
      const answer = await post({ ...at, key: 'wrong' }, protocol, {
        model: 'm',
        max_tokens: 9,
        messages: [hello],
      });
      expect(answer.status).toBe(401);
    }
  });

  it('nothing of what is right', async () => {
    const at = await provider();
    const right = [
      await post(at, 'openai', {
        model: 'm',
        tools: [FUNCTION],
        messages: [hello, called, { role: 'tool', tool_call_id: 'c1', content: 'green' }, hello],
      }),
      await post(at, 'anthropic', {
        model: 'm',
        max_tokens: 9,
        tools: [TOOL],
        messages: [hello, used, { role: 'user', content: [result, { type: 'text', text: 'and?' }] }],
      }),
    ];
    expect(right.map(({ status }) => status)).toEqual([200, 200]);
  });
});

async function post(at: Provider, protocol: 'openai' | 'anthropic', body: object) {
  const [url, headers]: [string, Record<string, string>] =
    protocol === 'openai'
      ? [`${at.openaiUrl}/chat/completions`, { authorization: `Bearer ${at.key}` }]
      : [`${at.anthropicUrl}/v1/messages`, { 'x-api-key': at.key, 'anthropic-version': '2023-06-01' }];
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}
