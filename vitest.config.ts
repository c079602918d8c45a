import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Property tests print their seed on failure; a slow, shared machine must not turn a pass into a red run.
    testTimeout: 60_000,
  },
});
