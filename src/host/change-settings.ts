// Puts other settings in force while the host runs. The version is stored first, then the context is switched in one step:
// a unit that was made before ends under the version before, and every later one is decided by all of the new version.
// Agents that are gone are then let go: their sessions end, and what was open for them ends with its reason.
import type { AttentionSettings } from '../attention/index.ts';
import type { SettingsRow } from '../store/tables.ts';
import type { Courier } from './deliver/courier.ts';
import { retireAgent } from './deliver/retire.ts';
import { noChange } from './kernel/change.ts';
import type { ContextSwitch, HostContext } from './kernel/context.ts';
import { type GivenSettings, type InForce, compileSettings } from './kernel/in-force.ts';
import { settingsWords } from './kernel/settings-words.ts';
import { type VersionOrigin, newestVersion, storeVersion } from './kernel/settings-row.ts';

/** At a start: the settings may have changed while no host ran. */
export async function noteStart(context: HostContext, origin: Omit<VersionOrigin, 'words'>): Promise<void> {
  const newest = await newestVersion(context.store);
  if (newest?.version === context.configVersion && newest.text === origin.text) return;
  const words =
    newest === undefined
      ? ['the first start']
      : settingsWords({ attention: newest.attention as AttentionSettings }, { attention: context.attention });
  await storeVersion(context, context, { ...origin, words });
}

/**
 * Resolves when the new settings are in force and everything of the old ones has ended. `basedOn`: throws StaleVersion when
 * another version is the newest.
 */
export type ChangeSettings = (
  next: GivenSettings,
  origin: VersionOrigin,
  basedOn?: number,
) => Promise<SettingsRow>;

/** Takes a version that another node has stored. Resolves when it is in force. */
export type FollowSettings = (next: GivenSettings) => Promise<void>;

interface Deps extends ContextSwitch {
  courier: Pick<Courier, 'dismiss'>;
  /** Who keeps something of each agent in memory, and reads that of a new one first. */
  knows: readonly { know(agents: readonly { id: string }[]): Promise<void> }[];
}

export function createSettingsChanges(deps: Deps): { change: ChangeSettings; follow: FollowSettings } {
  const { context } = deps;
  /** One change at a time: the number of a version is the one before it plus one. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const done = last.then(run);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    change: (given, origin, basedOn) =>
      inTurn(async () => {
        const next = compileSettings(given);
        for (const one of deps.knows) await one.know(given.attention.agents);
        const row = await storeVersion(context, given, origin, basedOn);
        await retire(context, putInForce(deps, next));
        return row;
      }),
    follow: (given) =>
      inTurn(async () => {
        const next = compileSettings(given);
        for (const one of deps.knows) await one.know(given.attention.agents);
        const removed = putInForce(deps, next);
        // Nobody waits for it here: the node that brought the version does the same.
        retire(context, removed).catch((error: unknown) =>
          context.log.error({ err: error }, 'what waited for removed agents was not ended'),
        );
      }),
  };
}

/** Returns the agents that are gone. Their sessions end. */
function putInForce({ context, replace, courier }: Deps, next: InForce): readonly string[] {
  const before = context.agentIds;
  replace(next);
  context.accounts.agentsAre([...next.agentIds]);
  const added = [...next.agentIds].filter((id) => !before.has(id));
  const removed = [...before].filter((id) => !next.agentIds.has(id));
  context.bus.publish({ type: 'settings', added, removed });
  for (const agent of removed) courier.dismiss(agent);
  return removed;
}

async function retire(context: HostContext, removed: readonly string[]): Promise<void> {
  if (removed.length === 0) return;
  // Commits are made in order: behind this one nothing is left that the settings before had begun.
  await context.apply({ states: [], run: () => ({ ...noChange(), result: undefined }) });
  for (const agent of removed) await retireAgent(context, agent);
}
