import { defineConfig } from 'vitest/config';

/** `npm run test:studio`: every screen of the Studio, in both themes, narrow and wide. Not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/api/service.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
