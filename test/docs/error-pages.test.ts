import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ERROR_PAGES } from '../../docs/.vitepress/errors/index.ts';
import { ERRORS, type ErrorCode } from '../../packages/contract/src/errors.ts';
import { putExampleFiles, putSamples } from './samples.ts';

/** The requests on the pages of error codes, sent: the service answers as the pages show (I-4). */

const { url, token } = inject('service');
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-errors-'));
  await putSamples(folder);
  await putExampleFiles(folder, (command) => {
    expect(shell(command).status, command).toBe(0);
    return Promise.resolve();
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function shell(command: string): { status: number | null; stdout: Buffer } {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, PLATEN: `${url}/v1`, TOKEN: token };
  return spawnSync('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

it('there is a page for each code, and for no other', () => {
  expect(Object.keys(ERROR_PAGES).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

const requests = Object.entries(ERROR_PAGES).flatMap(([code, { request, detail }]) =>
  request === undefined ? [] : [[code as ErrorCode, request, detail] as const],
);

it.each(requests)(
  '%s: the request of its page has the answer that the page shows',
  (code, request, detail) => {
    const { stdout } = shell(request);
    const { title, status } = ERRORS[code];
    expect(JSON.parse(stdout.toString())).toMatchObject({ code, title, status, detail });
  },
);
