import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

// Nothing is asserted about how long something takes: these only end what hangs. A slow, shared machine must not turn a
// pass into a red run. Property tests print their seed on failure.
const patience = { testTimeout: 120_000, hookTimeout: 120_000 };
const BROWSER = 'test/browser/**/*.test.ts';

export default defineConfig({
  test: {
    // One worker a core: much of the time is spent waiting for processes that the tests have started.
    maxWorkers: '100%',
    // A worker loads the host once and runs one file after the other. Loading it anew for each file was a third of the
    // run. No test changes anything that belongs to the whole process, except for its own length.
    isolate: false,
    globalSetup: 'test/whole-run.ts',
    setupFiles: 'test/seeded.ts',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [BROWSER],
          ...patience,
        },
      },
      { extends: true, test: { name: 'browser', include: [BROWSER], ...patience } },
    ],
  },
});
