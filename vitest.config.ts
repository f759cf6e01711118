import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores: more workers than that only makes browsers and children wait for one another.
    maxWorkers: 2,
    reporters: ['default'],
  },
});
