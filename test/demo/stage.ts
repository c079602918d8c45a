// The demo as `earshot up` plays it, in memory and under the virtual clock: its own configuration, its own agents.
import { parseHostConfig } from '../../src/cli/config.ts';
import { DEMO_CONFIG } from '../../src/cli/demo-config.ts';
import type { GuideStep } from '../../src/demo/guide.ts';
import { CAST, play } from '../../src/demo/play.ts';
import { testHost, type TestHost } from '../../src/testing/index.ts';

/** Longer than any step needs: ten turns of an argument take their compose windows, two seconds each. */
const STEP_MS = 45_000;

export async function demoHost(seed = 1): Promise<TestHost> {
  const { attention, host: settings } = parseHostConfig(DEMO_CONFIG, 'the demo configuration');
  const { agents, conversations, owner } = attention;
  const host = await testHost({
    agents,
    conversations,
    settings: { limits: settings.limits },
    seed,
    networkMs: 20,
    ...(owner === undefined ? {} : { owner }),
  });
  for (const script of CAST) {
    const handler = play(script, host.clock);
    await host.agent(script.agent, (turn) => handler(turn));
  }
  return host;
}

/** Says what the step says, at its pace, and lets everything happen that follows. The events' ids. */
export async function playStep(
  host: TestHost,
  step: GuideStep,
  more: Record<string, unknown> = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, text] of step.say.entries()) {
    if (index > 0) await host.advance(step.everyMs);
    ids.push(await host.say(step.by, text, { more }));
  }
  await host.advance(STEP_MS);
  return ids;
}
