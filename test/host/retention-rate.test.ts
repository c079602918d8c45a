// Retention keeps up with ingest, on a real store: while old rows are left it cuts at least as many as come in, at a
// thousand events a second. The clock is stepped, so how much is cut depends on the code alone; what it costs the ingest
// is measured against the same ingest without old rows, by turns in one run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import { createHostStateCodec } from '../../src/host/attend/rebuild-state.ts';
import { cases, LONG } from '../long.ts';
import { openDiskStore } from '../stored/disk-store.ts';
import { world } from './world.ts';

const RETENTION_MS = 60_000;
const STEP_MS = 50;
const EVENTS_A_STEP = 50;
/** Of an ingested row. Measured: 0.5. Judged in the long run only: a short one on a busy machine has said 2.2. */
const COST_MAX = 2;
const BACKLOG_STEPS = cases(40, 400);

async function room(retentionMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-rate-'));
  const codec = createHostStateCodec(attentionSettingsSchema.parse({ agents: [{ id: 'lead' }] }));
  const w = await world({
    settings: { limits: { retentionMs } },
    agents: [{ id: 'lead' }],
    openStore: (ports) => openDiskStore(join(folder, 'store.db'), codec, ports),
  });
  onTestFinished(async () => {
    await w.host.stop();
    await w.store.close();
    rmSync(folder, { recursive: true });
  });
  let count = 0;
  const step = async (): Promise<void> => {
    const events = Array.from({ length: EVENTS_A_STEP }, () =>
      w.event(`remark ${count++}`, { by: `u${count % 9}` }),
    );
    await w.host.ingest(events, 'web');
    await w.advance(STEP_MS);
  };
  const rows = async (): Promise<number> => (await w.store.stats())['log'] ?? 0;
  return { w, step, rows };
}

it('cuts at least as many rows as come in, while old rows are left', async () => {
  const cutting = await room(RETENTION_MS);
  const quiet = await room(0);
  for (let n = 0; n < BACKLOG_STEPS; n++) await cutting.step();
  await cutting.w.advance(RETENTION_MS - BACKLOG_STEPS * STEP_MS);
  // The next pass begins within seconds. From its first batch on, it races with the ingest.
  const backlog = await cutting.rows();
  while ((await cutting.rows()) === backlog) await cutting.w.advance(STEP_MS);
  const old = await cutting.rows();
  const seconds = { cutting: 0, quiet: 0 };
  let ingested = 0;
  const oldLeft = async (): Promise<number> => (await cutting.rows()) - ingested;
  for (let n = 0; n < BACKLOG_STEPS && (await oldLeft()) > 0; n++) {
    seconds.cutting += await timed(cutting.step);
    seconds.quiet += await timed(quiet.step);
    ingested += EVENTS_A_STEP;
  }
  const cut = old - (await oldLeft());
  const rate = cut / ingested;
  const cost = (seconds.cutting / seconds.quiet - 1) / rate;
  const share = Math.round((100 * cost) / (1 + cost));
  process.stdout.write(
    `retention: ${rate.toFixed(1)} rows cut for each that came in; one costs ${cost.toFixed(2)} of an ingested row, so ingest loses ${share}% when both are as fast\n`,
  );
  expect(rate).toBeGreaterThanOrEqual(1);
  if (LONG) expect(cost).toBeLessThan(COST_MAX);
});

/** The CPU time of this process. A busy machine stretches the other kind. */
async function timed(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
