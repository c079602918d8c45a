// What one test run sets up for all of its files, and takes away again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  // One folder for everything a run leaves in the system's temporary folder: hosts that are killed on purpose, stores
  // that are crashed, browsers, screenshots (EARSHOT_SCREENSHOTS=1 keeps those in .screenshots).
  const folder = mkdtempSync(join(tmpdir(), 'earshot-tests-'));
  process.env['TMPDIR'] = folder;
  // Node keeps compiled modules here. A host that a test starts as a process loads in half of the time.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  if (process.env['EARSHOT_LONG'] === '1') {
    const seed = (process.env['EARSHOT_SEED'] ??= String(Math.floor(Math.random() * 2 ** 31)));
    console.log(`EARSHOT_SEED=${seed} repeats what this long run draws`);
  }
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
