/**
 * Runs a command in surroundings like Lambda's: not root, root file system read-only, only /tmp writable and 512 MB
 * small, no /dev/shm, 1,024 file descriptors, 1,024 processes and threads, prctl(PR_SET_NO_NEW_PRIVS) refused, layers in
 * /opt. Needs bubblewrap.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Ids of the user that Lambda runs functions as. */
const USER = { uid: 993, gid: 990 };
const TMP_BYTES = 512 * 1024 * 1024;
const REPOSITORY = path.resolve(import.meta.dirname, '../..');

export interface Surroundings {
  /** Folders shown inside, read-only: place → folder of this machine. `/opt/chromium`, `/var/task`, … */
  mounts: Record<string, string>;
  env: Record<string, string>;
  /** Whether the network of the machine is there; without it there is only a loopback of its own. */
  network: boolean;
}

/** Starts `command` in Lambda-like surroundings. Its file descriptor 3 is a pipe that this process holds. */
export function spawnLikeLambda(
  command: readonly string[],
  { mounts, env, network }: Surroundings,
): ChildProcess {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-seccomp-'));
  const filter = path.join(folder, 'filter');
  writeFileSync(filter, refuseNoNewPrivileges());
  const filterDescriptor = openSync(filter, 'r');
  rmSync(folder, { recursive: true });

  const places = [...new Set(Object.keys(mounts).map((place) => `/${place.split('/')[1]}`))];
  const sandbox = [
    [
      '--unshare-user',
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      ...(network ? [] : ['--unshare-net']),
    ],
    ['--uid', String(USER.uid), '--gid', String(USER.gid), '--die-with-parent', '--new-session'],
    ['--ro-bind', '/', '/', '--proc', '/proc'],
    // A /dev without shm: what bubblewrap's own --dev makes has one.
    [
      '--tmpfs',
      '/dev',
      ...['null', 'zero', 'full', 'random', 'urandom'].flatMap((name) => [
        '--dev-bind',
        `/dev/${name}`,
        `/dev/${name}`,
      ]),
    ],
    ['--symlink', '/proc/self/fd', '/dev/fd', '--remount-ro', '/dev'],
    ...places.map((place) => ['--tmpfs', place]),
    ...Object.entries(mounts).map(([place, source]) => ['--ro-bind', source, place]),
    ...places.map((place) => ['--remount-ro', place]),
    ['--size', String(TMP_BYTES), '--tmpfs', '/tmp'],
    // A checkout below /tmp would be hidden, and with it the program to be run.
    REPOSITORY.startsWith('/tmp/') ? ['--ro-bind', REPOSITORY, REPOSITORY] : [],
    [
      '--clearenv',
      ...Object.entries({ PATH: '/usr/bin:/bin', HOME: '/tmp', ...env }).flatMap(([name, value]) => [
        '--setenv',
        name,
        value,
      ]),
    ],
    ['--chdir', places.includes('/var') ? '/var/task' : '/', '--seccomp', '4', '--'],
  ].flat();
  const limited = ['prlimit', '--nofile=1024', '--nproc=1024', 'bwrap', ...sandbox, ...command];
  // Limits on processes do not hold for root, nor for one who is root outside.
  const asUser = ['setpriv', `--reuid=${USER.uid}`, `--regid=${USER.gid}`, '--clear-groups', ...limited];
  const [program = '', ...args] = process.getuid?.() === 0 ? asUser : limited;
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit', 'pipe', filterDescriptor] });
}

/** A seccomp filter (classic BPF, little-endian) that answers EPERM to prctl(PR_SET_NO_NEW_PRIVS, …), as Lambda does. */
function refuseNoNewPrivileges(): Buffer {
  const PRCTL = 157; // x86-64
  const PR_SET_NO_NEW_PRIVS = 38;
  const [LOAD_WORD, JUMP_IF_EQUAL, RETURN] = [0x20, 0x15, 0x06];
  const [ALLOW, EPERM] = [0x7fff0000, 0x00050001];
  // Offsets in struct seccomp_data: the number of the call, and the lower half of its first argument.
  const [CALL, ARGUMENT] = [0, 16];
  const program: [code: number, jumpTrue: number, jumpFalse: number, value: number][] = [
    [LOAD_WORD, 0, 0, CALL],
    [JUMP_IF_EQUAL, 0, 3, PRCTL],
    [LOAD_WORD, 0, 0, ARGUMENT],
    [JUMP_IF_EQUAL, 0, 1, PR_SET_NO_NEW_PRIVS],
    [RETURN, 0, 0, EPERM],
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = Buffer.alloc(8 * program.length);
  program.forEach(([code, jumpTrue, jumpFalse, value], index) => {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(jumpTrue, 8 * index + 2);
    bytes.writeUInt8(jumpFalse, 8 * index + 3);
    bytes.writeUInt32LE(value, 8 * index + 4);
  });
  return bytes;
}
