// Waits for the comparison with the last week that a check of the settings has begun, and tells it in lines.
import type { DifferenceAnswer } from '../protocol/settings-api.ts';
import { systemClock } from '../runtime/clock.ts';
import type { HostClient } from './host-client.ts';

/** How often the comparison is asked for, and for how long at most. */
const ASK_MS = 100;
const ASKS = 600;

export async function differenceOf(host: HostClient, id: string): Promise<DifferenceAnswer> {
  const path = `/v1/settings/difference/${encodeURIComponent(id)}`;
  for (let asked = 1; ; asked++) {
    const answer = (await host.call('GET', path)) as DifferenceAnswer;
    if (answer.state !== 'running' || asked === ASKS) return answer;
    await new Promise<void>((resolve) => {
      systemClock.after(ASK_MS, resolve);
    });
  }
}

/** How many decisions would differ, and some of the lines that would wake an agent or leave it alone. */
export function differenceText({ words, turnsAdded, turnsSaved, added, saved }: DifferenceAnswer): string[] {
  const some = [
    ...added.map(({ agent, text }) => `  + ${agent}: ${text}`),
    ...saved.map(({ agent, text }) => `  - ${agent}: ${text}`),
  ];
  return [`${words}: ${turnsAdded} turns more, ${turnsSaved} fewer`, ...some];
}
