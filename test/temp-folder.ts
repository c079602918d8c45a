// One folder for everything a test run leaves in the system's temporary folder, gone with the run: hosts that are
// killed on purpose, stores that are crashed, browsers, screenshots (EARSHOT_SCREENSHOTS=1 keeps those in .screenshots).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-tests-'));
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
