import { defineConfig } from 'vitest/config';

// Nothing is asserted about how long something takes: these only end what hangs. A slow, shared machine must not turn a
// pass into a red run. Property tests print their seed on failure.
const patience = { testTimeout: 120_000, hookTimeout: 120_000 };
const BROWSER = 'test/browser/**/*.test.ts';

export default defineConfig({
  test: {
    // One worker a core: much of the time is spent waiting for processes that the tests have started.
    maxWorkers: '100%',
    globalSetup: 'test/temp-folder.ts',
    projects: [
      {
        test: {
          name: 'tests',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [BROWSER],
          ...patience,
        },
      },
      // A browser under load may lose a click; once more, on a fresh page, tells that from a fault.
      { test: { name: 'browser', include: [BROWSER], retry: 1, ...patience } },
    ],
  },
});
