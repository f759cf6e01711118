import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Debian or Ubuntu in a folder: made with debootstrap, entered with chroot. Takes root, unshare and a network. */

export type Suite = 'bookworm' | 'trixie' | 'noble';

/** Releases of Ubuntu, which this machine's mirrors of Debian do not have. */
const UBUNTU: readonly Suite[] = ['noble'];
/** By which all of them are made; a debootstrap that is older than a release has none of its name. */
const UBUNTU_SCRIPT = '/usr/share/debootstrap/scripts/jammy';

/** Runs a program of this machine and says so. @throws when it fails */
export function run(command: string, ...args: string[]): void {
  console.log(`> ${command} ${args.join(' ')}`);
  execute(command, args);
}

function execute(command: string, args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env: installEnvironment() });
}

/**
 * Makes a minimal Debian with some more packages, unless it is there. It gets its packages from where this machine gets
 * them.
 *
 * @param root the folder
 * @param packages names of Debian packages
 * @param archive address of Ubuntu's archive, for a release of it that is not there yet
 */
export function makeRoot(root: string, suite: Suite, packages: readonly string[], archive?: string): void {
  if (!existsSync(path.join(root, 'usr/bin/apt-get'))) {
    if (isUbuntu(suite) && archive === undefined) throw new Error(`The archive of ${suite} has to be named.`);
    const source = isUbuntu(suite) ? [archive ?? '', UBUNTU_SCRIPT] : mirrors('debian').slice(0, 1);
    run('debootstrap', '--variant=minbase', suite, root, ...source);
  }
  copyConfiguration(root, suite);
  console.log(`> in ${root}: apt-get install ${packages.join(' ')}`);
  execute(...inRoot(root, 'apt-get', '-qq', 'update'));
  execute(...inRoot(root, 'apt-get', '-qq', 'install', '-y', '--no-install-recommends', ...packages));
  // The packages of certificates have written theirs over this machine's.
  copyConfiguration(root, suite);
}

/**
 * How a command is run in a root as on a machine of its own: with the kernel's file systems, and with its own processes
 * and shared memory, of which nothing is left when the command has ended. The network is this machine's. The root is the
 * root of its mounts, as processes that were put into theirs by chroot may make no user namespaces.
 *
 * @returns the program of this machine to run, and its arguments
 */
export function inRoot(root: string, ...command: string[]): [program: string, args: string[]] {
  const script = [
    'mount --bind "$0" "$0"',
    'mount -t proc proc "$0/proc"',
    'mount -t sysfs sysfs "$0/sys"',
    'mount --rbind /dev "$0/dev"',
    'mount -t tmpfs -o mode=1777 shm "$0/dev/shm"',
    'cd "$0"',
    // The old root comes to lie upon the new one, and is taken away (pivot_root(2)).
    'pivot_root . .',
    'umount -l .',
    'cd /',
    'exec "$@"',
  ].join(' && ');
  return ['unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, root, ...command]];
}

/** What a root's programs need of this machine's environment to reach the outside. */
export function networkEnvironment(): Record<string, string> {
  const names =
    /^((https?|no|all|ftp)_proxy|npm_config_(registry|cafile|https?_proxy)|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => names.test(entry[0]) && entry[1] !== undefined,
    ),
  );
}

function installEnvironment(): Record<string, string> {
  return {
    ...networkEnvironment(),
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: homedir(),
    LANG: 'C.UTF-8',
    DEBIAN_FRONTEND: 'noninteractive',
  };
}

/** What this machine knows of the way to the registries: the root has to go the same way. */
function copyConfiguration(root: string, suite: Suite): void {
  const sources = path.join(root, 'etc/apt/sources.list');
  const lines = isUbuntu(suite) ? ubuntuSources(readFileSync(sources, 'utf8'), suite) : debianSources(suite);
  if (lines.length > 0) writeFileSync(sources, `${lines.join('\n')}\n`);
  const settings = execFileSync('apt-config', ['dump'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => /^Acquire::(https?|Retries)\b/.test(line));
  writeFileSync(path.join(root, 'etc/apt/apt.conf.d/90machine'), `${settings.join('\n')}\n`);

  const certificates = [
    '/etc/ssl/certs/ca-certificates.crt',
    ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'].flatMap((name) => networkEnvironment()[name] ?? []),
  ];
  for (const file of ['/etc/resolv.conf', '/etc/hosts', '/etc/pip.conf', ...certificates]) {
    const target = path.join(root, file);
    if (!existsSync(file)) continue;
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
  // What update-ca-certificates makes the bundle of, whenever a package asks for it: the copy above alone would not stay.
  const authorities = '/usr/local/share/ca-certificates';
  if (existsSync(authorities)) cpSync(authorities, path.join(root, authorities), { recursive: true });
  const npmrc = path.join(root, 'root/.npmrc');
  writeFileSync(npmrc, '', { mode: 0o600 });
  for (const file of npmConfigurations())
    if (existsSync(file)) appendFileSync(npmrc, `${readFileSync(file, 'utf8')}\n`);
}

function debianSources(suite: Suite): string[] {
  const [main] = mirrors('debian');
  const [security] = mirrors('debian-security');
  if (main === undefined) return [];
  const lines = [`deb ${main} ${suite} main`, `deb ${main} ${suite}-updates main`];
  if (security !== undefined) lines.push(`deb ${security} ${suite}-security main`);
  return lines;
}

/** Both parts of Ubuntu's archive, with its updates, from where debootstrap got the first. */
function ubuntuSources(sources: string, suite: Suite): string[] {
  const main = /^deb\s+(\S+)/m.exec(sources)?.[1];
  if (main === undefined) throw new Error(`debootstrap wrote no source for ${suite}.`);
  return [suite, `${suite}-updates`, `${suite}-security`].map((part) => `deb ${main} ${part} main universe`);
}

function isUbuntu(suite: Suite): boolean {
  return UBUNTU.includes(suite);
}

/** npm's own files of settings of this machine and its user. */
function npmConfigurations(): string[] {
  return ['globalconfig', 'userconfig'].map((name) =>
    execFileSync('npm', ['config', 'get', name], {
      encoding: 'utf8',
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
      // Not the npm and Node of the repository's packages, which have other files.
      env: installEnvironment(),
    }).trim(),
  );
}

/** Where this machine's apt gets the archive of a name from. */
function mirrors(archive: string): string[] {
  const folder = '/etc/apt/sources.list.d';
  const files = [
    '/etc/apt/sources.list',
    ...(existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : []),
  ].filter((file) => existsSync(file));
  return files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => /^\s*(deb\s|URIs:)/.test(line))
    .flatMap((line) => line.match(/\bhttps?:\/\/\S+/g) ?? [])
    .filter((address) => address.replace(/\/$/, '').endsWith(`/${archive}`));
}
