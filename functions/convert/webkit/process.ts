import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { memoryOf } from '@platen/core/processes';
import type { PrintAnswer, PrintOrder, WebKitProcess as RunningWebKit } from '@platen/print/webkit/engine';
import { fileURLToPath } from 'node:url';
import { type Confinement, withPlaces } from '../confinement.ts';
import type { FontConfiguration } from '../fonts.ts';
import { HostProcess, procFile, sendSignal } from '../host-process.ts';

export interface WebKitProcessOptions {
  /** A writable folder, in which the process gets its own folder, removed with it. */
  workDir: string;
  /** null for the machine's own fonts. */
  fontConfig: FontConfiguration | null;
  /** The confinement, besides the paths that WebKit itself needs. */
  confinement: Confinement;
  /** Most bytes of a file that it may write. */
  maxFileBytes: number;
}

const HOST = fileURLToPath(new URL('./webkit_host.py', import.meta.url));

/** A running WebKit: the guard, the program that drives it, a display, and WebKit's own processes. */
export class WebKitProcess extends HostProcess implements RunningWebKit {
  readonly hasProductFonts: boolean;
  /** The id of the process group of all processes except the guard. */
  #driver: number | null = null;
  /** Settles when the last document is unloaded. */
  #left: Promise<unknown> = Promise.resolve();

  /** Starts WebKit; resolves when it takes orders. @throws ProcessEnded */
  static async start(options: WebKitProcessOptions, signal: AbortSignal): Promise<WebKitProcess> {
    const folder = await mkdtemp(path.join(options.workDir, 'platen-webkit-'));
    const started = new WebKitProcess(folder, options);
    const { pid } = await started.ready(signal);
    started.#driver = pid;
    return started;
  }

  private constructor(folder: string, { fontConfig, confinement, maxFileBytes }: WebKitProcessOptions) {
    super({
      name: 'WebKit',
      script: HOST,
      args: [String(maxFileBytes)],
      folder,
      confinement: withPlaces(confinement, fontConfig),
      env: {
        TMPDIR: folder,
        XDG_CACHE_HOME: path.join(folder, 'cache'),
        XDG_DATA_HOME: path.join(folder, 'data'),
        // There is no desktop: no settings service, no virtual file systems, no screen readers.
        GSETTINGS_BACKEND: 'memory',
        GIO_USE_VFS: 'local',
        GIO_USE_NETWORK_MONITOR: 'base',
        NO_AT_BRIDGE: '1',
        ...(fontConfig === null ? {} : { FONTCONFIG_FILE: fontConfig.file }),
      },
    });
    this.hasProductFonts = fontConfig !== null;
  }

  async print(order: PrintOrder): Promise<PrintAnswer> {
    return await this.#answered(order);
  }

  async goOn(
    order: Pick<PrintOrder, 'sheet' | 'room'> & { arrange?: string; keep?: boolean },
  ): Promise<PrintAnswer> {
    return await this.#answered(order);
  }

  async left(): Promise<void> {
    await this.#left;
  }

  async #answered(order: object): Promise<PrintAnswer> {
    const answer = (await this.order(order)) as PrintAnswer;
    if (answer.leaves === true) {
      this.#left = this.answer();
      // Callers that wait for it get the failure.
      this.#left.catch(() => undefined);
    }
    return answer;
  }

  residentBytes(): number {
    let bytes = 0;
    // The processes share libraries, but not the memory that a document fills.
    for (const pid of this.#driver === null ? [] : descendants(this.#driver)) {
      const { resident, shared } = memoryOf(pid);
      bytes += resident - shared;
    }
    return bytes;
  }

  protected override endEngine(): void {
    // The guard kills the group and waits until all its processes have ended.
    if (this.pid !== undefined) sendSignal(this.pid, 'SIGTERM');
  }

  protected override signalGroups(): void {
    if (this.#driver !== null) sendSignal(-this.#driver, 'SIGKILL');
    super.signalGroups();
  }
}

/** Returns a process and all its descendants. */
function descendants(pid: number): number[] {
  const children = procFile(`${pid}/task/${pid}/children`)
    .split(' ')
    .filter((id) => id !== '');
  return [pid, ...children.flatMap((child) => descendants(Number(child)))];
}
