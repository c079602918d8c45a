// How the agents of a running host are, for `earshot doctor`: one line for those with nothing wrong, one for each other.
import type { ShownAgent } from '../protocol/operator-api.ts';
import { systemClock } from '../runtime/clock.ts';
import { type HostClient, listIn } from './host-client.ts';
import { CommandError } from './io.ts';

/** One line of doctor. */
export interface Finding {
  what: string;
  ok: boolean;
  said: string;
  fix?: string;
}

/** As many agents as the host lists at once. */
const LOOKED_AT = 200;
/** Calls refused longer ago are no problem any more. */
const REFUSED_LATELY_MS = 15 * 60_000;

export async function agentFindings(host: HostClient): Promise<Finding[]> {
  let all: readonly ShownAgent[];
  try {
    all = listIn<ShownAgent>(await host.call('GET', `/v1/agents?limit=${LOOKED_AT}`), 'agents');
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [{ what: 'agents', ok: false, said: error.message }];
  }
  const problems = all.flatMap((agent) => problemOf(agent) ?? []);
  const well = all.filter((agent) => problemOf(agent) === undefined);
  const said = well.map(({ id, connected }) => `${id}${connected ? '' : ' (not connected)'}`).join(', ');
  return well.length === 0 ? problems : [{ what: 'agents', ok: true, said }, ...problems];
}

function problemOf({ id, failing, away, queue, calls }: ShownAgent): Finding | undefined {
  if (failing !== null) {
    const turns = failing.turns === 1 ? 'its last turn failed' : `its last ${failing.turns} turns failed`;
    return {
      what: 'agents',
      ok: false,
      said: `${id} is failing, ${turns}: ${failing.error ?? 'its harness gave no reason'}`,
      fix: 'mend that where the agent runs; what it was asked is tried again for ten minutes',
    };
  }
  // A host of an earlier version says nothing about calls.
  if (calls?.refused != null && systemClock.now() - Date.parse(calls.refused.at) < REFUSED_LATELY_MS) {
    const { count, reason, at } = calls.refused;
    return {
      what: 'agents',
      ok: false,
      said: `${id} asks for more than its share: ${count} calls refused since the start, the last at ${at} (${reason})`,
      fix: 'look for a loop in its harness; the limits are in docs/security.md',
    };
  }
  if (!away || queue.mustRespond === 0) return undefined;
  const said = `${id} is not connected, and must answer ${queue.mustRespond}`;
  return { what: 'agents', ok: false, said, fix: 'start its harness' };
}
