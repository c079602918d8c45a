// Plays one plan and judges it: chaos, heal, quiet.
import { StoreError } from '../../src/store/store.ts';
import { judge, nothingIsOpen } from './judge.ts';
import type { Plan } from './plan.ts';
import { SimWorld } from './world.ts';

/** After the faults everything must have ended within this, by the world's clock. */
const HEAL_MS = 8 * 60_000;
const LOOK_EVERY_MS = 5_000;
/** So many looks in a row find nothing open. */
const SETTLED_LOOKS = 3;
/** A host with nothing to do commits nothing but its digests, its upkeep and the returns of debts. */
const QUIET_MS = 4 * 60_000;
const QUIET_COMMITS = 20;
const QUIET_TIMERS = 60;

export interface Outcome {
  findings: readonly string[];
  digest: string;
  lines: readonly string[];
}

export async function runPlan(plan: Plan): Promise<Outcome> {
  const world = new SimWorld(plan);
  let findings: string[];
  const rejected = (error: unknown): void => {
    // Of a host that has died. Its process would not be there any more.
    if (error instanceof StoreError && error.kind === 'closed') return;
    world.seen.problem(`a promise was rejected and nobody took it: ${stackOf(error)}`);
  };
  process.on('unhandledRejection', rejected);
  try {
    await world.play();
    await heal(world);
    findings = await world.during(judge(world));
  } catch (error) {
    findings = [...world.seen.problems, stackOf(error)];
  } finally {
    process.off('unhandledRejection', rejected);
    world.close();
  }
  return { findings, digest: world.trace.digest, lines: world.trace.lines };
}

/** First everything ends by itself. Only then is something new asked, because that would wake what sleeps. */
async function heal(world: SimWorld): Promise<void> {
  if (!(await settles(world))) return;
  world.probe();
  if (!(await settles(world))) return;
  const before = world.seen.commits;
  await world.advanceTo(world.clock.now() + QUIET_MS);
  const commits = world.seen.commits - before;
  if (commits > QUIET_COMMITS)
    world.seen.problem(`the host had nothing to do and committed ${commits} times`);
  const timers = world.clock.waiting();
  if (timers > QUIET_TIMERS) world.seen.problem(`${timers} timers wait although there is nothing to do`);
}

/** Waits until everything has ended and stays so, for a limited time. A debt that returns begins something anew. */
async function settles(world: SimWorld): Promise<boolean> {
  const until = world.clock.now() + HEAL_MS + world.backMs();
  for (let looks = 0; looks < SETTLED_LOOKS; ) {
    if (world.clock.now() >= until) return false;
    await world.advanceTo(world.clock.now() + LOOK_EVERY_MS);
    const isOver = (!world.isProbing || world.isProbed) && (await isSettled(world));
    looks = isOver ? looks + 1 : 0;
  }
  return true;
}

async function isSettled(world: SimWorld): Promise<boolean> {
  const { store, host } = world;
  if (store === undefined || host === undefined) return false;
  return (await world.during(nothingIsOpen(world, store, 1))).length === 0;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
