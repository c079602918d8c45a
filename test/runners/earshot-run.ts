// `earshot run` as a process beside a host, and scripted programs on its PATH.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { childEnv, MAIN, type Listening } from '../server/up.ts';

export interface Running {
  child: ChildProcess;
  err: () => string;
  said: (text: string) => Promise<void>;
  exit: Promise<unknown>;
}

export function start(
  host: Pick<Listening, 'data'>,
  argv: readonly string[],
  env: Record<string, string> = {},
): Running {
  const child = spawn(process.execPath, [MAIN, 'run', '--data', host.data, ...argv], {
    env: childEnv(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const said = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (err.includes(text) && resolve());
      child.stderr.on('data', look);
      look();
    });
  return { child, err: () => err, said, exit: once(child, 'close').then(([code]) => code as unknown) };
}

/** Puts a scripted program into the folder under the name of the real one. It gets its name and the folder first. */
export function putProgram(bin: string, name: string, file: string): void {
  const script = join(import.meta.dirname, 'programs', file);
  writeFileSync(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${script}' ${name} '${bin}' "$@"\n`);
  chmodSync(join(bin, name), 0o755);
}
