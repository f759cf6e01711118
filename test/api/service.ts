import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startService } from '../../bin/service.ts';
import { consoleLogger } from '../../packages/aws-local/src/log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The service all tests over HTTP call: `inject('service')`. */
    service: { url: string; token: string; dataDir: string };
  }
}

/**
 * Starts one service for all tests over HTTP, with the limits of API Gateway and Lambda. Not with the stacks' request
 * rate, which tests go beyond. What functions write is shown where DEBUG is set.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-api-'));
  const { url, token, stop } = await startService({
    port: 0,
    dataDir,
    strict: true,
    // As with `npm start`; test/lambda has an environment for each request.
    perEnvironment: Infinity,
    throttle: false,
    // As at the address that a stack prints.
    stageInPath: true,
    env: {
      PLATEN_LOG_LEVEL: process.env['DEBUG'] === undefined ? 'warn' : 'debug',
      // The receivers that tests have called are on this machine.
      PLATEN_CALLBACK_ADDRESSES: 'any',
      // Half of what it is by itself: templates without end are waited for.
      PLATEN_FILL_TIMEOUT_MS: '5000',
    },
    // Pages of 127.0.0.1 are of another origin, and may not embed the editor.
    embedOrigins: ['http://localhost:*'],
    // Nobody has the hours for which a receiver is called.
    pauseFactor: 0.0002,
    log: consoleLogger(process.stderr),
    synthesising: () => console.error('Synthesising the stacks for the tests over HTTP …'),
  });
  project.provide('service', { url, token, dataDir });
  return async () => {
    await stop(0);
    await rm(dataDir, { recursive: true, force: true });
  };
}
