import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as YAML from 'yaml';
import type { Image } from '../support/dockerfile.ts';
import { IMAGE_PATH } from '../support/dockerfile.ts';

/** How compose.yaml has the image run, without Docker: its user, its read-only root, and what is writable of it. */

interface Service {
  read_only: boolean;
  user: string;
  cap_drop: string[];
  security_opt: string[];
  shm_size: string;
  /** `/folder:option,option` */
  tmpfs: string[];
  /** `name:/folder` */
  volumes: string[];
}

/** @throws for a service that has more rights than are taken away here */
function readService(): Service {
  const { services } = YAML.parse(readFileSync('compose.yaml', 'utf8')) as { services: { platen: Service } };
  const { platen } = services;
  const isConfined =
    platen.read_only &&
    /^[1-9]\d*:[1-9]\d*$/.test(platen.user) &&
    platen.cap_drop.includes('ALL') &&
    platen.security_opt.includes('no-new-privileges:true');
  if (!isConfined) throw new Error('compose.yaml does not confine the service.');
  return platen;
}

/**
 * A command in an image as compose.yaml runs it, and with its network, which is this machine's.
 *
 * @param data the folder that is its volume; it has to belong to the user of the image
 * @returns the program of this machine to run, and its arguments
 */
export function confined(
  { root, workdir }: Image,
  data: string,
  command: readonly string[],
): [string, string[]] {
  const { user, shm_size, tmpfs, volumes } = readService();
  const [uid = '', gid = ''] = user.split(':');
  const [, volume = ''] = volumes[0]?.split(':') ?? [];
  const mounts = tmpfs.map((entry) => {
    const [folder = '', options = ''] = entry.split(':');
    return `mount -t tmpfs -o '${options}' tmpfs "$0${folder}"`;
  });
  const script = [
    'mount --bind "$0" "$0"',
    'mount -o remount,bind,ro "$0"',
    ...mounts,
    `mount --bind '${data}' "$0${volume}"`,
    'mount -t proc proc "$0/proc"',
    'mount -t sysfs -o ro sysfs "$0/sys"',
    'mount --rbind /dev "$0/dev"',
    `mount -t tmpfs -o 'mode=1777,size=${shm_size}' shm "$0/dev/shm"`,
    'cd "$0"',
    // The old root comes to lie upon the new one, and is taken away (pivot_root(2)).
    'pivot_root . .',
    'umount -l .',
    `cd '${workdir}'`,
    `exec setpriv --reuid ${uid} --regid ${gid} --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs "$@"`,
  ].join(' && ');
  return ['unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, root, ...command]];
}

function environment(image: Image, more: Readonly<Record<string, string>>): Record<string, string> {
  return { PATH: IMAGE_PATH, HOME: '/', ...image.env, ...more };
}

/** Runs a command of an image to its end. @returns what it printed @throws when it fails */
export function runIn(
  image: Image,
  data: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  const [program, args] = confined(image, data, command);
  return execFileSync(program, args, { encoding: 'utf8', env: environment(image, env) });
}

export interface Running {
  /** From the start of its first process until it said so. */
  readyAfterMs: number;
  /** Asks it to end, as `docker stop` does. @returns its exit code */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Runs the service of an image until it says that it is ready. @throws when it ends before */
export async function start(
  image: Image,
  data: string,
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const began = performance.now();
  const [program, args] = confined(image, data, image.command);
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(image, env),
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const ready = new Promise<void>((resolve) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Platen is ready')) resolve();
    });
  });
  const early = ended.then((code) => {
    throw new Error(`The service ended with ${String(code)}.`);
  });
  await Promise.race([ready, early]);
  early.catch(() => {});
  return {
    readyAfterMs: performance.now() - began,
    stop: async (signal = 'SIGTERM') => {
      process.kill(firstProcess(child), signal);
      return await ended;
    },
  };
}

/** unshare waits for the first process of the container, passes no signal on to it, and cannot end another user's. */
function firstProcess({ pid = 0 }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}
