// Builds `earshot/agent` as it is published: compiled, in a folder where it can be imported by name. Used by the test
// of what the import loads, and by the bench.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules', '.bin', 'tsc');

/** Returns the folder of the package. */
export async function publishAgent(home: string): Promise<string> {
  const installed = join(home, 'node_modules', 'earshot');
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules', '@types'), join(home, 'node_modules', '@types'));
  const typeRoots = [join(ROOT, 'node_modules', '@types')];
  await compileIn(home, 'build.json', {
    extends: join(ROOT, 'tsconfig.build.json'),
    compilerOptions: { outDir: join(installed, 'dist'), rootDir: join(ROOT, 'src'), typeRoots },
    files: [join(ROOT, 'src/agent/index.ts')],
    include: [],
  });
  return installed;
}

export async function compileIn(home: string, name: string, config: object): Promise<void> {
  writeFileSync(join(home, name), JSON.stringify(config));
  await run(TSC, ['-p', name], { cwd: home }).catch((error: { stdout?: string }) => {
    throw new Error(`tsc: ${error.stdout ?? 'did not start'}`, { cause: error });
  });
}

/** The time of the import alone, in milliseconds, each in its own process. */
export async function importTimes(home: string, rounds: number): Promise<number[]> {
  const script = `const from = performance.now(); await import('earshot/agent'); console.log(performance.now() - from)`;
  writeFileSync(join(home, 'time.mjs'), script);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await run(process.execPath, ['time.mjs'], { cwd: home });
    times.push(Number(stdout));
  }
  return times;
}
