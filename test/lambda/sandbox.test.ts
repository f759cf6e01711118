import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { FunctionSpec } from '../../packages/aws-local/src/assembly/index.ts';
import { bundleRuntime, invokeWithJson, Lambda } from '../../packages/aws-local/src/lambda/index.ts';
import { makeSandboxes, type Sandboxes } from '../support/lambda/sandbox.ts';

/** Whether the surroundings that functions are tested in refuse what Lambda refuses: a function tries. */

const { fault } = inject('sandbox');

/** How Lambda says it of a function that is out of memory, and of one whose runtime finds out itself. */
const KILLED = /signal: SIGKILL|exit status 137/;

const FUNCTION = `
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';

const fails = (action) => { try { action(); return null; } catch (error) { return error.code; } };
const status = (name) => new RegExp('^' + name + ':\\\\s*(\\\\S+)', 'm').exec(readFileSync('/proc/self/status', 'utf8'))[1];
let ticks = 0;
const looks = {
  user: () => [process.getuid(), process.getgid(), status('CapEff'), status('CapBnd')],
  writes: () => ['', '/var/task', '/var', '/dev', '/etc', '/lib', '/tmp'].map((folder) =>
    fails(() => writeFileSync(folder + '/file', ''))),
  tmp: () => { const { blocks, bsize } = statfsSync('/tmp'); return blocks * bsize; },
  devices: () => readdirSync('/dev').sort(),
  programs: () => readdirSync('/bin'),
  fonts: () => fails(() => readdirSync('/usr/share/fonts')),
  variables: () => process.env,
  limits: () => readFileSync('/proc/self/limits', 'utf8'),
  fill: () => { const all = []; for (;;) all.push(Buffer.alloc(2 ** 20, 1)); },
  fillBelow: () => { const below = spawn(process.execPath, ['-e', 'const all = []; for (;;) all.push(Buffer.alloc(2 ** 20, 1));']);
    return new Promise((resolve) => below.on('exit', () => setTimeout(resolve, 2_000))); },
  tick: () => { setInterval(() => { ticks += 1; }, 10); },
  ticks: () => ticks,
  work: () => { const before = process.cpuUsage(), start = performance.now();
    while (performance.now() - start < 1500); const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / (performance.now() - start); },
  calls: () => execFileSync('/usr/bin/python3', ['-c', \`
import ctypes, json
libc = ctypes.CDLL(None, use_errno=True)
def outcome(call, *arguments):
    ctypes.set_errno(0)
    return 0 if call(*arguments) >= 0 else ctypes.get_errno()
prctl = {n: outcome(libc.prctl, n, 0, 0, 0, 0) for n in range(1, 60)}
print(json.dumps({"prctl": sorted(set(prctl.values())), "seccomp": outcome(libc.syscall, 317, 1, 0, None),
  "unshare": outcome(libc.unshare, 0x10000000), "landlock": outcome(libc.syscall, 444, None, 0, 1)}))
\`], { encoding: 'utf8' }),
};
export const handler = ({ what }) => looks[what]();
`;

describe.skipIf(fault !== null)('a function in the sandbox', () => {
  let folder: string;
  let sandboxes: Sandboxes;
  let lambda: Lambda;
  const specs = new Map<string, FunctionSpec>();

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-sandbox-test-'));
    chmodSync(folder, 0o755);
    await bundleRuntime(path.join(folder, 'runtime.mjs'));
    for (const [name, dockerfile] of [
      ['zip', null],
      ['image', 'FROM x\nENV OF_THE_IMAGE=yes OTHER=also\n'],
    ] as const) {
      const code = path.join(folder, name);
      mkdirSync(code);
      writeFileSync(path.join(code, 'index.mjs'), FUNCTION);
      if (dockerfile !== null) writeFileSync(path.join(code, 'Dockerfile'), dockerfile);
      specs.set(name, {
        name,
        label: name,
        handler: 'index.handler',
        code,
        layers: [],
        environment: { OF_THE_STACK: 'set' },
        memoryMb: 256,
        ephemeralMb: 600,
        timeoutMs: 60_000,
        reservedConcurrency: null,
        concurrency: 1,
        role: null,
      });
    }
    sandboxes = makeSandboxes({ frozenMs: 1_000 });
    lambda = deployed(sandboxes);
  });
  afterAll(async () => {
    await lambda.stop();
    sandboxes.close();
    rmSync(folder, { recursive: true });
  });

  function deployed({ launcher }: Sandboxes): Lambda {
    const made = new Lambda(
      {
        runtime: path.join(folder, 'runtime.mjs'),
        tmpRoot: folder,
        layerRoot: () => undefined,
        credentials: () => ({ accessKeyId: 'a', secretAccessKey: 'b' }),
        endpoints: { s3: 'e', dynamodb: 'e', lambda: 'e', sfn: 'e', sqs: 'e', secrets: 'e' },
        variables: { PLATEN_CHROME_DIR: '/somewhere' },
        launcher,
      },
      { concurrency: 1, waiting: 10, idleMs: 60_000 },
      (_spec, _stream, source) => source.resume(),
    );
    made.deploy(specs);
    return made;
  }

  const look = (what: string, name = 'zip', where = lambda): Promise<unknown> =>
    invokeWithJson(where, name, { what }, AbortSignal.timeout(60_000));

  test('is Lambda’s user, with no capability', async () => {
    expect(await look('user')).toEqual([993, 990, '0000000000000000', '0000000000000000']);
  });

  test('writes to /tmp only, which has its size', async () => {
    expect(await look('writes')).toEqual([...Array<string>(6).fill('EROFS'), null]);
    expect(await look('tmp')).toBe(600 * 2 ** 20);
  });

  test('finds no shared memory, and neither programs nor fonts of this machine', async () => {
    expect(await look('devices')).toEqual(['fd', 'full', 'null', 'random', 'urandom', 'zero']);
    expect(await look('programs')).toEqual(['sh']);
    expect(await look('fonts')).toBe('ENOENT');
  });

  test('has the variables of Lambda, and none of the machine', async () => {
    const variables = (await look('variables')) as Record<string, string>;
    expect(variables).toMatchObject({
      LAMBDA_TASK_ROOT: '/var/task',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      OF_THE_STACK: 'set',
      PATH: '/var/lang/bin:/usr/local/bin:/usr/bin:/bin:/opt/bin',
    });
    const known =
      /^(AWS_|LAMBDA_|_HANDLER$|_X_AMZN_TRACE_ID$|LANG$|TZ$|PATH$|LD_LIBRARY_PATH$|NODE_PATH$|NODE_OPTIONS$|PWD$|OF_THE_STACK$)/;
    expect(Object.keys(variables).filter((name) => !known.test(name))).toEqual([]);
  });

  test('of an image is inactive until a while after its first call, and has the variables of its image', async () => {
    await expect(look('variables', 'image')).rejects.toThrow('is being activated');
    await expect
      .poll(() => look('variables', 'image').catch(() => null))
      .toMatchObject({ OF_THE_IMAGE: 'yes', OTHER: 'also' });
  });

  test('may have so many files and processes', async () => {
    expect(await look('limits')).toMatch(/Max open files\s+1024 [^]*/);
    if (process.getuid?.() === 0) expect(await look('limits')).toMatch(/Max processes\s+1024 /);
  });

  test('is refused prctl with every option, seccomp and namespaces, and finds no Landlock', async () => {
    const outcome = JSON.parse((await look('calls', 'image')) as string) as unknown;
    expect(outcome).toEqual({ prctl: [1], seccomp: 1, unshare: 1, landlock: 38 });
  });

  test('does not run between two events', async () => {
    await look('tick');
    await new Promise((resolve) => setTimeout(resolve, 500));
    // Stopped for at least a second, in which it would have counted to fifty or more.
    expect(await look('ticks')).toBeLessThan(50);
  });

  test('has its share of the CPU if control groups bound it, and at most one processor otherwise', async () => {
    const isBounded = !sandboxes.missing().some((missing) => missing.startsWith('cpu'));
    expect(await look('work')).toBeLessThan(isBounded ? (256 / 1769) * 1.6 : 1.5);
  });

  test('ends when it needs more memory than it has', async () => {
    await expect(look('fill')).rejects.toThrow(KILLED);
  });

  test('ends as well when it is a process it started that needs it', async () => {
    await expect(look('fillBelow')).rejects.toThrow(KILLED);
  });

  test('ends as well where no control group bounds it', async () => {
    const unbounded = makeSandboxes({ controlGroups: false });
    const other = deployed(unbounded);
    await expect(look('fillBelow', 'zip', other)).rejects.toThrow(KILLED);
    expect(unbounded.missing().join()).toContain('memory is looked at');
    await other.stop();
    unbounded.close();
  });
});
