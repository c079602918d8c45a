// What one test run sets up for all of its files, and takes away again. Each project of the run calls it; the first call
// does it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DONE = 'EARSHOT_TEST_RUN';

export default function setup(): (() => void) | undefined {
  if (process.env[DONE] !== undefined) return undefined;
  process.env[DONE] = String(process.pid);
  // One folder for everything a run leaves in the system's temporary folder: hosts that are killed on purpose, stores
  // that are crashed, browsers.
  const folder = mkdtempSync(join(tmpdir(), 'earshot-tests-'));
  process.env['TMPDIR'] = folder;
  // Node keeps compiled modules here. A host that a test starts as a process loads in half of the time.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  if (process.env['EARSHOT_LONG'] === '1') {
    const seed = (process.env['EARSHOT_SEED'] ??= String(Math.floor(Math.random() * 2 ** 31)));
    console.log(`EARSHOT_SEED=${seed} repeats what this long run draws`);
  }
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // A run that is ended by a signal tears nothing down.
  process.once('exit', remove);
  return remove;
}
