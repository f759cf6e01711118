import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { confinementVariable } from '../../functions/convert/confinement.ts';
import { PYTHON, sendSignal } from '../../functions/convert/host-process.ts';
import { findInstallation } from '../../functions/convert/libreoffice/installation.ts';
import { writeProfile } from '../../functions/convert/libreoffice/profile.ts';
import { removeUnusedSockets } from '../../functions/convert/libreoffice/sockets.ts';
import { processesOf } from './support.ts';

/** Where the kernel refuses to confine a program, as on Lambda: it goes on only where it may. */

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CONVERT = path.join(HERE, '../../functions/convert');
const REFUSED = '[Errno 1] Operation not permitted';

interface Host {
  child: ChildProcess;
  folder: string;
  /** What it says, line by line. */
  lines: AsyncIterator<string>;
  errors: () => string;
}

/** Runs a program of Python that finds no table of sockets: its path and arguments follow. */
const WITHOUT_TABLE = `
import builtins, runpy, sys
real = open
def refuse(file, *arguments, **named):
    if file == "/proc/net/unix":
        raise PermissionError(13, "Permission denied", file)
    return real(file, *arguments, **named)
builtins.open = refuse
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
`;

/** Starts LibreOffice's host, in a process group of its own, where everything is refused. */
async function startHost(required: boolean, before: readonly string[] = []): Promise<Host> {
  const installation = findInstallation();
  if (installation === null) throw new Error('LibreOffice is not installed.');
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-refused-'));
  mkdirSync(path.join(folder, 'tmp'));
  await writeProfile(path.join(folder, 'profile'), installation.buildId);
  const host = path.join(CONVERT, 'libreoffice/host.py');
  const command = [
    PYTHON,
    '-B',
    ...before,
    host,
    installation.executable,
    folder,
    path.basename(folder),
    '100000000',
  ];
  const child = spawn(PYTHON, [path.join(HERE, 'refuse.py'), ...command], {
    cwd: folder,
    detached: true,
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
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, folder, lines, errors: () => errors };
}

/** The first line that LibreOffice's host says where everything is refused; null where it ends instead. */
async function firstLine(
  required: boolean,
  before: readonly string[] = [],
): Promise<{ line: string | null; errors: string }> {
  const { child, folder, lines, errors } = await startHost(required, before);
  const ended = once(child, 'exit');
  try {
    const { value, done } = await lines.next();
    return { line: done === true ? null : value, errors: errors() };
  } finally {
    child.stdin?.end();
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

describe('on a kernel that confines no program', () => {
  test('LibreOffice does not start, and the error names the refused confinement', async () => {
    const { line, errors } = await firstLine(true);
    expect(line).toBeNull();
    expect(errors).toContain('the kernel refuses end with the parent');
  });

  test('LibreOffice starts and reports the refused confinement, if this is expected', async () => {
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

  test('LibreOffice starts and reports it, if the kernel does not show its table of sockets either', async () => {
    const { line } = await firstLine(false, ['-c', WITHOUT_TABLE]);
    await removeUnusedSockets();
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      ready: true,
      confinement: { 'table of sockets': expect.stringContaining('Permission denied') as string },
    });
  });

  test('LibreOffice and its host end with their parent process, even if the host is suspended', async () => {
    const { child, folder, lines } = await startHost(false);
    try {
      const { pid } = JSON.parse((await lines.next()).value as string) as { pid: number };
      const ended = once(child, 'exit');
      process.kill(pid, 'SIGSTOP');
      child.stdin?.write(
        `${JSON.stringify({ input: `${folder}/none`, output: `${folder}/out`, load: {} })}\n`,
      );
      // As the kernel does for a process that is killed.
      child.stdin?.destroy();
      await ended;
      await expect.poll(() => processesOf(folder)).toEqual([]);
    } finally {
      sendSignal(-(child.pid ?? 0), 'SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});

test.runIf(process.platform === 'linux').each([
  [true, 125],
  [false, 0],
])('a program that is started for each document, where confinement is required: %s', (required, code) => {
  const command = [
    PYTHON,
    '-B',
    path.join(CONVERT, 'run_confined.py'),
    '1000000000',
    '1000',
    '10',
    '/bin/true',
  ];
  const outcome = spawnSync(PYTHON, [path.join(HERE, 'refuse.py'), ...command], {
    env: {
      PATH: '/usr/bin:/bin',
      PYTHONPATH: CONVERT,
      ...confinementVariable({ required, reads: [], writes: [] }, HERE),
    },
    encoding: 'utf8',
  });
  expect(outcome.status).toBe(code);
  expect(outcome.stderr.includes('the kernel refuses end with the parent')).toBe(required);
});
