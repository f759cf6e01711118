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
 * Execution environments as hard as Lambda's, for the functions of the local service (decision record 0029), made with
 * bubblewrap. Every function is driven through the Runtime API, with its bundle, its layers and the storage of the service.
 */

/** Ids of the user that Lambda runs functions as, and its name. */
const USER = { uid: 993, gid: 990, name: 'sbx_user1051' };
/** File descriptors, and processes with their threads. */
const [DESCRIPTORS, PROCESSES] = [1024, 1024];
/** Megabytes of memory for which Lambda gives one core. */
const MB_FOR_A_CORE = 1769;
const MB = 2 ** 20;
/** Until a function is stopped in its initialisation, and for how long. */
const INIT_PAUSE_MS = 100;

/** Of the local service's variables, those that Lambda has none of: its files lie where Lambda's do. */
const LOCAL_ONLY = [
  'TMPDIR',
  'PLATEN_LAYER_ROOT',
  'PLATEN_CHROME_DIR',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
];

/** What no machine like this one does as Lambda. */
const NEVER_HELD = [
  'the runtime is not Amazon’s, but speaks its protocol',
  'the kernel is this machine’s, which knows more than Lambda’s; only the calls in refusals.ts are refused',
  'variables name the endpoints of the local storage, and the network is this machine’s',
  '/tmp is memory, and counts as the function’s',
  'tables of the kernel such as /proc/net/unix can be read',
  'a function is stopped by signals, not with its machine: clocks go on, as they do in Lambda',
];

/** What does not hold where no control group may be made. */
const WITHOUT_GROUP = {
  memory: 'memory is looked at ten times a second, without /tmp, and not bounded (no control groups)',
  cpu: 'cpu is not bounded (no control groups)',
} as const;

export interface SandboxOptions {
  /** Least milliseconds that a function is stopped between two events. */
  frozenMs?: number;
  /** Whether control groups bound memory and CPU where they may be made. */
  controlGroups?: boolean;
}

export interface Sandboxes {
  launcher: Launcher;
  /** What of Lambda's surroundings this machine cannot give, by name. */
  missing(): string[];
  /** Removes what was made for all of them; the service has been stopped before. */
  close(): void;
}

/** Why there can be no sandbox here; null where there can. */
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

/** Makes what the sandboxes of one service have in common. @throws where there can be none: see `sandboxFault` */
export function makeSandboxes({ frozenMs = 0, controlGroups = true }: SandboxOptions = {}): Sandboxes {
  const fault = sandboxFault();
  if (fault !== null) throw new Error(fault);
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-sandboxes-'));
  // The function's user is another one.
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
  /** When it was stopped, to be started again by an event. */
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
    // Lambda lets a function have more than its share until it waits for its first event.
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

  /** Stops the function in the middle of its initialisation, for a moment. */
  async #pauseInit(): Promise<void> {
    this.#stop();
    await sleep(INIT_PAUSE_MS);
    if (this.#frozenAt === undefined) this.#signal('SIGCONT');
  }

  /** Also what is started while the others are being stopped. */
  #stop(): void {
    const stopped = new Set<number>();
    while (this.#signal('SIGSTOP', stopped) > 0);
  }

  /** Sends a signal to every process of the function. @returns to how many, without those that had it before */
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
  /** File of the filter. */
  refusals: string;
  group: ControlGroup;
}

function start({ fileSystem: places, env, refusals, group }: Start): ChildProcess {
  const filter = openSync(refusals, 'r');
  const [program, args] = confined([...places, '--seccomp', '4'], env, [NODE, RUNTIME]);
  const join = group.doors.map((door) => `echo $$ > '${door}' && `).join('');
  try {
    return spawn('/bin/sh', ['-c', `${join}exec "$0" "$@"`, program, ...args], {
      // Its own session: a Ctrl-C in the terminal is the service's to answer.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', filter],
    });
  } finally {
    closeSync(filter);
  }
}

/** A command in a sandbox: the program of this machine to run, and its arguments. */
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
  const files = `--nofile=${DESCRIPTORS}`;
  // Limits on processes do not hold for root, and count all that a user of this machine has.
  return isRoot()
    ? [
        'setpriv',
        [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'].concat(
          ['prlimit', files, `--nproc=${PROCESSES}`],
          bubblewrap,
        ),
      ]
    : ['prlimit', [files, ...bubblewrap]];
}

/** What a function finds in its environment on Lambda, and where the local storage is. */
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
