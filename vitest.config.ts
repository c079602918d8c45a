import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

const BROWSER = 'test/browser/**/*.test.ts';

const both = {
  // Nothing is asserted about how long something takes: these only end what hangs. A slow, shared machine must not turn
  // a pass into a red run.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
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
    // More workers than cores: much of the time is spent waiting, for a process or for somebody who is still writing.
    maxWorkers: '150%',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { alias },
        test: {
          ...both,
          name: 'tests',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [BROWSER],
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
    ],
  },
});
