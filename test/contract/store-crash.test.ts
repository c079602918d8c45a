// kill -9 at random moments while a child writes: what it had been told is stored is stored, and the file is sound.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { codec } from './store-rows.ts';
import { cases, SEED } from '../long.ts';

const KILLS = cases(5, 20);
/** After so many acknowledgements, at most; the pipe's own delay makes the moment random. */
const ACKS_MAX = 3_000;

/** Runs the child on the file and kills it after so many acknowledgements; resolves with all that it printed. */
function killAfter(file: string, life: number, acks: number): Promise<string[]> {
  const script = fileURLToPath(new URL('./store-crash-child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, file, String(life)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  let lines = 0;
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      lines += chunk.split('\n').length - 1;
      if (lines >= acks) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (_, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`the child ended by itself: ${printed.slice(-500)}`));
      // The last line may have been cut short.
      else
        resolve(
          printed
            .slice(0, printed.lastIndexOf('\n') + 1)
            .split('\n')
            .slice(0, -1),
        );
    });
  });
}

it('kills lose nothing that was acknowledged and leave a sound store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-crash-'));
  const file = join(folder, 'store.db');
  const acknowledged: string[] = [];
  const random = seededRandom(SEED);
  for (let life = 0; life < KILLS; life++) {
    acknowledged.push(...(await killAfter(file, life, 1 + Math.floor(random.next() * ACKS_MAX))));
  }
  const store = await openSqliteStore({ file, clock: systemClock, codec });
  const lost: string[] = [];
  for (const key of acknowledged) {
    if ((await store.get('log', key)) === undefined) lost.push(key);
    if ((await store.get('delivery', key)) === undefined) lost.push(`delivery ${key}`);
  }
  expect(lost).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(KILLS);
  expect(await store.check()).toEqual([]);
  const [newest] = await store.scan('log', 'byConversation', { eq: ['room1'], limit: 1, descending: true });
  expect(await store.state('room1')).toBe(newest?.seq);
  await store.close();
  rmSync(folder, { recursive: true });
});
