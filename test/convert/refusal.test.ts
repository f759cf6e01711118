import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { confinementVariable } from '../../functions/convert/confinement.ts';
import { PYTHON } from '../../functions/convert/host-process.ts';
import { findInstallation } from '../../functions/convert/libreoffice/installation.ts';
import { writeProfile } from '../../functions/convert/libreoffice/profile.ts';

/** Where the kernel refuses to confine a program, as on Lambda: it goes on only where it may. */

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CONVERT = path.join(HERE, '../../functions/convert');
const REFUSED = '[Errno 1] Operation not permitted';

/** The first line that LibreOffice's host says where everything is refused; null where it ends instead. */
async function firstLine(required: boolean): Promise<{ line: string | null; errors: string }> {
  const installation = findInstallation();
  if (installation === null) throw new Error('LibreOffice is not installed.');
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-refused-'));
  mkdirSync(path.join(folder, 'tmp'));
  await writeProfile(path.join(folder, 'profile'), installation.buildId);
  const host = path.join(CONVERT, 'libreoffice/host.py');
  const command = [PYTHON, '-B', host, installation.executable, folder, path.basename(folder), '100000000'];
  const child = spawn(PYTHON, [path.join(HERE, 'refuse.py'), ...command], {
    cwd: folder,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: folder,
      TMPDIR: path.join(folder, 'tmp'),
      PYTHONPATH: CONVERT,
      SAL_USE_VCLPLUGIN: 'svp',
      ...confinementVariable({ required, reads: [], writes: [] }, folder),
    },
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const ended = once(child, 'exit');
  try {
    const { value, done } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    return { line: done === true ? null : value, errors };
  } finally {
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

describe('Where the kernel confines no program', () => {
  test('LibreOffice does not start, and the error names what is refused', async () => {
    const { line, errors } = await firstLine(true);
    expect(line).toBeNull();
    expect(errors).toContain('the kernel refuses end with the parent');
  });

  test('and this is expected, LibreOffice starts and says what is refused', async () => {
    const { line } = await firstLine(false);
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      ready: true,
      confinement: {
        'end with the parent': REFUSED,
        'no new privileges': REFUSED,
        files: REFUSED,
        network: REFUSED,
      },
    });
  });
});

test.runIf(process.platform === 'linux').each([
  [true, 125],
  [false, 0],
])('a program that is started for each document, where confinement is required: %s', (required, code) => {
  const command = [PYTHON, '-B', path.join(CONVERT, 'run_confined.py'), '1000000000', '1000', '/bin/true'];
  const outcome = spawnSync(PYTHON, [path.join(HERE, 'refuse.py'), ...command], {
    env: {
      PATH: '/usr/bin:/bin',
      PYTHONPATH: CONVERT,
      ...confinementVariable({ required, reads: [], writes: [] }, HERE),
    },
    encoding: 'utf8',
  });
  expect(outcome.status).toBe(code);
  expect(outcome.stderr.includes('the kernel refuses no new privileges')).toBe(required);
});
