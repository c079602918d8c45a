// Plays a range of seeds in several processes and merges what they found. What a seed gives does not depend on how many
// there are: each process plays every nth seed of the range.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Played } from './play.ts';

export interface JobsAsked {
  first: number;
  count: number;
  jobs: number;
  minutes?: number | undefined;
  tell: (line: string) => void;
}

/** The last line of a process that plays for another: what it played. */
export const PLAYED = 'played ';
/** And while it plays: how many so far. */
export const SO_FAR = 'so far ';

export async function playInJobs(asked: JobsAsked): Promise<Played> {
  const counts: number[] = [];
  const all = await Promise.all(
    Array.from({ length: asked.jobs }, (_, index) =>
      playInProcess(asked, index, (done) => {
        counts[index] = done;
        asked.tell(`${counts.reduce((sum, one) => sum + one, 0)} seeds so far`);
      }),
    ),
  );
  return {
    done: all.reduce((sum, { done }) => sum + done, 0),
    failed: all.flatMap(({ failed }) => failed).toSorted((a, b) => a - b),
    cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
  };
}

function playInProcess(
  { first, count, jobs, minutes, tell }: JobsAsked,
  index: number,
  onProgress: (done: number) => void,
): Promise<Played> {
  const args = ['--seed', first + index, '--seeds', count - index, '--every', jobs].map(String);
  const time = minutes === undefined ? [] : ['--minutes', String(minutes)];
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args, ...time], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let played: Played | undefined;
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith(PLAYED)) played = JSON.parse(line.slice(PLAYED.length)) as Played;
      else if (line.startsWith(SO_FAR)) onProgress(Number(line.slice(SO_FAR.length)));
      else tell(line);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (played === undefined) reject(new Error(`a process that played seeds ended with ${code}`));
      else resolve(played);
    });
  });
}
