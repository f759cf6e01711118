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

/**
 * A Debian or Ubuntu in a folder, created with debootstrap and entered with chroot. Requires root, unshare and a
 * network.
 */

export type Suite = 'bookworm' | 'trixie' | 'noble';

/** Releases of Ubuntu, which this machine's Debian mirrors do not have. */
const UBUNTU: readonly Suite[] = ['noble'];
/** The debootstrap script for all releases: a debootstrap that is older than a release has no script of its name. */
const UBUNTU_SCRIPT = '/usr/share/debootstrap/scripts/jammy';

/** Runs a program of this machine and logs its command. @throws if it fails */
export function run(command: string, ...args: string[]): void {
  console.log(`> ${command} ${args.join(' ')}`);
  execute(command, args);
}

function execute(command: string, args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env: installEnvironment() });
}

/**
 * Creates a minimal Debian with additional packages, unless it exists. Packages come from the archives that this
 * machine uses.
 *
 * @param root the folder
 * @param packages names of Debian packages
 * @param archive address of Ubuntu's archive, for a release of it that does not exist yet
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
  // The certificate packages have overwritten this machine's certificates.
  copyConfiguration(root, suite);
}

/**
 * Returns the command that runs a program in a root as on a machine of its own: with the kernel's file systems, and
 * with its own processes and shared memory, none of which remain when the command has ended. The network is this
 * machine's. The folder becomes the root of the mounts, because processes that entered it with chroot may not create
 * user namespaces.
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
    // The old root is mounted on the new one, and is unmounted then (pivot_root(2)).
    'pivot_root . .',
    'umount -l .',
    'cd /',
    'exec "$@"',
  ].join(' && ');
  return ['unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, root, ...command]];
}

/** Returns the variables of this machine's environment that programs need to reach the network. */
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

/** Copies this machine's settings for the registries, so that the root uses the same ones. */
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
  // update-ca-certificates builds the bundle from this folder whenever a package calls it, and replaces the copy above.
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

/** Both parts of Ubuntu's archive, with its updates, from the server of the first debootstrap. */
function ubuntuSources(sources: string, suite: Suite): string[] {
  const main = /^deb\s+(\S+)/m.exec(sources)?.[1];
  if (main === undefined) throw new Error(`debootstrap wrote no source for ${suite}.`);
  return [suite, `${suite}-updates`, `${suite}-security`].map((part) => `deb ${main} ${part} main universe`);
}

function isUbuntu(suite: Suite): boolean {
  return UBUNTU.includes(suite);
}

/** npm's configuration files of this machine and of its user. */
function npmConfigurations(): string[] {
  return ['globalconfig', 'userconfig'].map((name) =>
    execFileSync('npm', ['config', 'get', name], {
      encoding: 'utf8',
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
      // These are not the npm and Node of the repository's packages, which have other files.
      env: installEnvironment(),
    }).trim(),
  );
}

/** Returns the address from which this machine's apt gets the archive of a name. */
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
