// The lead as a real model, when the environment names one. What is missing or wrong about it is said, and the script
// plays instead: a demo always starts.
import type { AgentLog } from '../agent/index.ts';
import type { Env } from '../agent/runners/child-env.ts';
import type { Runner } from '../agent/runners/runner.ts';

export interface LeadModel {
  name: string | undefined;
  runner: Runner | undefined;
  problem: string | undefined;
}

const INSTRUCTIONS =
  'You are "lead", the lead of a small demo team in a chat. "builder" builds, "reviewer" reviews; both are scripts, and ' +
  'both hold the role "oncall". Answer in one to three short, friendly sentences. When two agents were stopped because ' +
  'they went in circles, tell the person who started it, once.';

export async function leadModel(env: Env, log: AgentLog): Promise<LeadModel> {
  const { modelFromEnv, modelRunner } = await import('../agent/runners/models.ts');
  const name = modelFromEnv(env);
  if (name === undefined) return { name, runner: undefined, problem: undefined };
  try {
    const runner = await modelRunner({ name, env, instructions: INSTRUCTIONS, log });
    return { name, runner, problem: undefined };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    log.warn({ model: name }, `the lead is played by a script: ${problem}`);
    return { name: undefined, runner: undefined, problem };
  }
}
