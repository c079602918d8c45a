// The model of a second opinion over HTTP, in both protocols: what is asked, what an answer costs, and what fails.
import { describe, expect, it, onTestFinished } from 'vitest';
import { opinionModel } from '../../src/cli/opinion-model.ts';
import { questionFor, verdictIn } from '../../src/host/opinion/question.ts';
import { type Provider, type ProviderScript, startProvider } from './provider/server.ts';

async function provider(script: ProviderScript): Promise<Provider> {
  const started = await startProvider(script);
  onTestFinished(() => started.close());
  return started;
}

const QUESTION = questionFor('nova', [{ from: 'ann', text: 'hm, strange' }]);

describe.each(['anthropic', 'openai'] as const)('over the protocol of %s', (protocol) => {
  const ask = ({ anthropicUrl, openaiUrl, key }: Provider) => {
    const { signal } = new AbortController();
    return protocol === 'anthropic'
      ? opinionModel({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: anthropicUrl }).ask(
          QUESTION,
          signal,
          'anthropic/claude-haiku-4-5',
        )
      : opinionModel({ EARSHOT_MODEL_KEY: key }).ask(QUESTION, signal, `${openaiUrl}#small`);
  };

  it('asks once and reads the answer with its tokens', async () => {
    const at = await provider(() => 'No.');
    const answer = await ask(at);
    expect(verdictIn(answer.text)).toBe('not_for');
    expect(answer.tokens).toBeGreaterThan(0);
    expect(JSON.stringify(at.requests)).toContain('hm, strange');
    expect(at.requests).toHaveLength(1);
  });

  it('fails at the first 500, without a second try', async () => {
    const at = await provider(() => ({ status: 500 }));
    await expect(ask(at)).rejects.toThrow();
    expect(at.requests).toHaveLength(1);
  });
});

describe('the answer', () => {
  it.each([
    ['yes', 'for'],
    [' "No!" ', 'not_for'],
    ['YES.', 'for'],
    ['yes and no', undefined],
    ['I think it is for nova', undefined],
    ['', undefined],
  ])('%j is read as %s', (text, verdict) => {
    expect(verdictIn(text)).toBe(verdict);
  });
});
