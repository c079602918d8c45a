// The `ai-sdk` runner with a model over HTTP, in both protocols, against a real host: what people see, what the model is
// told, and what comes in while it works.
import { jsonSchema, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { STANDING_RULES } from '../../src/agent/rules.ts';
import { modelled } from './model.ts';

const PROTOCOLS = ['openai', 'anthropic'] as const;
const send = (input: object) => ({ toolCalls: [{ name: 'chat_send_message', input }] });

/** A tool that works until it is told its result. */
function lookTool() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: result, resolve: end } = Promise.withResolvers<string>();
  const look = tool({
    description: 'Looks at the deploy.',
    inputSchema: jsonSchema({ type: 'object', properties: {} }),
    execute: () => {
      begin();
      return result;
    },
  });
  return { look, begun, end };
}

/** The rules, who the agent is, and who is here. */
const PREFIX = `${STANDING_RULES}

YOU
You are agent:lead, an agent in a chat with people and other agents.

HERE (channel C1: agents, then people)
- agent:lead (you)
- human:ada`;

describe.each(PROTOCOLS)('over %s', (protocol) => {
  it('a mention gets one reply, from rules and instructions first and the chat after them', async () => {
    const { provider, texts, ask, quiet, log } = await modelled(protocol, () => 'It is green.', {
      runner: { instructions: 'You watch the deploys of Acme.' },
    });
    await ask('how is the deploy?');
    await quiet();
    expect(texts()).toEqual(['It is green.']);
    expect(provider.refusals).toEqual([]);
    const [request] = provider.requests;
    expect(request?.system).toBe(`${PREFIX}\n\nYou watch the deploys of Acme.`);
    expect(request?.said).toContain('@lead how is the deploy?');
    expect(provider.requests).toHaveLength(1);
    expect(log.filter((line) => line.includes('the model ran'))).toEqual([
      expect.stringContaining('steps=1 tokensIn=100 tokensCached=0 tokensOut=10'),
    ]);
  });

  it('tools get to the provider under names it takes, every one of them', async () => {
    const { provider, ask, quiet } = await modelled(protocol, () => 'ok');
    await ask('hello?');
    await quiet();
    expect(provider.refusals).toEqual([]);
    expect(provider.requests[0]?.tools).toEqual(
      expect.arrayContaining(['chat_send_message', 'chat_read_thread', 'chat_claim', 'chat_react']),
    );
    expect(JSON.stringify(provider.requests[0]?.body['tools'])).not.toMatch(/chat\.\w/);
    // Every call of a model carries them. Twelve tools were 9,461 bytes; half of that is 394 a tool.
    const tools = provider.requests[0]?.body['tools'] as unknown[];
    expect(JSON.stringify(tools).length / tools.length).toBeLessThan(394);
  });

  it('a chain of calls, to the chat and to tools of its own, then the answer', async () => {
    const { provider, texts, ask, quiet, log } = await modelled(
      protocol,
      ({ nth }) =>
        [
          { text: 'Let me look.', toolCalls: [{ name: 'chat_read_thread' }] },
          { toolCalls: [{ name: 'deploy', input: { of: 'web' } }] },
          'The deploy of web is green.',
        ][nth - 1] ?? 'one too many',
      {
        runner: {
          tools: {
            deploy: tool({
              description: 'The state of a deploy.',
              inputSchema: jsonSchema<{ of: string }>({
                type: 'object',
                properties: { of: { type: 'string' } },
              }),
              execute: ({ of }) => `${of} is green`,
            }),
          },
        },
      },
    );
    await ask('how is the deploy?');
    await quiet();
    expect(provider.refusals).toEqual([]);
    expect(provider.requests.map(({ last }) => last)).toEqual([
      expect.stringContaining('how is the deploy?'),
      expect.stringContaining('"text":"@lead how is the deploy?"'),
      'web is green',
    ]);
    expect(texts()).toEqual(['The deploy of web is green.']);
    expect(log.join('\n')).toContain('steps=3 tokensIn=300 tokensCached=0 tokensOut=30');
  });

  it.each([
    ['words', 'I have told them that the deploy is green.'],
    ['nothing', {}],
  ])('what it sends by itself is the answer, and %s after that is not posted', async (_, closing) => {
    const { texts, ask, quiet, log } = await modelled(protocol, ({ nth }) =>
      nth === 1 ? send({ text: 'It is green.' }) : closing,
    );
    await ask('how is the deploy?');
    await quiet();
    expect(texts()).toEqual(['It is green.']);
    expect(log.join('\n')).toContain('the model used chat_send_message: its closing words are not posted');
  });

  it('words sent elsewhere are no answer here', async () => {
    const { world, ask, quiet } = await modelled(
      protocol,
      ({ nth }) => (nth === 1 ? send({ target: 'channel:C2', text: 'deploying' }) : 'I told C2.'),
      { world: { attention: { conversations: [{ match: '*' }] } } },
    );
    await world.say({ text: 'here is C2', in: 'C2' });
    await ask('tell C2, please');
    await quiet();
    expect(world.posted.map(({ text }) => text)).toEqual(['deploying', 'I told C2.']);
  });

  it('NO_REPLY is silence', async () => {
    const { world, texts, provider, quiet } = await modelled(protocol, () => 'NO_REPLY');
    await world.say({ text: 'anyone here?', inKind: 'dm', in: 'D1' });
    await quiet();
    expect(provider.requests.length).toBeGreaterThan(0);
    expect(texts()).toEqual([]);
  });

  it('a refusal is told to the model as the result, and it can do otherwise', async () => {
    const { provider, texts, ask, quiet } = await modelled(protocol, ({ nth }) =>
      nth === 1 ? send({ target: 'channel:nowhere', text: 'hello' }) : 'I cannot write there.',
    );
    await ask('say hello in nowhere');
    await quiet();
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', toolCallId: 'call_1_0' });
    expect(provider.requests[1]?.last).toMatch(/There is no conversation .* chat_list_events/);
    expect(texts()).toEqual(['I cannot write there.']);
  });

  it('a call that no tool has, or that its schema does not take, is told to the model', async () => {
    const { provider, texts, ask, quiet } = await modelled(
      protocol,
      ({ nth }) =>
        [
          { toolCalls: [{ name: 'make_coffee' }] },
          { toolCalls: [{ name: 'chat_react', input: { signal: 'hooray' } }] },
          'never mind',
        ][nth - 1] ?? 'one too many',
    );
    await ask('coffee?');
    await quiet();
    expect(provider.refusals).toEqual([]);
    expect(provider.requests[1]?.last).toContain('make_coffee');
    expect(provider.requests[2]?.last).toContain('signal');
    expect(texts()).toEqual(['never mind']);
  });

  it('a further fragment hangs up on the model, and the next run has them all: one answer [C2A-06-02/edits/fragment-while-thinking, C2A-06-24/edits/fragment-while-thinking]', async () => {
    const { provider, world, texts, ask, quiet } = await modelled(protocol, async ({ hungUp, said }) => {
      if (said.includes('and the tests?')) return 'Both are green.';
      await hungUp;
      return 'half an answer';
    });
    await ask('how is the deploy?');
    const first = await provider.request(1);
    await world.say({ text: 'of the web app' });
    await world.say({ text: 'and the tests?' });
    await first.hungUp;
    await world.pass(3_000);
    await quiet();
    expect(first.gone).toBe(true);
    expect(texts()).toEqual(['Both are green.']);
    expect(provider.requests.at(-1)?.said).toMatch(
      /how is the deploy\?[^]*of the web app[^]*and the tests\?/,
    );
  });

  it('something urgent comes in between two steps, and the next request has it [C2A-06-24/mode/immediate-interrupts]', async () => {
    const { look, begun, end } = lookTool();
    const { provider, world, texts, ask, quiet } = await modelled(
      protocol,
      ({ nth, said }) =>
        nth === 1
          ? { toolCalls: [{ name: 'look' }] }
          : nth === 2
            ? send({ text: 'The deploy is green.', inReplyTo: 'q1' })
            : said.includes('production is down')
              ? 'Rolled back.'
              : 'nothing urgent',
      { runner: { tools: { look } } },
    );
    await ask('how is the deploy?', { id: 'q1' });
    await begun;
    await world.say({
      id: 'u1',
      by: 'bob',
      text: '@lead URGENT: production is down!',
      mentions: ['lead'],
    });
    await world.pass(1_000);
    end('all green');
    await quiet();
    expect(provider.refusals).toEqual([]);
    expect(provider.requests[0]?.said).not.toContain('production is down');
    expect(provider.requests[1]?.last).toMatch(/is urgent[^]*inReplyTo q1[^]*production is down/);
    expect(provider.requests[1]?.messages.at(-2)).toMatchObject({ role: 'tool', text: 'all green' });
    // In the run that went on, not in one of its own.
    expect(provider.requests[2]?.said).toContain('all green');
    expect(texts()).toEqual(['The deploy is green.', 'Rolled back.']);
    expect(world.posted.map(({ replyTo }) => replyTo)).toEqual(['q1', 'u1']);
    expect(provider.requests).toHaveLength(3);
  });

  it('what is not urgent waits for a turn of its own [C2A-06-02/immediate/no-hard-interrupt]', async () => {
    const { look, begun, end } = lookTool();
    const { provider, world, ask, quiet } = await modelled(
      protocol,
      ({ nth }) =>
        [{ toolCalls: [{ name: 'look' }] }, 'It is green.', 'The docs are here.'][nth - 1] ?? 'one too many',
      { runner: { tools: { look } } },
    );
    await ask('how is the deploy?', { id: 'q1' });
    await begun;
    await world.say({ id: 'q2', by: 'bob', text: '@lead where are the docs?', mentions: ['lead'] });
    await world.pass(1_000);
    end('all green');
    await quiet();
    expect(provider.requests[1]?.last).toBe('all green');
    expect(provider.requests[1]?.said).not.toContain('docs');
    expect(world.posted).toMatchObject([
      { text: 'It is green.', replyTo: 'q1' },
      { text: 'The docs are here.', replyTo: 'q2' },
    ]);
  });

  it('what is offered to its role it claims, reads and answers', async () => {
    const { provider, world, texts, quiet } = await modelled(
      protocol,
      ({ last, nth }) =>
        nth === 1
          ? { toolCalls: [{ name: 'chat_claim' }] }
          : last.includes('the build is broken')
            ? 'I am on the build.'
            : 'NO_REPLY',
      {
        world: {
          agents: [
            { id: 'lead', roles: ['ops'] },
            { id: 'builder', roles: ['ops'] },
          ],
        },
      },
    );
    await world.say({
      text: '@ops the build is broken',
      more: { mentions: [{ kind: 'role', id: 'ops' }] },
    });
    await world.pass(3_000);
    await quiet();
    expect(provider.requests[0]?.said).not.toContain('the build is broken');
    expect(provider.refusals).toEqual([]);
    expect(texts()).toEqual(['I am on the build.']);
  });

  it('calls of one step are made one after the other, in the order the model wrote them', async () => {
    const order: string[] = [];
    const noted = (name: string) =>
      tool({
        inputSchema: jsonSchema({ type: 'object', properties: {} }),
        execute: async () => {
          order.push(`${name} begins`);
          await new Promise((resolve) => setImmediate(resolve));
          order.push(`${name} ends`);
          return 'ok';
        },
      });
    const { ask, quiet } = await modelled(
      protocol,
      ({ nth }) => (nth === 1 ? { toolCalls: [{ name: 'claim' }, { name: 'answer' }] } : 'done'),
      { runner: { tools: { answer: noted('answer'), claim: noted('claim') } } },
    );
    await ask('take it');
    await quiet();
    expect(order).toEqual(['claim begins', 'claim ends', 'answer begins', 'answer ends']);
  });
});

describe('what the model does about a matter decides over its closing words', () => {
  it.each([
    ['chat_defer', { reason: 'waiting for the deploy' }, false],
    ['chat_react', { signal: 'declined' }, false],
    ['chat_react', { signal: 'working' }, true],
    ['chat_read_thread', {}, true],
  ])('%s %j: posted %s', async (name, input, posted) => {
    const { provider, texts, ask, quiet } = await modelled('openai', ({ nth }) =>
      nth === 1 ? { toolCalls: [{ name, input }] } : nth === 2 ? 'closing words' : 'NO_REPLY',
    );
    await ask('how is the deploy?');
    await quiet();
    expect(provider.refusals).toEqual([]);
    expect(texts()).toEqual(posted ? ['closing words'] : []);
  });

  it('words that went with a call are no answer when the author stops the loop there', async () => {
    const { texts, ask, provider, log } = await modelled(
      'openai',
      ({ nth }) =>
        nth === 1 ? { text: 'Let me look.', toolCalls: [{ name: 'chat_read_thread' }] } : 'It is green.',
      { runner: { stopWhen: ({ steps }) => steps.length === 1 && provider.requests.length === 1 } },
    );
    await ask('how is the deploy?');
    await provider.request(1);
    await expect.poll(() => log.join('\n')).toContain('stopped between two steps without an answer');
    expect(texts()).toEqual([]);
  });
});

describe('a prefix that can be cached', () => {
  it('is the same in every turn, and marked for the provider that asks for a mark', async () => {
    const { provider, ask, quiet } = await modelled('anthropic', () => 'ok', {
      runner: { instructions: 'You watch the deploys of Acme.' },
    });
    await ask('one?');
    await quiet();
    await ask('two?');
    await quiet();
    const [one, two] = provider.requests.map(({ body: { system, tools } }) =>
      JSON.stringify({ system, tools }),
    );
    expect(one).toBe(two);
    expect(provider.requests[0]?.body['system']).toEqual([
      expect.objectContaining({ cache_control: { type: 'ephemeral' } }),
    ]);
  });

  it("an author's own system messages stay as they are, after the rules", async () => {
    const { provider, ask, quiet } = await modelled('anthropic', () => 'ok', {
      runner: { instructions: [{ role: 'system', content: 'You watch the deploys of Acme.' }] },
    });
    await ask('one?');
    await quiet();
    expect(provider.requests[0]?.body['system']).toEqual([
      { type: 'text', text: PREFIX },
      { type: 'text', text: 'You watch the deploys of Acme.' },
    ]);
  });
});
