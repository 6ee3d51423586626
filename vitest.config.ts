import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts'],
    // Real tmux servers and daemons: generous deadlines, since nothing here measures speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // They wait for most of their time: five at once keep two cores busy for some two thirds of it.
    maxWorkers: 5,
  },
});
