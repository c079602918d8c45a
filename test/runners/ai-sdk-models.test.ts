// Models by name: which server is called with which key and model, and what is said about a name or an environment that
// will not do.
import { generateText } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { modelByName, modelFromEnv, modelRunner } from '../../src/agent/runners/models.ts';
import { world } from '../agent/harness.ts';
import { type Provider, type ProviderScript, startProvider } from './provider/server.ts';

async function provider(script: ProviderScript = () => 'ok'): Promise<Provider> {
  const started = await startProvider(script);
  onTestFinished(() => started.close());
  return started;
}

describe('modelByName calls', () => {
  it.each<[string, (at: Provider) => [string, Record<string, string>], string]>([
    [
      'anthropic/',
      ({ anthropicUrl, key }) => [
        'anthropic/claude-haiku-4-5',
        { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: anthropicUrl },
      ],
      'anthropic claude-haiku-4-5',
    ],
    [
      'anthropic/ with a base URL that has the version',
      ({ anthropicUrl, key }) => [
        'anthropic/claude-haiku-4-5',
        { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: `${anthropicUrl}/v1/` },
      ],
      'anthropic claude-haiku-4-5',
    ],
    [
      'openai/',
      ({ openaiUrl, key }) => ['openai/gpt-5-mini', { OPENAI_API_KEY: key, OPENAI_BASE_URL: openaiUrl }],
      'openai gpt-5-mini',
    ],
    [
      'a server by its address',
      ({ openaiUrl, key }) => [`${openaiUrl}#org/qwen3:8b`, { EARSHOT_MODEL_KEY: key }],
      'openai org/qwen3:8b',
    ],
    [
      'a server by its root',
      ({ openaiUrl, key }) => [
        `${openaiUrl.replace('/v1', '')}#llama3.2`,
        { EARSHOT_MODEL_KEY: key, OPENAI_API_KEY: 'not for it' },
      ],
      'openai llama3.2',
    ],
  ])('%s', async (_, given, called) => {
    const at = await provider();
    const [name, env] = given(at);
    const { text } = await generateText({ model: await modelByName(name, env), prompt: 'hello' });
    expect([text, at.refusals]).toEqual(['ok', []]);
    expect(at.requests.map(({ protocol, model }) => `${protocol} ${model}`)).toEqual([called]);
  });

  it('a server without a key, with none', async () => {
    const at = await provider();
    const model = await modelByName(`${at.openaiUrl}#llama3.2`, { OPENAI_API_KEY: 'sk-of-somebody-else' });
    await expect(generateText({ model, prompt: 'hello', maxRetries: 0 })).rejects.toThrow(
      'Incorrect API key provided: undefined',
    );
  });

  it('thoughts that a server leaves in the text do not stay there', async () => {
    const at = await provider(() => '<think>they want to know the state</think>It is green.');
    const model = await modelByName(`${at.openaiUrl}#qwen3`, { EARSHOT_MODEL_KEY: at.key });
    expect((await generateText({ model, prompt: 'hello' })).text).toBe('It is green.');
  });
});

describe('what will not do is said with what to write or to set', () => {
  it.each([
    ['anthropic/claude-haiku-4-5', {}, 'anthropic/claude-haiku-4-5 needs a key: set ANTHROPIC_API_KEY'],
    ['openai/gpt-5-mini', { ANTHROPIC_API_KEY: 'x' }, 'openai/gpt-5-mini needs a key: set OPENAI_API_KEY'],
    ['claude-haiku-4-5', {}, '"claude-haiku-4-5" is no model: write anthropic/claude-haiku-4-5'],
    ['gpt-5', {}, '"gpt-5" is no model: write openai/gpt-5'],
    ['mistral/large', {}, 'write anthropic/MODEL, openai/MODEL or http://HOST:PORT/v1#MODEL'],
    ['', {}, '"" is no model'],
    ['anthropic/', {}, '"anthropic/" is no model'],
    [
      'http://127.0.0.1:11434/v1',
      {},
      'names no model: write it after a #, such as http://127.0.0.1:11434/v1#llama3.2',
    ],
    ['http://', {}, 'the model: "http://" is no address'],
    [
      'openai/x',
      { OPENAI_BASE_URL: 'localhost' },
      'OPENAI_BASE_URL: "localhost" is no address; write for example',
    ],
  ])('%s with %j', async (name, env, said) => {
    await expect(modelByName(name, env)).rejects.toThrow(said);
  });
});

it('the environment suggests a name, its own variable first', () => {
  expect(modelFromEnv({})).toBeUndefined();
  expect(modelFromEnv({ ANTHROPIC_API_KEY: '' })).toBeUndefined();
  expect(modelFromEnv({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).toMatch(/^openai\//);
  expect(modelFromEnv({ OPENAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'y' })).toMatch(/^anthropic\/claude-/);
  expect(modelFromEnv({ ANTHROPIC_API_KEY: 'y', EARSHOT_MODEL: 'openai/z' })).toBe('openai/z');
});

it('modelRunner: a name and an environment are an agent', async () => {
  const at = await provider(({ system }) => (system.includes('brief') ? 'Green.' : 'It is green today.'));
  const here = await world();
  onTestFinished(() => here.stop());
  const env = { ANTHROPIC_API_KEY: at.key, ANTHROPIC_BASE_URL: at.anthropicUrl };
  const runner = await modelRunner({ name: 'anthropic/claude-haiku-4-5', env, instructions: 'Be brief.' });
  const over = Promise.withResolvers<void>();
  here.agent('lead').onTurn((turn) => runner(turn).finally(over.resolve));
  await here.pass(1_000);
  await here.say({ text: '@lead how is the deploy?', mentions: ['lead'] });
  await here.pass(3_000);
  await over.promise;
  expect(here.posted.map(({ text }) => text)).toEqual(['Green.']);
});
