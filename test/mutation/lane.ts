// One vitest that stays up and runs cited tests with one fault after the other. The fault is put in while the file is
// loaded for the tests: nothing on disk changes, and a run that is killed leaves nothing behind. A child process that a
// test starts loads the file from disk and does not see the fault.
import { join } from 'node:path';
import { createVitest, type TestCase, type TestModule, type TestSpecification } from 'vitest/node';
import { citing, type Fault, plant } from './fault.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** A fault often shows as something that never comes. How often `until` of the wire tests looks before it gives up. */
const UNTIL_TRIES = 500;
const TEST_MS = 60_000;
const POLL_MS = 10_000;

export interface Noticed {
  file: string;
  test: string;
  why: string;
}

export interface Outcome {
  /** The cited tests that failed. */
  noticed: Noticed[];
  /** How many cited tests ran to their end. */
  ran: number;
  /** What went wrong outside of any test, such as a file that does not load. */
  broken: string[];
}

export interface Lane {
  /** Runs the tests that cite the row in the given files, with the fault planted. */
  withFault(fault: Fault, files: readonly string[]): Promise<Outcome>;
  /** Runs named tests without any fault. */
  without(tests: readonly Pick<Noticed, 'file' | 'test'>[]): Promise<Outcome>;
  close(): Promise<void>;
}

export async function openLane(): Promise<Lane> {
  let planted: Fault | undefined;
  let loaded = false;
  const vitest = await createVitest(
    {
      root: ROOT,
      config: false,
      watch: false,
      silent: true,
      reporters: [{}],
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      setupFiles: ['test/seeded.ts'],
      globalSetup: ['test/whole-run.ts'],
      env: { EARSHOT_UNTIL_TRIES: String(UNTIL_TRIES) },
      testTimeout: TEST_MS,
      hookTimeout: TEST_MS,
      expect: { poll: { timeout: POLL_MS } },
      bail: 1,
      maxWorkers: 1,
      // Every file of a run gets a new process, so that no run sees the modules of another.
      isolate: true,
      // A planted file must never get into the cache that `npm test` reads.
      fsModuleCache: false,
      cache: false,
    },
    {
      plugins: [
        {
          name: 'plant-a-fault',
          enforce: 'pre',
          transform(code, id) {
            if (planted === undefined || id !== join(ROOT, planted.file)) return undefined;
            loaded = true;
            return plant(planted, code);
          },
        },
      ],
    },
  );
  await vitest.standalone();
  const project = vitest.getRootProject();

  async function run(specifications: TestSpecification[]): Promise<Outcome> {
    // Vitest remembers earlier runs and would count their failures for `bail`.
    vitest.state.filesMap.clear();
    vitest.state.idMap.clear();
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    const outcome = outcomeOf(testModules);
    outcome.broken.push(...unhandledErrors.map((error) => messageOf(error)));
    return outcome;
  }

  return {
    async withFault(fault, files) {
      planted = fault;
      loaded = false;
      vitest.invalidateFile(join(ROOT, fault.file));
      try {
        const only = { testNamePattern: citing(fault.row) };
        const outcome = await run(files.map((file) => project.createSpecification(join(ROOT, file), only)));
        if (!loaded) outcome.broken.push(`no cited test loads ${fault.file}`);
        return outcome;
      } finally {
        planted = undefined;
        vitest.invalidateFile(join(ROOT, fault.file));
      }
    },
    without(tests) {
      const files = Map.groupBy(tests, ({ file }) => file);
      return run(
        [...files].map(([file, named]) =>
          project.createSpecification(join(ROOT, file), { testNames: named.map(({ test }) => test) }),
        ),
      );
    },
    close: () => vitest.close(),
  };
}

function outcomeOf(modules: readonly TestModule[]): Outcome {
  const outcome: Outcome = { noticed: [], ran: 0, broken: [] };
  for (const module of modules) {
    outcome.broken.push(...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`));
    for (const suite of module.children.allSuites())
      outcome.broken.push(...suite.errors().map(({ message }) => `${suite.fullName}: ${message}`));
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state !== 'skipped' && state !== 'pending') outcome.ran++;
      if (state !== 'failed') continue;
      const why = whyOf(test);
      if (why.startsWith('SyntaxError') || why.startsWith('ReferenceError')) outcome.broken.push(why);
      else outcome.noticed.push({ file: module.relativeModuleId, test: test.fullName, why });
    }
  }
  return outcome;
}

function whyOf(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return error === undefined ? 'failed' : `${error.name}: ${error.message}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}
