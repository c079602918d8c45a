// Makes a fresh clone ready for a command: installs the locked dependencies when they are missing or stale.
// `npm start` gets what running needs (scripts/clone), `npm test` the tools of development as well. The pinned Node
// (scripts/node) comes along for tests, and wherever the Node that is there is too old to run TypeScript.
// Plain JavaScript without dependencies, because it runs before anything is installed, on any Node from 20 on.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { withProgress } from './progress.js';

const OLDEST_NODE = '22.18';
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stampFile = join(root, 'node_modules', '.earshot-setup.json');
const wanted = process.argv[2] === 'run' ? 'run' : 'test';
// Node says so itself from 22.18 and 23.6 on; older ones know no such field.
const runsTypeScript = Boolean(process.features.typescript);
const withNode = wanted === 'test' || !runsTypeScript;

function lockHash() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).update(process.platform).update(process.arch).digest('hex');
}

function isFresh(hash) {
  if (!existsSync(stampFile)) return false;
  try {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8'));
    return (
      stamp.hash === hash && (stamp.kind === 'test' || stamp.kind === wanted) && (stamp.node || !withNode)
    );
  } catch (error) {
    if (error instanceof SyntaxError) return false; // a half-written stamp: install again
    throw error;
  }
}

async function install(hash) {
  // Not `npm ci`: that refuses a lock file without the binaries of platforms a registry does not carry. This keeps to
  // the lock all the same, versions and integrity, and writes nothing back.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  if (wanted === 'run') args.push('--omit=dev');
  if (!withNode) args.push('--include-workspace-root', '--workspace=earshot-clone');
  const size = wanted === 'run' ? 'about 110 MB' : 'about 700 MB';
  const { code, said } = await withProgress(`installing what is needed to ${wanted}, ${size}`, () =>
    npm(args),
  );
  if (code !== 0) {
    console.error(
      `${said.trimEnd()}\nearshot: npm ${args.join(' ')} failed, see above. Check the network or proxy, then run the same command again.`,
    );
    process.exit(code);
  }
  writeFileSync(stampFile, `${JSON.stringify({ hash, kind: wanted, node: withNode })}\n`);
}

/** What npm says is shown only when it fails. */
async function npm(args) {
  const path = process.env.npm_execpath;
  const [command, prefix] = path?.endsWith('.js') ? [process.execPath, [path]] : ['npm', []];
  const stdio = ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, [...prefix, ...args], { cwd: root, stdio });
  const over = new Promise((resolve) => {
    child.once('error', () => resolve(1)).once('close', (code) => resolve(code ?? 1));
  });
  const [code, out, err] = await Promise.all([over, text(child.stdout), text(child.stderr)]);
  return { code, said: `${out}${err}` };
}

function checkNode() {
  const name = process.platform === 'win32' ? 'node.cmd' : 'node';
  if (runsTypeScript || existsSync(join(root, 'node_modules', '.bin', name))) return; // npm puts that one first on PATH
  console.error(
    `earshot: no pinned Node exists for ${process.platform}-${process.arch} and yours is ${process.version}. ` +
      `Install Node ${OLDEST_NODE} or later, then run the same command again.`,
  );
  process.exit(1);
}

const hash = lockHash();
if (!isFresh(hash)) await install(hash);
checkNode();
