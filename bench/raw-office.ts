import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PYTHON } from '../functions/convert/host-process.ts';
import { filtersFor } from '../functions/convert/libreoffice/filters.ts';
import { findInstallation } from '../functions/convert/libreoffice/installation.ts';
import type { SourceFormat } from '../functions/shared/convert/protocol.ts';
import { officeFonts } from './office-templates.ts';

const PROGRAM = fileURLToPath(new URL('raw_office.py', import.meta.url));
/** The folder of converter.py, whose notation of properties it uses. */
const MODULES = fileURLToPath(new URL('../functions/convert/libreoffice/', import.meta.url));

/** A LibreOffice without Platen, kept running and driven as other programs do it (`raw_office.py`). */
export class RawOffice {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>) {
    this.#child = child;
    this.#lines = lines;
  }

  /**
   * Starts it with the fonts of the convert function.
   *
   * @param folder in which it gets one of its own
   * @throws Error if LibreOffice is missing or does not start
   */
  static async start(folder: string): Promise<RawOffice> {
    const installation = findInstallation();
    if (installation === null) throw new Error('LibreOffice is not installed.');
    const own = await mkdtemp(join(folder, 'platen-raw-office-'));
    await mkdir(join(own, 'tmp'));
    const { file } = await officeFonts(own);
    const child = spawn(PYTHON, ['-B', PROGRAM, installation.executable, own, basename(own)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PYTHONPATH: MODULES,
        SAL_USE_VCLPLUGIN: 'svp',
        TMPDIR: join(own, 'tmp'),
        FONTCONFIG_FILE: file,
        TZ: 'UTC',
      },
    });
    const started = new RawOffice(child, createInterface({ input: child.stdout })[Symbol.asyncIterator]());
    await started.#answer();
    return started;
  }

  /** The process that drives it. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Converts a file to PDF, and resolves when the document is closed. @throws Error if it fails */
  async convert(format: SourceFormat, input: string, output: string): Promise<void> {
    const filters = filtersFor(format, 'pdf');
    if (filters === null) throw new Error(`${format} cannot become pdf`);
    this.#child.stdin?.write(`${JSON.stringify({ input, output, ...filters })}\n`);
    await this.#answer();
  }

  async #answer(): Promise<void> {
    const { done } = await this.#lines.next();
    if (done === true) throw new Error('The raw LibreOffice has ended.');
  }

  /** Ends it, and its program. */
  async kill(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
  }
}
