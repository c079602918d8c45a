import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

const BROWSER = 'test/browser/**/*.test.ts';
const POSTGRES = 'test/postgres/**/*.test.ts';

const both = {
  // Nothing is asserted about how long something takes: these only end what hangs. A slow, shared machine must not turn
  // a pass into a red run.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
  // A worker loads the host once and runs one file after the other; loading it anew for each file was a third of the
  // run. So no test leaves behind a change to what the whole process shares: environment, folder, signal handlers.
  isolate: false,
  setupFiles: 'test/seeded.ts',
};

/** For the examples that tests run: the package by its name, without building it. */
const alias = {
  'earshot/runtime': new URL('src/runtime/index.ts', import.meta.url).pathname,
  'earshot/surface': new URL('src/surfaces/surface.ts', import.meta.url).pathname,
};

export default defineConfig({
  test: {
    // Tests wait more than they compute: two to a core. A percentage is never more than one to a core.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { alias },
        test: {
          ...both,
          name: 'tests',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [BROWSER, POSTGRES],
          globalSetup: 'test/whole-run.ts',
        },
      },
      {
        test: {
          ...both,
          name: 'browser',
          include: [BROWSER],
          globalSetup: ['test/whole-run.ts', 'test/browser/one-browser.ts'],
        },
      },
      {
        test: {
          ...both,
          name: 'postgres',
          include: [POSTGRES],
          globalSetup: ['test/whole-run.ts', 'test/postgres/one-server.ts'],
        },
      },
    ],
  },
});
