// examples/claude-agent-sdk: its Earshot half against a real host in memory, with a stand-in for `query` that has the SDK's
// streaming shape and nothing else of it. The SDK itself (400 MB) is not installed: the last test runs the example with a
// real one, where EARSHOT_CLAUDE_AGENT_SDK names its folder.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TurnHandler } from '../../src/agent/index.ts';
import { world, type World } from '../agent/harness.ts';
import { upHere } from '../server/here.ts';
import { folder, message, until } from '../server/up.ts';
import { startProvider } from './provider/server.ts';

const EXAMPLE = resolve('examples/claude-agent-sdk');
const SDK = process.env['EARSHOT_CLAUDE_AGENT_SDK'];

interface Told {
  type: 'user';
  message: { role: 'user'; content: string };
}
interface ResultMessage {
  type: 'result';
  subtype: string;
  is_error?: boolean;
  result?: string;
}
type Think = (content: string, nth: number, signal: AbortSignal) => string | Promise<string>;

/** A `query` as the SDK's in streaming input: one result a user message, in order; an interrupt ends the one under way. */
function standIn(think: Think) {
  const state = { queries: 0, interrupts: 0, ended: 0, told: [] as string[] };
  const query = ({ prompt }: { prompt: AsyncIterable<Told> }) => {
    state.queries++;
    let current = new AbortController();
    async function* messages(): AsyncGenerator<{ type: string } | ResultMessage> {
      yield { type: 'system' };
      for await (const { message: told } of prompt) {
        state.told.push(told.content);
        current = new AbortController();
        const { signal } = current;
        const interrupted = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
        });
        interrupted.catch(() => undefined);
        yield { type: 'assistant' };
        try {
          const work = think(told.content, state.told.length, signal);
          const result = await Promise.race([Promise.resolve(work), interrupted]);
          if (result === 'DIE') throw new TypeError('the process ended');
          // As the SDK tells of a provider that refuses: a success that is an error.
          const refused = result.startsWith('API Error');
          yield { type: 'result', subtype: 'success', is_error: refused, result };
        } catch (error) {
          if (error instanceof TypeError) throw error;
          yield { type: 'result', subtype: 'error_during_execution' };
        }
      }
      state.ended++;
    }
    return Object.assign(messages(), {
      interrupt() {
        state.interrupts++;
        current.abort();
        return Promise.resolve({ still_queued: [] });
      },
    });
  };
  return { query, state };
}

interface Example {
  claudeRunner(query: unknown, options: unknown): TurnHandler & { close(): void };
  LIMITS: { conversations: number };
}
const example = (): Promise<Example> =>
  import(pathToFileURL(join(EXAMPLE, 'conversations.ts')).href) as Promise<Example>;

async function claude(think: Think): Promise<{ at: World; state: ReturnType<typeof standIn>['state'] }> {
  const { query, state } = standIn(think);
  const at = await world();
  const runner = (await example()).claudeRunner(query, {});
  at.agent('lead', { offers: 'take', interrupts: 'anytime' }).onTurn(runner);
  await at.pass(1_000);
  onTestFinished(() => {
    runner.close();
    return at.stop();
  });
  return { at, state };
}

const text = (at: World): string[] => at.posted.map((one) => one.text);

describe('the example for the Claude Agent SDK, with a stand-in for query', () => {
  it('asks one query a conversation, one user message a turn, and posts the final text', async () => {
    const { at, state } = await claude((content, nth) => `${nth}: ${/^author: (.+)$/m.exec(content)?.[1]}`);
    await at.say({ text: '@lead one', by: 'ada' });
    await at.pass(5_000);
    await at.say({ text: '@lead two', by: 'bob' });
    await at.pass(5_000);
    await at.say({ text: 'three', by: 'ada', in: 'dm-ada', inKind: 'dm' });
    await at.pass(5_000);
    expect(text(at)).toEqual(['1: human:ada', '2: human:bob', '3: human:ada']);
    expect(state.queries).toBe(2);
    // What it was told before it need not be told again.
    expect(state.told[1]).toContain('@lead two');
    expect(state.told[1]).not.toContain('@lead one');
  });

  it('interrupts when more is said before it has answered, and answers once, to all of it', async () => {
    const { at, state } = await claude((content, nth) =>
      nth === 1 ? new Promise<string>(() => undefined) : `read ${content.includes('the second half')}`,
    );
    await at.say({ text: '@lead the first half' });
    await at.pass(3_000);
    await at.say({ text: 'the second half' });
    await at.pass(5_000);
    expect(state.interrupts).toBe(1);
    expect(text(at)).toEqual(['read true']);
    expect(state.queries).toBe(1);
  });

  it('stays silent on NO_REPLY', async () => {
    const { at, state } = await claude(() => 'NO_REPLY');
    await at.say({ text: '@lead are you there?' });
    await at.pass(5_000);
    // Asked, and reminded once, because it must be answered.
    expect(state.told).toHaveLength(2);
    expect(text(at)).toEqual([]);
  });

  it('is asked again after a failure, by a new query where the process has ended', async () => {
    const { at, state } = await claude((_, nth) => {
      if (nth === 1) throw new Error('overloaded');
      return nth === 2 ? 'DIE' : `answered at ${nth}`;
    });
    await at.say({ text: '@lead are you there?' });
    await at.pass(40_000);
    expect(text(at)).toEqual(['answered at 3']);
    expect(state.queries).toBe(2);
  });

  it('never posts the provider’s complaint: it is a failure, and asked again', async () => {
    const { at, state } = await claude((_, nth) => (nth === 1 ? 'API Error: 400 no' : `answered at ${nth}`));
    await at.say({ text: '@lead are you there?' });
    await at.pass(20_000);
    expect(text(at)).toEqual(['answered at 2']);
    expect(state.queries).toBe(1);
  });

  it('ends the query that was asked longest ago when there are too many', async () => {
    const { at, state } = await claude((_, nth) => `${nth}`);
    const { LIMITS } = await example();
    for (let count = 0; count <= LIMITS.conversations; count++) {
      await at.say({ text: 'hello', by: `u${count}`, in: `dm-${count}`, inKind: 'dm' });
      await at.pass(5_000);
    }
    expect([state.queries, state.ended]).toEqual([LIMITS.conversations + 1, 1]);
    expect(text(at)).toHaveLength(LIMITS.conversations + 1);
  });
});

it.each(['agent.ts', 'conversations.ts'])('%s is erasable TypeScript', (name) => {
  const code = readFileSync(join(EXAMPLE, name), 'utf8');
  expect(stripTypeScriptTypes(code)).toContain('claudeRunner');
});

it.runIf(SDK !== undefined)('the example answers with the real SDK', async () => {
  const provider = await startProvider(() => 'Here I am.');
  onTestFinished(() => provider.close());
  const dir = folder();
  const leads: Record<string, string> = {
    'earshot/agent': pathToFileURL(resolve('src/agent/index.ts')).href,
    '@anthropic-ai/claude-agent-sdk': pathToFileURL(join(SDK ?? '', 'sdk.mjs')).href,
    './conversations.ts': pathToFileURL(join(EXAMPLE, 'conversations.ts')).href,
  };
  const code = readFileSync(join(EXAMPLE, 'agent.ts'), 'utf8');
  const linked = code.replaceAll(/ from '([^']+)'/g, (_, name: string) => ` from '${leads[name] ?? name}'`);
  writeFileSync(join(dir, 'agent.mts'), linked);
  const host = await upHere();
  const child = spawn(process.execPath, [join(dir, 'agent.mts')], {
    cwd: dir,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: dir,
      EARSHOT_URL: `${host.url}/c2a`,
      EARSHOT_TOKEN: host.tokens.agents['lead'] ?? '',
      ANTHROPIC_BASE_URL: provider.anthropicUrl,
      ANTHROPIC_API_KEY: provider.key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await host.post(message('@lead are you there?'));
  const shown = await until(async () => {
    const { body } = await host.call('GET', '/v1/outbox', host.tokens.surfaces['dev']);
    return (body['messages'] as { text: string }[])[0];
  });
  expect(shown).toMatchObject({ text: 'Here I am.' });
  expect(await host.stop()).toBe(0);
});
