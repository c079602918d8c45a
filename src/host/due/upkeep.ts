// Upkeep: work that nobody waits for. It removes what retention no longer keeps, spent pairing codes and old prompts. Each
// run cuts at least as many rows of a table as were stored in all tables since the last run, so it keeps up with any
// ingest: the two share the writer. Between two runs there is a pause.
import type { HostContext } from '../kernel/context.ts';
import type { Prompts } from '../turn/prompts.ts';
import { CUTTERS, type Cutter } from './retention.ts';

export interface Upkeep {
  run(): Promise<void>;
  nextAt(): number | undefined;
}

export const UPKEEP_LIMITS = {
  /** Rows in one commit. The writer spends about 50 µs on each. */
  batchRows: 250,
  /** Rows of one table in one run, at least and at most. Other timers wait for its end. */
  runRowsMin: 250,
  runRowsMax: 2_000,
  /** The pause while old rows are left. */
  behindMs: 50,
} as const;
const EVERY_MS = 3_600_000;
/** With a retention it looks more often, so that each time there is little to cut. */
const RETENTION_EVERY_MS = 60_000;
const SOONEST_MS = 1_000;
const PROMPTS_BATCHES_MAX = 10;

export interface UpkeepDeps {
  /** Removes spent pairing codes. */
  purge: () => Promise<unknown>;
  prompts: Pick<Prompts, 'removeOld'>;
}

export function createUpkeep(context: HostContext, { purge, prompts }: UpkeepDeps): Upkeep {
  const { clock } = context;
  const keptMs = (): number => context.settings.limits.retentionMs;
  const everyMs = (): number =>
    keptMs() === 0 ? EVERY_MS : Math.min(RETENTION_EVERY_MS, Math.max(SOONEST_MS, keptMs() / 24));
  let next = clock.now() + everyMs();
  let newest = 0;
  /** Where the next batch of each table begins. Rows that had to stay are skipped until the next pass. */
  const reached = new Map<Cutter, number>();

  /** Rows that were stored since the last run, in all tables. */
  const grownBy = async (): Promise<number> => {
    const before = newest;
    const [last] = await context.store.scan('log', 'byPosition', { limit: 1, descending: true });
    newest = last?.position ?? before;
    return before === 0 ? 0 : newest - before;
  };

  const cutTables = async (): Promise<boolean> => {
    const retentionMs = keptMs();
    if (retentionMs === 0) return false;
    const { runRowsMin, runRowsMax } = UPKEEP_LIMITS;
    const wanted = Math.min(runRowsMax, Math.max(runRowsMin, await grownBy()));
    const before = clock.now() - retentionMs;
    let isBehind = false;
    for (const cutter of Object.values<Cutter>(CUTTERS)) {
      const after = await cutTable(context, cutter, { before, after: reached.get(cutter) ?? 0, wanted });
      reached.set(cutter, after ?? 0);
      isBehind ||= after !== undefined;
    }
    return isBehind;
  };

  return {
    nextAt: () => next,
    async run() {
      if (clock.now() < next) return;
      const isBehind = await cutTables();
      if (!isBehind) await purge();
      const morePrompts = await removePrompts(prompts);
      next = clock.now() + (isBehind || morePrompts ? UPKEEP_LIMITS.behindMs : everyMs());
    },
  };
}

/** Returns where to go on; undefined when nothing old is left. */
async function cutTable(
  context: HostContext,
  cutter: Cutter,
  { before, after, wanted }: { before: number; after: number; wanted: number },
): Promise<number | undefined> {
  let position: number | undefined = after;
  for (let seen = 0; seen < wanted && position !== undefined; seen += UPKEEP_LIMITS.batchRows) {
    const { writes, next } = await cutter(context, {
      before,
      after: position,
      limit: UPKEEP_LIMITS.batchRows,
    });
    const states = writes.flatMap((write) => ('state' in write ? [write.state] : []));
    if (writes.length > 0)
      await context.apply({ states, run: () => ({ writes, news: [], result: undefined }) });
    position = next;
  }
  return position;
}

async function removePrompts(prompts: Pick<Prompts, 'removeOld'>): Promise<boolean> {
  for (let batch = 0; batch < PROMPTS_BATCHES_MAX; batch++) {
    if (!(await prompts.removeOld())) return false;
  }
  return true;
}
