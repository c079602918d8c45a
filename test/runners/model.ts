// An agent of a real host in memory that is a model: the `ai-sdk` runner over HTTP against the local provider. The model
// answers in real time and the host lives under a virtual clock: a test waits for what the model does, then lets time pass.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { onTestFinished } from 'vitest';
import type { AgentLog, ConnectOptions } from '../../src/agent/index.ts';
import { type AiSdkOptions, aiSdkRunner, type Runner } from '../../src/agent/runners/ai-sdk.ts';
import { interruptsOf } from '../../src/agent/runners/runner.ts';
import { type World, world, type WorldOptions } from '../agent/harness.ts';
import type { Protocol } from './provider/script.ts';
import { type Provider, type ProviderScript, startProvider } from './provider/server.ts';

export interface Modelled {
  world: World;
  provider: Provider;
  runner: Runner;
  /** `level message field=value`, all of it. */
  log: string[];
  /** Resolves when the log has this text. */
  logged: (text: string) => Promise<void>;
  /** What people saw of the agent. */
  texts: () => string[];
  /** Lets time pass until no run is left and none begins any more. */
  quiet: () => Promise<void>;
  /** A mention of the agent, and the time until its turn begins. */
  ask: (text: string, more?: object) => Promise<void>;
}

export interface ModelledOptions {
  world?: WorldOptions;
  runner?: Partial<AiSdkOptions>;
  connect?: ConnectOptions;
  agent?: string;
}

export async function modelled(
  protocol: Protocol,
  script: ProviderScript,
  options: ModelledOptions = {},
): Promise<Modelled> {
  const here = await world(options.world);
  const provider = await startProvider(script);
  const { agent = 'lead' } = options;
  const lines: string[] = [];
  let waiting: { text: string; resolve: () => void }[] = [];
  const log = logInto((line) => {
    lines.push(line);
    for (const { text, resolve } of waiting) if (line.includes(text)) resolve();
    waiting = waiting.filter(({ text }) => !line.includes(text));
  });
  const runner = aiSdkRunner({ model: modelOf(protocol, provider), log, ...options.runner });
  const runs: Promise<unknown>[] = [];
  here
    .agent(agent, { log, interrupts: interruptsOf(runner.capabilities), ...options.connect })
    .onTurn((turn) => {
      const run = runner(turn);
      runs.push(run.catch(() => undefined));
      return run;
    });
  onTestFinished(async () => {
    await provider.close();
    await here.stop();
  });
  await here.pass(1_000);
  return {
    world: here,
    provider,
    runner,
    log: lines,
    logged: (text) =>
      new Promise((resolve) => {
        if (lines.some((line) => line.includes(text))) resolve();
        else waiting.push({ text, resolve });
      }),
    texts: () => here.posted.filter((posted) => posted.agent === agent).map(({ text }) => text),
    async quiet() {
      for (let before = -1; before !== runs.length; ) {
        before = runs.length;
        await Promise.all(runs);
        await here.pass(20_000);
      }
    },
    async ask(text, more = {}) {
      await here.say({ text: `@${agent} ${text}`, mentions: [agent], ...more });
      await here.pass(3_000);
    },
  };
}

export function modelOf(protocol: Protocol, { openaiUrl, anthropicUrl, key }: Provider): LanguageModel {
  return protocol === 'openai'
    ? createOpenAICompatible({ name: 'local', baseURL: openaiUrl, apiKey: key })('local-model')
    : createAnthropic({ baseURL: `${anthropicUrl}/v1`, apiKey: key })('claude-haiku-4-5');
}

function logInto(keep: (line: string) => void): AgentLog {
  const at =
    (level: string): AgentLog['info'] =>
    ({ err, ...fields }, message) => {
      const named = Object.entries(fields).map(([name, value]) => ` ${name}=${String(value)}`);
      const detail = err instanceof Error ? `: ${err.message}` : '';
      keep(`${level} ${message}${detail}${named.join('')}`);
    };
  return { debug() {}, info: at('info'), warn: at('warn'), error: at('error') };
}
