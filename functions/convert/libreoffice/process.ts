import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryOf } from '@platen/core/processes';
import { log } from '../../shared/log.ts';
import { type Confinement, withPlaces } from '../confinement.ts';
import { type FontConfiguration, withOwnFonts } from '../fonts.ts';
import { HostProcess, sendSignal } from '../host-process.ts';
import type { Filters } from './filters.ts';
import type { Installation } from './installation.ts';
import { writeProfile } from './profile.ts';
import { removeUnusedSockets } from './sockets.ts';

/** One conversion, as the host program takes it. */
export interface HostOrder extends Filters {
  /** Paths of files in the same folder, which the document may show as the current folder. */
  input: string;
  output: string;
  /** The title of a document that has none of its own. */
  title: string | null;
  /** Whether upright pages are turned. */
  landscape?: boolean;
  /** Whether hidden slides stay pages of the PDF. */
  keepsHidden?: boolean;
  /** Whether tables of contents and other indexes stay as they are. */
  keepsIndexes?: boolean;
}

/**
 * `warnings`: sentences about what LibreOffice cannot do with the document; `hidden`: the numbers of the hidden slides
 * that are pages of the result, from 1; `narrow`: cells whose numbers may be wider than their columns. A presentation of
 * hidden slides alone fails at `hidden`.
 */
export type HostAnswer =
  | { ok: true; warnings: string[]; hidden: number[]; narrow: string[] }
  | { ok: false; at: 'load' | 'store' | 'hidden'; message: string };

export interface ProcessOptions {
  installation: Installation;
  /** A writable folder, in which the process gets its own folder, removed with it. */
  workDir: string;
  fontConfig: FontConfiguration;
  /** Further fonts, for this process alone. */
  fonts?: readonly Uint8Array[] | undefined;
  /** The confinement, besides the paths that LibreOffice itself needs. */
  confinement: Confinement;
  /** Most bytes of a file that it may write. */
  maxFileBytes: number;
}

const HOST = fileURLToPath(new URL('./host.py', import.meta.url));

/** A running LibreOffice with its host program. It converts one document at a time. */
export class OfficeProcess extends HostProcess {
  #officePid: number | null = null;

  /**
   * Starts LibreOffice with a new profile; resolves when it takes orders.
   *
   * @throws ProcessEnded
   */
  static async start(options: ProcessOptions, signal: AbortSignal): Promise<OfficeProcess> {
    const { fonts = [] } = options;
    const folder = await mkdtemp(path.join(options.workDir, 'platen-office-'));
    let { fontConfig } = options;
    try {
      if (fonts.length > 0) fontConfig = await withOwnFonts(fontConfig, folder, fonts);
      await Promise.all([
        writeProfile(path.join(folder, 'profile'), options.installation.buildId),
        mkdir(path.join(folder, 'tmp')),
      ]);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
    const started = new OfficeProcess(folder, { ...options, fontConfig });
    const { pid } = await started.ready(signal);
    started.#officePid = pid;
    return started;
  }

  private constructor(
    folder: string,
    { installation, fontConfig, confinement, maxFileBytes }: ProcessOptions,
  ) {
    super({
      name: 'LibreOffice',
      python: installation.python,
      script: HOST,
      // Other processes of this user can find it only by the name of the pipe, and only until it is connected.
      args: [installation.executable, folder, path.basename(folder), String(maxFileBytes)],
      folder,
      confinement: withPlaces(confinement, fontConfig, [path.dirname(path.dirname(installation.executable))]),
      env: {
        TMPDIR: path.join(folder, 'tmp'),
        XDG_CACHE_HOME: path.join(folder, 'cache'),
        SAL_USE_VCLPLUGIN: 'svp',
        FONTCONFIG_FILE: fontConfig.file,
      },
    });
    this.ended.then(removeUnusedSockets).catch((error: unknown) => log.warn('sockets are left', { error }));
  }

  /**
   * Converts a document. Only one conversion may run at a time.
   *
   * @throws ProcessEnded if the process was killed or crashed
   */
  async convert(order: HostOrder): Promise<HostAnswer> {
    return (await this.order(order)) as HostAnswer;
  }

  residentBytes(): number {
    return this.#officePid === null ? 0 : memoryOf(this.#officePid).resident;
  }

  protected override endEngine(): void {
    if (this.#officePid !== null) sendSignal(this.#officePid, 'SIGKILL');
  }
}
