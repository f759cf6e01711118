import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../bin/engines.mjs';
import { ROOT } from '../../bin/service.ts';

/** bin/pre.mjs in a project of its own, with an npm, an apt and an engine that only note that they were called. */

let folder: string;
let root: string;
let tools: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-pre-'));
  root = join(folder, 'project');
  tools = join(folder, 'tools');
  await mkdir(join(root, 'bin'), { recursive: true });
  await mkdir(tools);
  for (const file of ['pre.mjs', 'hosts.mjs']) await cp(join(ROOT, 'bin', file), join(root, 'bin', file));
  const engines = await readFile(join(ROOT, 'bin/engines.mjs'), 'utf8');
  const list = /export const ENGINES = \[.*?\n\];/s;
  if (!list.test(engines)) throw new Error('bin/engines.mjs is not as this test knows it.');
  await writeFile(
    join(root, 'bin/engines.mjs'),
    engines.replace(
      list,
      `export const ENGINES = [
        { name: 'Engine', commands: ['engine-of-the-test'], packages: ['engine-package'], refuses: 'a', use: 'start' },
        { name: 'Tool', commands: ['tool-of-the-test'], packages: ['tool-package'], refuses: 'tests', use: 'test' },
      ];`,
    ),
  );
  await writeFile(
    join(root, 'package-lock.json'),
    JSON.stringify({
      packages: {
        '': {},
        'node_modules/one': { version: '1.0.0' },
        'node_modules/other-platform': { version: '1.0.0', optional: true },
      },
    }),
  );
  await tool(
    'npm',
    'mkdir -p node_modules/.bin && touch node_modules/.bin/node && cp package-lock.json node_modules/.package-lock.json',
  );
  await tool('apt-get', '');
  await tool('sudo', 'shift; "$@"');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program that notes how it was called, then does `script`. */
async function tool(name: string, script: string): Promise<void> {
  const path = join(tools, name);
  await writeFile(path, `#!/bin/sh\necho "${name} $*" >> ${root}/calls\n${script}\n`);
  await chmod(path, 0o755);
}

function pre(use: string, env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/pre.mjs', use], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
    env: { PATH: `${tools}:${process.env['PATH'] ?? ''}`, ...env },
  });
  return { status, stdout, stderr };
}

const calls = async () =>
  existsSync(join(root, 'calls')) ? (await readFile(join(root, 'calls'), 'utf8')).trim().split('\n') : [];

const forget = () => rm(join(root, 'calls'), { force: true });

async function engineIsThere(...names: string[]): Promise<void> {
  for (const name of names) await tool(`${name}-of-the-test`, '');
}

describe('npm packages', () => {
  it('are installed when they are missing, with messages only on standard error', async () => {
    await engineIsThere('engine');
    const { status, stdout, stderr } = pre('start');
    expect(status).toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('Installing the npm packages');
    expect(await calls()).toEqual(['npm install --no-save --no-audit --no-fund --loglevel=error']);
  });

  it('are left alone if they match the lock file, without the packages of other platforms', async () => {
    await engineIsThere('engine', 'tool');
    pre('test');
    await forget();
    expect(pre('test')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(await calls()).toEqual([]);
  });

  it.each([
    ['the lock file names another version', '{"packages":{"":{},"node_modules/one":{"version":"2.0.0"}}}'],
    ['the lock file names one more', '{"packages":{"":{},"node_modules/two":{"version":"1.0.0"}}}'],
  ])('are installed again when %s', async (_, lock) => {
    await engineIsThere('engine');
    pre('start');
    await forget();
    await writeFile(join(root, 'package-lock.json'), lock);
    pre('start');
    expect((await calls())[0]).toMatch(/^npm install/);
  });

  it('stop the command that follows if they cannot be installed', async () => {
    await tool('npm', 'exit 1');
    const { status, stderr } = pre('packages');
    expect(status).toBe(1);
    expect(stderr).toContain('could not be installed');
  });
});

/** Programs that every Debian has, and those of npm packages. */
const ALWAYS_THERE = /^(bash|sh|\/bin\/sh|cat|cp|head|node|nsenter|unshare|node_modules\/\.bin\/\w+)$/;
/** Files run by hand, which say themselves what they need. */
const BY_HAND =
  /^test\/(soak\/|fuzz\/|fresh\/|chrome\/lambda|clients\/|container\/|[\w/]+\/ver(ify|apdf)|factur-x\/mustang|support\/(debian-root|maven|node-image))/;
/** There, `run` is Platen’s own command line. */
const OWN_COMMANDS = /^test\/(cli\/|api\/command-line)/;

it('every program that a test calls is installed', () => {
  const called = globSync('test/**/*.ts', { cwd: ROOT })
    .filter((file) => !BY_HAND.test(file) && !OWN_COMMANDS.test(file))
    .flatMap((file) =>
      Array.from(
        readFileSync(join(ROOT, file), 'utf8').matchAll(
          /\b(?:run|through|spawn|spawnSync|execFile|execFileSync|exec)\)?\(\s*'([\w./-]+)'/g,
        ),
        ([, program = '']) => ({ file, program }),
      ),
    );
  const provided = new Set(ENGINES.flatMap(({ commands = [] }) => commands));
  expect(called.map(({ program }) => program)).toEqual(
    expect.arrayContaining(['pdftotext', 'qpdf', 'mutool', 'zip']),
  );
  expect(called.filter(({ program }) => !provided.has(program) && !ALWAYS_THERE.test(program))).toEqual([]);
});

describe('engines', () => {
  const apt = async () => (await calls()).filter((call) => call.startsWith('apt-get'));

  it('are installed with apt if they are missing', async () => {
    await tool(
      'apt-get',
      `case "$*" in *install*) printf '#!/bin/sh\\n' > ${tools}/engine-of-the-test;; esac`,
    );
    const { status, stderr } = pre('start');
    expect(status).toBe(0);
    expect(stderr).toContain('Installing Engine with apt');
    const [update, install, ...more] = await apt();
    expect(update).toMatch(/ update$/);
    expect(install).toMatch(/ install -y --no-install-recommends engine-package$/);
    expect(more).toEqual([]);
  });

  it('do not stop the service if they cannot be installed, and are not tried again at every start', async () => {
    await tool('apt-get', 'exit 100');
    expect(pre('start').status).toBe(0);
    expect(await apt()).not.toEqual([]);
    await forget();
    expect(pre('start').status).toBe(0);
    expect(await apt()).toEqual([]);
  });

  it('stop the tests if they cannot be installed, and are tried again each time', async () => {
    await tool('apt-get', 'exit 100');
    await engineIsThere('tool');
    for (const again of [false, true]) {
      await forget();
      const { status, stderr } = pre('test');
      expect({ again, status }).toEqual({ again, status: 1 });
      expect(stderr).toContain('The tests need Engine:');
      expect(await apt()).not.toEqual([]);
    }
  });

  it('are not installed if that is switched off, and tests without their tools stop with the command to type', async () => {
    const off = { PLATEN_INSTALL_ENGINES: 'false' };
    expect(pre('start', off).status).toBe(0);
    const { status, stderr } = pre('test', off);
    expect(status).toBe(1);
    expect(stderr).toContain('sudo apt-get install --no-install-recommends engine-package tool-package');
    expect(await apt()).toEqual([]);
  });

  it('are installed for everybody on the machine, with any umask of the user', async () => {
    await tool('apt-get', `umask >> ${root}/umask`);
    const before = process.umask(0o077);
    try {
      pre('start');
    } finally {
      process.umask(before);
    }
    expect(new Set((await readFile(join(root, 'umask'), 'utf8')).trim().split('\n'))).toEqual(
      new Set(['0022']),
    );
  });

  it('are no business of the token program', async () => {
    expect(pre('packages').status).toBe(0);
    expect(await apt()).toEqual([]);
  });
});
