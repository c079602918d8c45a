// What `npm test` runs: format, types and lint, one after the other, and every test beside them. One red step ends the
// run and says how to repeat it. `--long` (npm run test:long) lets the tests draw in full, from a new seed, and then
// plants faults that the tests must notice.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const bin = (name) => join('node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
const words = process.argv.slice(2);
const long = words.includes('--long');
const paths = words.filter((word) => word !== '--long');
const env = long ? { ...process.env, EARSHOT_LONG: '1' } : process.env;

const STATIC = [
  { name: 'format', command: 'biome', args: ['format', '.'] },
  { name: 'types', command: 'tsc', args: ['--noEmit'] },
  { name: 'types of the page', command: 'tsc', args: ['--noEmit', '-p', 'src/console'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
];
const TESTS = {
  name: 'tests',
  command: 'vitest',
  args: ['run', ...paths],
};
const MUTATION = { name: 'mutation', command: 'node', args: ['test/mutation/run.ts'] };

function start({ command, args }, stdio) {
  return spawn(bin(command), args, { stdio, env, shell: process.platform === 'win32' });
}

/** Its exit code; 1 for a signal or a program that could not be started. */
function ended(child) {
  return new Promise((resolve) => {
    child.once('error', () => resolve(1)).once('close', (code) => resolve(code ?? 1));
  });
}

/** Printed in one piece when it is over, so that it does not run into what the tests say meanwhile. */
async function check(step) {
  const child = start(step, ['ignore', 'pipe', 'pipe']);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)]);
  console.log(`\n> ${step.name}: ${step.command} ${step.args.join(' ')}\n${out}${err}`.trimEnd());
  return code;
}

function fail({ name, command, args }, code) {
  const before = long ? 'EARSHOT_LONG=1 ' : '';
  console.error(
    `\nearshot: the step "${name}" failed. Run it alone with: ${before}npx ${command} ${args.join(' ')}`,
  );
  process.exitCode = code;
}

console.log(`\n> ${TESTS.name}: ${TESTS.command} ${TESTS.args.join(' ')}`);
const tests = start(TESTS, 'inherit');
const tested = ended(tests);

async function checks() {
  for (const step of STATIC) {
    const code = await check(step);
    if (code !== 0) return { step, code };
  }
  return undefined;
}

/** Which rows have a test that notices a fault. Not for a run of a few files. */
async function mutation() {
  if (!long || paths.length > 0) return;
  console.log(`\n> ${MUTATION.name}: ${MUTATION.command} ${MUTATION.args.join(' ')}`);
  const code = await ended(start(MUTATION, 'inherit'));
  if (code !== 0) fail(MUTATION, code);
}

const red = await checks();
if (red !== undefined) {
  tests.kill();
  await tested;
  fail(red.step, red.code);
} else {
  const code = await tested;
  if (code !== 0) fail(TESTS, code);
  else await mutation();
}
