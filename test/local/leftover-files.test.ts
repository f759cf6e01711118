import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { removeLeftovers } from '../../functions/shared/temporary-files.ts';

/** Lambda starts the process of a function again in the same /tmp. */

const folder = mkdtempSync(path.join(tmpdir(), 'platen-leftovers-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('core dumps and files of the process before are removed when a function starts', () => {
  writeFileSync(path.join(folder, 'core.chromium.12.1764400000'), 'x');
  mkdirSync(path.join(folder, 'platen-browser-12-AbCdEf/profile'), { recursive: true });
  writeFileSync(path.join(folder, 'of-the-runtime'), 'x');
  vi.stubEnv('TMPDIR', folder);

  removeLeftovers();
  expect(readdirSync(folder), 'outside Lambda, others use the folder').toHaveLength(3);

  vi.stubEnv('AWS_LAMBDA_RUNTIME_API', '127.0.0.1:9001');
  removeLeftovers();
  expect(readdirSync(folder)).toEqual(['of-the-runtime']);
});
