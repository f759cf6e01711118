import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

// What Node has compiled once is not compiled again by the next file's process, nor by the programs that tests start.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, 'node_modules/.cache/platen/compiled');

// Only for what hangs: no test is about time by the clock, and a machine may be busy with other things.
const shared = {
  testTimeout: 300_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
  // As packages/core/src/worker.ts sets it, but before Node compiles the WebAssembly that reads TypeScript.
  execArgv: ['--wasm-wrapper-tiering-budget=2000000000'],
};

/**
 * Files that need a process of their own: they start and end programs and look for what is left, set variables that modules
 * read once (themselves or by what they import), or look at what is logged.
 */
const ALONE = [
  'test/{chrome,convert,local,threads,webkit,store,templates,jobs}/**/*.test.ts',
  'test/office/{libreoffice,recalculation,thread}.test.ts',
  'test/http/{measures,spans}.test.ts',
  'test/images/hostile.test.ts',
  'test/pdf/{requests,shared}.test.ts',
  'test/studio/latest.test.ts',
  // Clearing up after the files before would count for what they measure.
  ...globSync('{test,packages/*/test}/**/*.test.ts', { cwd: import.meta.dirname }).filter(
    (file) =>
      !/^test\/(?:api|browser|docs|lambda|stacks)\//.test(file) &&
      readFileSync(path.join(import.meta.dirname, file), 'utf8').includes('cpuUsage('),
  ),
];

export default defineConfig({
  test: {
    // Two cores: more workers than that only makes browsers and children wait for one another.
    maxWorkers: 2,
    reporters: ['default'],
    projects: [
      {
        test: {
          ...shared,
          name: 'parts',
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: [
            'test/api/**',
            'test/browser/**',
            'test/docs/commands.test.ts',
            'test/docs/error-pages.test.ts',
            'test/docs/examples.test.ts',
            'test/docs/recipes.test.ts',
            'test/lambda/**',
            'test/stacks/**',
            ...ALONE,
          ],
          // Most files load the same hundreds of modules, which takes longer than their tests where each has a process of its own.
          isolate: false,
        },
      },
      { test: { ...shared, name: 'alone', include: ALONE } },
      {
        test: {
          ...shared,
          name: 'stacks',
          include: ['test/stacks/**/*.test.ts'],
          // Loading the CDK and synthesising take longer than the tests, which only read what comes of it.
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: 'api',
          include: ['test/api/**/*.test.ts', 'test/docs/{commands,error-pages,examples,recipes}.test.ts'],
          // One service for all of them, started only when one of them is run.
          globalSetup: ['test/api/service.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'lambda',
          include: ['test/lambda/**/*.test.ts'],
          globalSetup: ['test/lambda/service.ts'],
        },
      },
    ],
  },
});
