import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FunctionSpec } from '../../../packages/aws-local/src/assembly/index.ts';
import {
  type EnvironmentSettings,
  environmentVariables,
} from '../../../packages/aws-local/src/lambda/variables.ts';
import { sendSignal } from '../../../functions/convert/host-process.ts';
import {
  INIT_MS,
  isRunning,
  type Launched,
  type Launcher,
} from '../../../packages/aws-local/src/lambda/launcher.ts';
import { descendants, killTree } from '../../../packages/aws-local/src/lambda/process-tree.ts';
import { ControlGroup } from './control-group.ts';
import { endWhenFull } from './memory.ts';
import { fileSystem, type Files, isImage, NODE, RUNTIME, variablesOfImage } from './file-systems.ts';
import { lambdaRefusals } from './refusals.ts';

/**
 * Execution environments as strict as Lambda's, for the functions of the local service (decision record 0029), created
 * with bubblewrap. Every function is driven through the Runtime API, with its bundle, its layers and the storage of the
 * service.
 */

/** The ids and name of the user that Lambda runs functions as. */
const USER = { uid: 993, gid: 990, name: 'sbx_user1051' };
/** Most file descriptors, and most processes with their threads. */
const [DESCRIPTORS, PROCESSES] = [1024, 1024];
/** Megabytes of memory for which Lambda provides one core. */
const MB_FOR_A_CORE = 1769;
const MB = 2 ** 20;
/** Milliseconds until a function is stopped during initialisation, and for how long. */
const INIT_PAUSE_MS = 100;
/** Milliseconds that the activation of an inactive function takes here; on Lambda up to 90 seconds. */
const ACTIVATION_MS = 1_500;

/** Variables of the local service that Lambda does not set: its files are in Lambda's places. */
const LOCAL_ONLY = [
  'TMPDIR',
  'PLATEN_LAYER_ROOT',
  'PLATEN_CHROME_DIR',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
];

/** The differences from Lambda on every such machine. */
const NEVER_HELD = [
  'the runtime is not Amazon’s, but speaks its protocol',
  'the kernel is this machine’s, which knows more than Lambda’s; only the calls in refusals.ts are refused',
  'variables name the endpoints of the local storage, and the network is this machine’s',
  '/tmp is memory, and counts as the function’s',
  'tables of the kernel such as /proc/net/unix can be read',
  'a function is stopped by signals, not with its machine: clocks go on, as they do in Lambda',
];

/** The further differences if no control group may be created. */
const WITHOUT_GROUP = {
  memory: 'memory is looked at ten times a second, without /tmp, and not bounded (no control groups)',
  cpu: 'cpu is not bounded (no control groups)',
} as const;

export interface SandboxOptions {
  /** Least milliseconds for which a function is stopped between two events. */
  frozenMs?: number;
  /** Whether control groups limit memory and CPU, if they may be created. */
  controlGroups?: boolean;
}

export interface Sandboxes {
  launcher: Launcher;
  /** The features of Lambda's environment that this machine cannot provide, by name. */
  missing(): string[];
  /** Removes the files that all sandboxes share; the service has been stopped before. */
  close(): void;
}

/** Returns why sandboxes are impossible here; null if they are possible. */
export function sandboxFault(): string | null {
  if (process.platform !== 'linux') return 'bubblewrap is for Linux only';
  const [program, args] = confined(['--ro-bind', '/', '/'], {}, [
    '/bin/sh',
    '-c',
    '[ -r "$0" ]',
    process.execPath,
  ]);
  try {
    execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer };
    return `bubblewrap makes no sandbox that can read ${process.execPath}: ${stderr?.toString().trim() || message}`;
  }
}

/** Creates the files that the sandboxes of a service share. @throws if sandboxes are impossible: see `sandboxFault` */
export function makeSandboxes({ frozenMs = 0, controlGroups = true }: SandboxOptions = {}): Sandboxes {
  const fault = sandboxFault();
  if (fault !== null) throw new Error(fault);
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-sandboxes-'));
  // The function runs as another user.
  chmodSync(folder, 0o755);
  const place = (name: string): string => path.join(folder, name);
  const { uid, gid, name } = USER;
  const files: Files = { runtime: place('runtime.mjs'), passwd: place('passwd'), group: place('group') };
  writeFileSync(files.passwd, `${name}:x:${uid}:${gid}::/home/${name}:/sbin/nologin\n`);
  writeFileSync(files.group, `${name}:x:${gid}:\n`);
  writeFileSync(place('refusals'), lambdaRefusals());
  const missing = new Set(NEVER_HELD);
  if (!isRoot()) missing.add('the number of processes is not bounded');

  const launch = (spec: FunctionSpec, settings: EnvironmentSettings, api: string): Launched => {
    if (!existsSync(files.runtime)) copyFileSync(settings.runtime, files.runtime);
    const memory = spec.memoryMb * MB;
    const group = new ControlGroup(memory, controlGroups);
    for (const controller of group.missing) missing.add(WITHOUT_GROUP[controller]);
    const child = start({
      fileSystem: fileSystem(spec, files, spec.ephemeralMb * MB),
      env: lambdaVariables(spec, settings, api),
      refusals: place('refusals'),
      group,
    });
    const stopMonitoring = endWhenFull(child, group, memory);
    child.once('error', stopMonitoring).once('exit', stopMonitoring);
    return new Sandbox(child, group, spec.memoryMb / MB_FOR_A_CORE, frozenMs);
  };
  return {
    launcher: {
      initLimit: () => INIT_MS,
      activation: (spec) => (isImage(spec) ? ACTIVATION_MS : 0),
      launch: (spec, settings, api) => Promise.resolve(launch(spec, settings, api)),
    },
    missing: () => [...missing],
    close: () => rmSync(folder, { recursive: true }),
  };
}

class Sandbox implements Launched {
  readonly process: ChildProcess;
  readonly #group: ControlGroup;
  readonly #cores: number;
  readonly #frozenMs: number;
  readonly #ended: Promise<void>;
  readonly #duringInit: NodeJS.Timeout;
  /** The time at which it was stopped; an event continues it. */
  #frozenAt: number | undefined;

  constructor(child: ChildProcess, group: ControlGroup, cores: number, frozenMs: number) {
    this.process = child;
    this.#group = group;
    this.#cores = cores;
    this.#frozenMs = frozenMs;
    this.#ended = new Promise((resolve) =>
      child.once('error', () => resolve()).once('close', () => resolve()),
    );
    this.#duringInit = setTimeout(() => void this.#pauseInit(), INIT_PAUSE_MS);
  }

  freeze(): void {
    clearTimeout(this.#duringInit);
    // Lambda allows a function more than its share of CPU until it waits for its first event.
    if (this.#frozenAt === undefined) this.#group.limitCpu(this.#cores);
    this.#frozenAt = performance.now();
    this.#stop();
  }

  async thaw(): Promise<void> {
    await sleep(Math.max(0, (this.#frozenAt ?? 0) + this.#frozenMs - performance.now()));
    this.#signal('SIGCONT');
  }

  async remove(): Promise<void> {
    clearTimeout(this.#duringInit);
    killTree(isRunning(this.process) ? this.process.pid : undefined);
    await this.#ended;
    await this.#group.remove();
  }

  /** Stops the function during its initialisation for a moment. */
  async #pauseInit(): Promise<void> {
    this.#stop();
    await sleep(INIT_PAUSE_MS);
    if (this.#frozenAt === undefined) this.#signal('SIGCONT');
  }

  /** This includes processes that start while the others are being stopped. */
  #stop(): void {
    const stopped = new Set<number>();
    while (this.#signal('SIGSTOP', stopped) > 0);
  }

  /**
   * Sends a signal to every process of the function.
   *
   * @returns the number of processes that had not received it before
   */
  #signal(signal: NodeJS.Signals, before = new Set<number>()): number {
    const { pid } = this.process;
    const targets = pid === undefined ? [] : descendants(pid).filter((target) => !before.has(target));
    for (const target of targets) {
      sendSignal(target, signal);
      before.add(target);
    }
    return targets.length;
  }
}

interface Start {
  fileSystem: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Path of the filter's file. */
  refusals: string;
  group: ControlGroup;
}

function start({ fileSystem: places, env, refusals, group }: Start): ChildProcess {
  const filter = openSync(refusals, 'r');
  const [program, args] = confined([...places, '--seccomp', '4'], env, [NODE, RUNTIME]);
  const join = group.doors.map((door) => `echo $$ > '${door}' && `).join('');
  try {
    return spawn('/bin/sh', ['-c', `${join}exec "$0" "$@"`, program, ...args], {
      // Its own session: the service handles Ctrl-C in the terminal.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', filter],
    });
  } finally {
    closeSync(filter);
  }
}

/** Returns a command in a sandbox: the program of this machine to run, and its arguments. */
function confined(
  sandbox: readonly string[],
  env: Readonly<Record<string, string>>,
  command: readonly string[],
): [program: string, args: string[]] {
  const { uid, gid } = USER;
  const bubblewrap = [
    ...['bwrap', '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--uid', String(uid), '--gid', String(gid), '--die-with-parent', '--new-session', '--clearenv'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...sandbox,
    '--',
    ...command,
  ];
  // Lambda writes core dumps of any size.
  const files = ['--core=unlimited', `--nofile=${DESCRIPTORS}`];
  // Limits on processes do not apply to root, and count all processes of the user on this machine.
  return isRoot()
    ? [
        'setpriv',
        [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'].concat(
          ['prlimit', ...files, `--nproc=${PROCESSES}`],
          bubblewrap,
        ),
      ]
    : ['prlimit', [...files, ...bubblewrap]];
}

/** Returns the environment variables of a function in Lambda, with the address of the local storage. */
function lambdaVariables(
  spec: FunctionSpec,
  settings: EnvironmentSettings,
  api: string,
): Record<string, string> {
  const local = environmentVariables(spec, settings, { api, tmp: '/tmp' });
  for (const name of LOCAL_ONLY) delete local[name];
  return {
    ...local,
    PATH: '/var/lang/bin:/usr/local/bin:/usr/bin:/bin:/opt/bin',
    LD_LIBRARY_PATH:
      '/var/lang/lib:/lib64:/usr/lib64:/var/runtime:/var/runtime/lib:/var/task:/var/task/lib:/opt/lib',
    NODE_PATH: '/opt/nodejs/node24/node_modules:/opt/nodejs/node_modules:/var/runtime/node_modules',
    ...(isImage(spec) ? variablesOfImage(spec) : {}),
    LAMBDA_TASK_ROOT: '/var/task',
    LAMBDA_RUNTIME_DIR: '/var/runtime',
  };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
