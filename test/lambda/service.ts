import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';
import { startService } from '../../bin/service.ts';
import { type Logger, silentLogger } from '../../packages/aws-local/src/log.ts';
import { makeSandboxes, sandboxFault } from '../support/lambda/sandbox.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What Lambda's functions are run in here: why it is not, what it lacks, and where they log. */
    sandbox: { fault: string | null; functionLog: string };
  }
}

/** Long enough for every timer of a function that is shorter than that to be due when it goes on. */
const FROZEN_MS = 300;

/** Starts one service whose functions run in surroundings like Lambda's. What those lack is printed. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const fault = sandboxFault();
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-lambda-'));
  const functionLog = join(dataDir, 'functions.log');
  project.provide('sandbox', { fault, functionLog });
  if (fault !== null) {
    console.error(`NOT TESTED: no function was run in surroundings like Lambda's, since ${fault}.`);
    project.provide('service', { url: '', token: '', dataDir });
    return () => rm(dataDir, { recursive: true });
  }
  const sandboxes = makeSandboxes({ frozenMs: FROZEN_MS });
  const log: Logger = {
    ...silentLogger,
    warn: (message) => appendFileSync(functionLog, `service ${message}\n`),
    error: (message, error) => appendFileSync(functionLog, `service ${message} ${String(error)}\n`),
    lines: (label, source) => {
      createInterface({ input: source }).on('line', (line) => {
        appendFileSync(functionLog, `${label} ${line}\n`);
        if (process.env['DEBUG'] !== undefined) console.error(`${label} ${line}`);
      });
    },
  };
  const { url, token, stop } = await startService({
    port: 0,
    dataDir,
    strict: true,
    throttle: false,
    env: { PLATEN_CALLBACK_ADDRESSES: 'any' },
    pauseFactor: 0.0002,
    launcher: sandboxes.launcher,
    log,
    synthesising: () =>
      console.error('Synthesising the stacks for the tests in surroundings like Lambda’s …'),
  });
  project.provide('service', { url, token, dataDir });
  return async () => {
    await stop(0);
    sandboxes.close();
    console.error(`Not as in Lambda on this machine: ${sandboxes.missing().join('; ')}.`);
    await rm(dataDir, { recursive: true, force: true });
  };
}
