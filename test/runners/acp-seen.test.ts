// The `acp` runner with an agent that behaves as real ones were seen to: raw warnings, banners, errors in place of
// answers, words before a refused question, sessions that outlive the process. Against a real host in memory.
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AcpOptions, sessionFile } from '../../src/agent/runners/acp.ts';
import { promptUsage } from '../../src/agent/runners/acp-usage.ts';
import { world, type World } from '../agent/harness.ts';
import { acpIn, type AcpRan, type AgentGiven } from './acp/run.ts';

let here: World;
let ran: AcpRan[] = [];
afterEach(async () => {
  for (const one of ran) await one.runner.close();
  await here.stop();
  ran = [];
});

const mention = (text: string, more: object = {}) => ({ text: `@lead ${text}`, mentions: ['lead'], ...more });
const texts = (): string[] => here.posted.map(({ text }) => text);
/** What the program says on standard error may come after it. */
const failure = (log: readonly string[]): string =>
  log.findLast((line) => line.startsWith('error the handler failed')) ?? '';

async function started(more: Partial<AcpOptions> = {}, given: AgentGiven = {}): Promise<AcpRan> {
  here = await world();
  return again(more, given);
}

/** Another runner in the same room, as after a restart. */
async function again(more: Partial<AcpOptions> = {}, given: AgentGiven = {}): Promise<AcpRan> {
  const one = acpIn(here, more, given);
  ran.push(one);
  await here.pass(1_000);
  return one;
}

async function ask(text: string, more: object = {}): Promise<void> {
  await here.say(mention(text, more));
  await here.pass(3_000);
}

/** So many messages are in chat and on record. */
const shown = (messages: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const visible = await here.store.scan('outbox', 'bySurface', { eq: ['web', 'visible'], limit: 50 });
      expect(visible).toHaveLength(messages);
    },
    { timeout: 60_000, interval: 10 },
  );

describe('what the model did not say is never posted', () => {
  it('a warning without a message id, from an agent that gives ids', async () => {
    const { logged } = await started();
    await ask('!warned');
    await logged('answered');
    expect(texts()).toEqual(['It is green.']);
  });

  it('a banner after the session was opened, before the first prompt', async () => {
    const { logged } = await started({}, { has: 'banner' });
    await ask('!say hello');
    await logged('answered');
    expect(texts()).toEqual(['I was asked: hello']);
  });

  it('an error that the agent says as if it were the answer: the turn fails with it', async () => {
    const { logged, log } = await started();
    await ask('!broken');
    await logged('error the handler failed');
    expect(texts()).toEqual([]);
    expect(failure(log)).toMatch(/failed: stream disconnected before completion: error sending request/);
  });

  it('remarks alone, from an agent that gives ids: the turn fails with the last of them, without its key', async () => {
    const { logged, log } = await started();
    await ask('!warned');
    await logged('answered');
    await ask('!remark');
    await logged('error the handler failed');
    expect(texts()).toEqual(['It is green.']);
    expect(failure(log)).toContain('the provider is away: [key]');
  });

  it.each([
    ['dataerror', 'failed: quota is used up'],
    ['refused', 'refused: API Error: 400 the request was blocked'],
    ['mumbles', 'refused: something went wrong in the tool'],
  ])('%s: failed with the line that says why', async (word, why) => {
    const { logged, log } = await started();
    await ask(`!${word}`);
    await logged('error the handler failed');
    expect(texts()).toEqual([]);
    expect(failure(log)).toContain(why);
  });

  it('but a refusal in the model’s own words is', async () => {
    const { logged } = await started();
    await ask('!refuses');
    await logged('answered');
    expect(texts()).toEqual(['I will not do that.']);
  });
});

describe('permission', () => {
  it.each([
    ['no', 'announce', []],
    ['no', 'announce and then', ['I left it.']],
    ['yes', 'announce', ['I will now remove the build folder. Done.It is gone.']],
  ])('%s: after "!%s" the answer is %j', async (given, words, answer) => {
    const { logged } = await started();
    await ask(`!${words}`);
    await shown(1);
    expect(texts()).toEqual(['May I run `rm -r build`? Please answer yes or no.']);
    await here.say({ text: given });
    await here.pass(3_000);
    await logged(answer.length === 0 ? 'left it at the question' : 'answered');
    await here.pass(20_000);
    expect(texts().slice(1)).toEqual(answer);
  });

  it.each<[string, object, string]>([
    ['a command of any kind', { kind: 'other', rawInput: { cmd: 'make' } }, 'May I run `make`?'],
    [
      'a command in another folder',
      { kind: 'execute', rawInput: { command: ['rm', '-r', 'x'], cwd: '/srv' } },
      'May I run `rm -r x` in `/srv`?',
    ],
    [
      'an address',
      { kind: 'fetch', rawInput: { url: 'https://a.example/x' } },
      'May I fetch `https://a.example/x`?',
    ],
    [
      'a file with its change',
      {
        kind: 'edit',
        title: 'Edit a.ts',
        content: [{ type: 'diff', path: 'src/a.ts', oldText: 'one\ntwo\n', newText: 'one\n2\n' }],
      },
      'May I edit `src/a.ts`? Please answer yes or no.\n\n```diff\n-two\n+2\n```',
    ],
    [
      'what was announced before the question',
      { announced: { kind: 'edit', rawInput: { file_path: 'b.md', old_string: 'x', new_string: 'y' } } },
      'May I edit `b.md`? Please answer yes or no.\n\n```diff\n-x\n+y\n```',
    ],
    ['files', { kind: 'delete', locations: [{ path: 'a' }, { path: 'b' }] }, 'May I delete `a`, `b`?'],
    [
      'a tool of its own',
      { title: 'mcp__shop__buy', rawInput: { item: 'boat' } },
      'May I do this: `mcp__shop__buy` with `{"item":"boat"}`?',
    ],
    [
      'no key',
      { rawInput: { command: 'curl -H "Authorization: Bearer abcdefghijkl" --token hunter2x' } },
      'May I run `curl -H "Authorization: [key]" --token [key]`?',
    ],
  ])('shows %s', async (_, toolCall, question) => {
    const { logged } = await started();
    await ask(`!tool ${JSON.stringify(toolCall)}`);
    await shown(1);
    expect(texts()[0]).toContain(question);
    await here.say({ text: 'no' });
    await here.pass(3_000);
    await logged('answered');
    expect(texts()[1]).toBe('no');
  });

  it('is given by those who may, whichever of them answers, and by nobody else', async () => {
    const { logged } = await started({ approvers: ['human:bea', 'human:cyd'] });
    await ask('!tool {"rawInput":{"command":"make"}}');
    await shown(1);
    await here.say({ text: 'yes', by: 'dan', more: { inReplyTo: 'e1' } });
    await here.pass(3_000);
    expect(texts()).toHaveLength(1);
    await here.say(mention('yes', { by: 'cyd' }));
    await here.pass(3_000);
    await logged('answered');
    expect(texts()[1]).toBe('yes');
  });
});

const memory = (folder: string): NonNullable<AcpOptions['memory']> =>
  sessionFile({ file: join(folder, 'lead.json'), program: 'agent', cwd: '/', onProblem: () => undefined });

it('thanks start no prompt', async () => {
  const { logged, saw } = await started();
  await ask('!say hello');
  await logged('answered');
  await here.say({ text: 'thanks @lead!', mentions: ['lead'] });
  await here.pass(20_000);
  expect(saw('prompt')).toHaveLength(1);
  expect(texts()).toHaveLength(1);
});

describe('sessions that outlive the process', () => {
  it.each(['load', 'resume'])('are taken up again: %s', async (way) => {
    const [folder, data] = [
      mkdtempSync(join(tmpdir(), 'earshot-acp-')),
      mkdtempSync(join(tmpdir(), 'earshot-s-')),
    ];
    const first = await started({ memory: memory(data) }, { has: way, folder });
    await ask('!session');
    await first.logged('answered');
    await first.runner.close();
    expect(statSync(join(data, 'lead.json')).mode & 0o777).toBe(0o600);
    const second = await again({ memory: memory(data) }, { has: way, folder });
    await ask('!session');
    await second.logged('answered');
    expect(second.saw(way)).toEqual([`${way} s1`]);
    // It knows the history, and what `session/load` repeats of it is no answer. It hears the rules and who is here once more,
    // because they may have changed meanwhile.
    expect(texts()).toEqual(['s1 prompt 1, rules, no history', 's1 prompt 1, rules, no history']);
  });

  it('that the agent has lost begin anew, with rules and history', async () => {
    const data = mkdtempSync(join(tmpdir(), 'earshot-s-'));
    const first = await started({ memory: memory(data) }, { has: 'load' });
    await ask('!session');
    await first.logged('answered');
    await first.runner.close();
    const second = await again({ memory: memory(data) }, { has: 'load' });
    await ask('!session');
    await second.logged('answered');
    expect(second.saw('load')).toEqual(['load s1']);
    expect(texts()[1]).toBe('s1 prompt 1, rules, history');
    expect(readFileSync(join(data, 'lead.json'), 'utf8')).toContain('"s1"');
  });

  it('one that is lost in the middle is replaced within the turn', async () => {
    const { logged, saw } = await started();
    await ask('!lost');
    await logged('answered');
    expect(texts()).toEqual(['found again']);
    expect(saw('session')).toHaveLength(2);
  });
});

describe('settings', () => {
  it('mode and model are set by their names, in every session', async () => {
    const { logged, saw } = await started({ mode: 'plan', model: 'small one' }, { has: 'modes' });
    await ask('!say hi');
    await logged('answered');
    expect([...saw('mode'), ...saw('option')]).toEqual(['mode plan', 'option the-model small']);
  });

  it.each<[Partial<AcpOptions>, string, string]>([
    [{ mode: 'paln' }, 'modes', 'has no mode "paln": it has default, plan'],
    [{ model: 'huge' }, 'modes', 'has no model "huge": it has big, small'],
    [{ model: 'huge' }, '', 'lets no model be chosen over ACP'],
  ])('%j of an agent with "%s": %s', async (wrong, has, why) => {
    const { logged, log } = await started(wrong, { has });
    await ask('!say hi');
    await logged('error the handler failed');
    expect(failure(log)).toContain(why);
  });
});

describe('what a prompt cost', () => {
  it.each<[object, object | undefined]>([
    [
      {
        usage: {
          inputTokens: 10,
          outputTokens: 20,
          cachedReadTokens: 300,
          cachedWriteTokens: 40,
          totalTokens: 370,
        },
      },
      { inputTokens: 350, outputTokens: 20, cachedInputTokens: 300, source: 'reported' },
    ],
    [
      { usage: { inputTokens: 350, outputTokens: 20, cachedReadTokens: 300, totalTokens: 370 } },
      { inputTokens: 350, outputTokens: 20, cachedInputTokens: 300, source: 'reported' },
    ],
    [
      {
        _meta: {
          quota: { token_count: { input_tokens: 5, output_tokens: 6 }, model_usage: [{ model: 'gemini-x' }] },
        },
      },
      { inputTokens: 5, outputTokens: 6, model: 'gemini-x', source: 'reported' },
    ],
    [{ usage: null }, undefined],
  ])('%j', (response, usage) => expect(promptUsage(response)).toEqual(usage));

  it('is told with the turn', async () => {
    const { logged, usages } = await started();
    await ask('!say !cost');
    await logged('answered');
    expect(usages).toEqual([
      { inputTokens: 350, outputTokens: 20, cachedInputTokens: 300, source: 'reported' },
    ]);
  });
});
