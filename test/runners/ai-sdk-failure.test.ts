// The `ai-sdk` runner when something goes wrong or comes to an end: the provider, the model, the runner itself. What people
// see, what becomes of the turn, and what the log says to do.
import { describe, expect, it } from 'vitest';
import { aiSdkRunner } from '../../src/agent/runners/ai-sdk.ts';
import { modelled, modelOf } from './model.ts';
import { startProvider } from './provider/server.ts';

const send = (input: object) => ({ toolCalls: [{ name: 'chat_send_message', input }] });

describe.each(['openai', 'anthropic'] as const)('over %s', (protocol) => {
  it('errors of the provider are tried again, then the turn has failed and is handed over again [C2A-06-02/model-retry/same-event-next-attempt]', async () => {
    const { provider, texts, ask, quiet, log } = await modelled(protocol, ({ nth }) =>
      nth <= 3 ? { status: 500, error: 'upstream exploded' } : 'It is green.',
    );
    await ask('how is the deploy?');
    await quiet();
    expect(texts()).toEqual(['It is green.']);
    expect(provider.requests).toHaveLength(4);
    expect(log.join('\n')).toContain(
      'the provider has a problem (500): the host tries again; it says: upstream exploded (tried 3 times)',
    );
  });

  it('once something was sent a failure does not run it again [C2A-06-02/model-retry/no-different-answer]', async () => {
    const { provider, texts, ask, quiet, log } = await modelled(protocol, ({ nth }) =>
      nth === 1 ? send({ text: 'It is green.' }) : { status: 400, error: 'context too long' },
    );
    await ask('how is the deploy?');
    await quiet();
    expect(texts()).toEqual(['It is green.']);
    expect(provider.requests).toHaveLength(2);
    expect(log.join('\n')).toContain('it is not run again: the provider refuses the request (400)');
  });

  it.each([
    [401, 'the provider does not take the key (401): check the API key'],
    [404, "the provider knows no such model (404): check the model's name and the base URL"],
    [402, 'the account has no credit (402): check its billing'],
  ])('a %i is said with what to do, and without a key', async (status, line) => {
    const { ask, quiet, log, texts } = await modelled(protocol, () => ({
      status,
      error: 'Incorrect API key provided: sk-proj-1234567890abcdef',
    }));
    await ask('how is the deploy?');
    await quiet();
    expect(texts()).toEqual([]);
    expect(log.join('\n')).toContain(line);
    expect(log.join('\n')).not.toContain('1234567890');
    expect(log.join('\n')).not.toContain('how is the deploy?');
  });

  it('an address where there is no model is named', async () => {
    const { ask, quiet, log, provider } = await modelled(protocol, () => ({ page: '<html>Welcome</html>' }), {
      runner: { maxRetries: 0 },
    });
    await ask('how is the deploy?');
    await quiet();
    expect(log.join('\n')).toContain('the answer is not that of a model (200): check the base URL');
    await provider.close();
    await ask('and now?');
    await quiet();
    expect(log.join('\n')).toMatch(
      /the provider at http:\/\/127\.0\.0\.1:\d+ cannot be reached \(.*ECONN\w+.*\): check the base URL/,
    );
  });

  it('at its last step it gets no tools and has to answer', async () => {
    const { provider, texts, ask, quiet } = await modelled(
      protocol,
      ({ toolChoice }) =>
        toolChoice === 'none' ? 'As far as I got: green.' : { toolCalls: [{ name: 'chat_read_thread' }] },
      { runner: { stepLimit: 3 } },
    );
    await ask('how is the deploy?');
    await quiet();
    expect(provider.refusals).toEqual([]);
    expect(provider.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'none']);
    expect(texts()).toEqual(['As far as I got: green.']);
  });

  it('a model that calls tools all the same has failed, with what to do about it', async () => {
    const { texts, ask, quiet, log } = await modelled(
      protocol,
      () => ({ toolCalls: [{ name: 'chat_read_thread' }] }),
      { runner: { stepLimit: 2 } },
    );
    await ask('how is the deploy?');
    await quiet();
    expect(texts()).toEqual([]);
    expect(log.join('\n')).toContain('has used its 2 steps and went on calling tools: raise stepLimit');
  });

  it('an answer that was cut says so', async () => {
    const { texts, ask, quiet } = await modelled(protocol, () => ({ text: 'It is', finish: 'length' }));
    await ask('how is the deploy?');
    await quiet();
    expect(texts()).toEqual(["It is\n\n[cut: the model's answer was longer than its token limit]"]);
  });
});

describe('the end of a runner', () => {
  it('close hangs up, and what was asked is for the next session', async () => {
    const { provider, runner, ask, quiet, texts, log } = await modelled('openai', async ({ hungUp }) => {
      await hungUp;
      return 'late';
    });
    await ask('how is the deploy?');
    const first = await provider.request(1);
    await Promise.all([runner.close(), first.hungUp]);
    await quiet();
    expect(texts()).toEqual([]);
    expect(provider.requests).toHaveLength(1);
    expect(log.join('\n')).toContain('the runner was closed');
  });

  it('a step limit that is none is refused at once', async () => {
    const provider = await startProvider(() => 'ok');
    expect(() => aiSdkRunner({ model: modelOf('openai', provider), stepLimit: 0 })).toThrow(
      'write 1 or more',
    );
    await provider.close();
  });
});
