// The page, built as `npm start` builds it. Quick when it is built already.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..');

export async function buildPage(): Promise<void> {
  const script = join(ROOT, 'scripts', 'build-page.js');
  await promisify(execFile)(process.execPath, [script, '--strict'], { cwd: ROOT });
}
