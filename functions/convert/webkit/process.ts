import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Confinement, withPlaces } from '../confinement.ts';
import type { FontConfiguration } from '../fonts.ts';
import { HostProcess, memoryOf, procFile, sendSignal } from '../host-process.ts';

/** A length of paper and its margins, in millimetres. */
export interface Sheet {
  width: number;
  height: number;
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** One printing, as the program takes it (webkit_printer.py). */
export interface PrintOrder {
  /** Path of the document. */
  html: string;
  /** Where the document believes it is. */
  address: string;
  /** Address → path of a file, and its content type. */
  resources: Record<string, { file: string; type: string }>;
  /** Path of the PDF. */
  output: string;
  sheet: Sheet;
  /** Pixels that the document sees. */
  room: { width: number; height: number };
  /** Style sheet of the user, before those of the document. */
  style: string;
  /** Script that runs before those of the document, in each of its frames. */
  script: string;
  /** Body of a function that waits for what comes late. */
  settle: string;
  backgrounds: boolean;
  /** Whether the paper shows where the document draws nothing. */
  transparent: boolean;
  /** Documents of different owners never share a process. */
  owner: string;
  /** Whether it waits after loading: what `settle` returned is answered, and the sheet comes afterwards (`goOn`). */
  asks: boolean;
  /** Whether another one of the same document follows. */
  keep: boolean;
}

/** `found`: what `settle` returned, as JSON. */
export type PrintAnswer = { ok: true; found?: string } | { ok: false; message: string };

export interface WebKitProcessOptions {
  /** Writable. The process gets a folder of its own in it, which is removed with it. */
  workDir: string;
  /** Null for the machine's own fonts. */
  fontConfig: FontConfiguration | null;
  /** Besides what it takes. */
  confinement: Confinement;
  /** Bytes of the largest file it may write. */
  maxFileBytes: number;
}

const HOST = fileURLToPath(new URL('./webkit_host.py', import.meta.url));

/** A running WebKit: the guard, the program that drives it, a display, and WebKit's own processes. */
export class WebKitProcess extends HostProcess {
  /** Leads the group of all but the guard. */
  #driver: number | null = null;

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
        // No desktop to ask: settings, other file systems, readers of the screen.
        GSETTINGS_BACKEND: 'memory',
        GIO_USE_VFS: 'local',
        GIO_USE_NETWORK_MONITOR: 'base',
        NO_AT_BRIDGE: '1',
        ...(fontConfig === null ? {} : { FONTCONFIG_FILE: fontConfig.file }),
      },
    });
  }

  /**
   * Prints a document. Only one at a time.
   *
   * @throws ProcessEnded when it was killed, by us or by whatever the document did to it
   */
  async print(order: PrintOrder): Promise<PrintAnswer> {
    return (await this.order(order)) as PrintAnswer;
  }

  /** Prints what is loaded, and waits since it was asked. @throws ProcessEnded as `print` */
  async goOn(order: Pick<PrintOrder, 'sheet' | 'room'>): Promise<PrintAnswer> {
    return (await this.order(order)) as PrintAnswer;
  }

  residentBytes(): number {
    let bytes = 0;
    // Libraries are shared by all of them; what a document fills is not.
    for (const pid of this.#driver === null ? [] : descendants(this.#driver)) {
      const { resident, shared } = memoryOf(pid);
      bytes += resident - shared;
    }
    return bytes;
  }

  protected override endEngine(): void {
    // The guard kills the group and waits until all have ended.
    if (this.pid !== undefined) sendSignal(this.pid, 'SIGTERM');
  }

  protected override signalGroups(): void {
    if (this.#driver !== null) sendSignal(-this.#driver, 'SIGKILL');
    super.signalGroups();
  }
}

/** A process and all below it. */
function descendants(pid: number): number[] {
  const children = procFile(`${pid}/task/${pid}/children`)
    .split(' ')
    .filter((id) => id !== '');
  return [pid, ...children.flatMap((child) => descendants(Number(child)))];
}
