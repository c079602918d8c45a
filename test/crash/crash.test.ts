// kill -9 at any moment under load, 300 times in a long run: no acknowledged event is lost, nothing is said twice, every delivery
// ends, and each restart goes on by itself. The same seed repeats a run as far as two processes can be repeated.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { seededRandom } from '../../src/runtime/random.ts';
import { cases, SEED } from '../long.ts';
import { Life } from './lives.ts';
import { HOST, judge, liveAndDie, makeWorld, momentOf, settle } from './world.ts';

const KILLS = cases(10, 300);
const TIMEOUT_MS = cases(600_000, 1_800_000);

test(
  'kill -9 under load, again and again: nothing acknowledged is lost, nothing is said twice, every delivery ends',
  async () => {
    const random = seededRandom(SEED);
    const folder = mkdtempSync(join(tmpdir(), 'earshot-crash-'));
    const world = await makeWorld(folder, random);
    let next = new Life(HOST);
    const started = performance.now();
    try {
      for (let kills = 0; kills < KILLS; kills++) {
        const life = next;
        next = new Life(HOST);
        await liveAndDie(world, life, momentOf(kills)).finally(() => life.kill());
      }
      await settle(world, next);
      await judge(world);
    } finally {
      next.kill();
      await world.platform.stop();
      rmSync(folder, { recursive: true, force: true });
    }
    const { platform, talk, harnesses } = world;
    const redelivered = harnesses.reduce((sum, harness) => sum + harness.redelivered, 0);
    console.log(
      `${KILLS} kills in ${Math.round((performance.now() - started) / 1_000)} s, seed ${SEED}: ` +
        `${talk.acked.size} events acknowledged, 0 lost, ${platform.shown.length} visible messages, 0 twice, ${redelivered} redeliveries, asked after a crash: ` +
        `${platform.found.shown} shown, ${platform.found.absent} not`,
    );
  },
  TIMEOUT_MS,
);
