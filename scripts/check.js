// What `npm test` runs, in order of speed: format, types, lint, then every test. One red step stops the run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const bin = (name) => join('node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
const steps = [
  { name: 'format', command: 'biome', args: ['format', '.'] },
  { name: 'types', command: 'tsc', args: ['--noEmit'] },
  { name: 'types of the page', command: 'tsc', args: ['--noEmit', '-p', 'src/console'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'tests', command: 'vitest', args: ['run', ...process.argv.slice(2)] },
];

for (const { name, command, args } of steps) {
  console.log(`\n> ${name}: ${command} ${args.join(' ')}`);
  const { status } = spawnSync(bin(command), args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) {
    console.error(
      `\nearshot: the step "${name}" failed. Run it alone with: npx ${command} ${args.join(' ')}`,
    );
    process.exit(status ?? 1);
  }
}
