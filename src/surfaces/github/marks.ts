// Until when each repository was heard: the time, by GitHub's clock, before which everything was handed over. It begins
// when the repository is first seen and is kept by the host, so that a restart goes on from there.
import type { SurfaceMemory } from '../surface.ts';

/** So much later may something show up in a list whose time is earlier. It is read again, which changes nothing. */
const OVERLAP_MS = 60_000;

export interface Marks {
  /** Epoch ms. Of a repository that was never seen: now and always, so that everything in it is old. */
  of: (repository: string) => number;
  /** Reads what was kept. A repository without a mark begins at `at`. */
  load(repositories: readonly string[], at: number): Promise<void>;
  /** Only forward. Resolves once it is durable. */
  move(repository: string, to: number): Promise<void>;
}

export function createMarks(memory: SurfaceMemory): Marks {
  const marks = new Map<string, number>();
  const move = async (repository: string, to: number): Promise<void> => {
    if (to <= (marks.get(repository) ?? 0)) return;
    await memory.set(key(repository), String(to));
    marks.set(repository, to);
  };
  return {
    of: (repository) => (marks.get(repository) ?? Number.POSITIVE_INFINITY) - OVERLAP_MS,
    async load(repositories, at) {
      for (const repository of repositories) {
        if (marks.has(repository)) continue;
        const kept = Number(await memory.get(key(repository)));
        if (Number.isFinite(kept) && kept > 0) marks.set(repository, kept);
        else await move(repository, at + OVERLAP_MS);
      }
    },
    move,
  };
}

function key(repository: string): string {
  return `heard/${repository.toLowerCase()}`;
}
