/**
 * Runs before the commands of package.json: installs missing programs and packages, and returns quickly if there
 * are none. `node bin/pre.mjs start`, `test`, `studio` or `packages` (npm packages only). JavaScript for Node 20
 * and later, without packages. Messages go to standard error, because other programs read the output of the
 * following command.
 */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasCommand, installLine, missingEngines } from './engines.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const cache = path.join(root, 'node_modules/.cache/platen');
const notes = path.join(cache, 'engines.json');

/** A failed installation is retried after a day. Without a network, every start would otherwise wait for it. */
const RETRY_MS = 24 * 60 * 60 * 1000;

function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Runs a program, shows its output, and prints a sign of life while the program prints nothing.
 *
 * @returns its exit code
 */
async function run(command, args, env = {}) {
  const started = Date.now();
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2],
  });
  const timer = setInterval(() => say(`  … ${Math.round((Date.now() - started) / 1000)} s`), 10_000);
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', resolve);
  });
  clearInterval(timer);
  return code;
}

/** Whether node_modules matches the lock file. npm records in node_modules what it has installed. */
function packagesInstalled() {
  const installedList = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedList) || !existsSync(path.join(root, 'node_modules/.bin/node'))) return false;
  try {
    const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
    const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages;
    return Object.entries(wanted).every(
      ([name, { version, optional, peer, link }]) =>
        // The workspaces are links in node_modules to folders of the repository.
        !name.startsWith('node_modules/') ||
        (link ? existsSync(path.join(root, name)) : installed[name]?.version === version) ||
        (!installed[name] && (optional || peer)),
    );
  } catch {
    // The file is incomplete because an installation was interrupted.
    return false;
  }
}

/** @returns whether the packages are installed */
async function installPackages() {
  if (packagesInstalled()) return true;
  say('Installing the npm packages, which takes about a minute …');
  // `npm ci` is not used, because it deletes node_modules first, with the caches in it, even if one package has
  // changed. The machine's own Node runs npm, because the Node among the packages is about to be replaced.
  const PATH = (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !path.resolve(folder).startsWith(`${root}/`))
    .join(':');
  const code = await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    PATH,
  });
  if (code !== 0)
    say('The npm packages could not be installed; npm says above why. Nothing works without them.');
  return code === 0;
}

/** Returns the command that runs apt; undefined if the user may not run it. */
function apt() {
  if (!hasCommand('apt-get')) return undefined;
  if (process.getuid?.() === 0) return [];
  return hasCommand('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
    ? ['sudo', '-n']
    : undefined;
}

async function aptGet(prefix, ...args) {
  const command = [
    ...prefix,
    // apt's package data must be readable for all users, regardless of the caller's umask.
    'sh',
    '-c',
    'umask 022; exec "$@"',
    'sh',
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    '-qq',
    '-o',
    'Dpkg::Use-Pty=0',
    // A machine that has just started often runs its own updates, which lock apt.
    '-o',
    'DPkg::Lock::Timeout=300',
    ...args,
  ];
  return run(command[0], command.slice(1));
}

function triedLately(names) {
  try {
    const { at, missing } = JSON.parse(readFileSync(notes, 'utf8'));
    return Date.now() - at < RETRY_MS && names.every((name) => missing.includes(name));
  } catch {
    // The installation has never been tried.
    return false;
  }
}

async function installEngines(use) {
  const missing = missingEngines(use);
  if (missing.length === 0 || process.env.PLATEN_INSTALL_ENGINES === 'false') return;
  const names = missing.map(({ name }) => name);
  // The service starts without these programs; the tests do not.
  if (use === 'start' && triedLately(names)) return;
  const prefix = apt();
  if (prefix === undefined) return;
  say(`Installing ${names.join(', ')} with apt, which takes some minutes …`);
  await aptGet(prefix, 'update');
  const install = (engines) =>
    aptGet(
      prefix,
      'install',
      '-y',
      '--no-install-recommends',
      ...engines.flatMap(({ packages }) => packages),
    );
  // A package that this distribution lacks must not prevent the installation of the others.
  if ((await install(missing)) !== 0) for (const engine of missing) await install([engine]);
  const left = missingEngines(use);
  mkdirSync(path.dirname(notes), { recursive: true });
  writeFileSync(notes, JSON.stringify({ at: Date.now(), missing: left.map(({ name }) => name) }));
}

/**
 * Installs reference programs of the tests in releases that not all distributions have, in a separate folder. The
 * machine's own Python packages stay unchanged.
 */
async function installOracles() {
  const wanted = path.join(root, 'test/support/requirements.txt');
  const folder = path.join(cache, 'python');
  const installed = path.join(folder, 'requirements.txt');
  if (!existsSync(wanted)) return;
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(wanted))) return;
  say('Installing the releases of Python packages that the tests compare with …');
  rmSync(folder, { recursive: true, force: true });
  const options = ['--quiet', '--disable-pip-version-check', '--root-user-action=ignore', '--no-deps'];
  const target = ['--target', folder, '--requirement', wanted];
  if ((await run('/usr/bin/python3', ['-m', 'pip', 'install', ...options, ...target])) !== 0) {
    say('They could not be installed; pip says above why. The tests need them.');
    process.exit(1);
  }
  copyFileSync(wanted, installed);
}

/**
 * No test is skipped because a program is missing. The service starts without an engine and prints that itself.
 */
function checkTestTools() {
  const missing = missingEngines(use);
  if (missing.length === 0) return;
  say(`The tests need ${missing.map(({ name }) => name).join(', ')}:\n  ${installLine(missing)}`);
  process.exit(1);
}

const use = process.argv[2];
// The installations run in parallel: each takes a minute, mostly on the network. All of them finish even if one
// fails.
const [installed] = await Promise.all([
  installPackages(),
  use === 'packages' ? undefined : installEngines(use),
]);
if (!installed) process.exit(1);
if (use === 'test' || use === 'studio') {
  checkTestTools();
  await installOracles();
}
