import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatenError } from '../errors.ts';
import { runQpdf } from './qpdf.ts';
import type { QpdfArgument, QpdfResult } from './qpdf.ts';

/** An input file and what opens it. */
export interface PdfInput {
  path: string;
  password?: string | undefined;
}

/** qpdf as the tasks of one call use it: bound to the call's scratch directory, its failures named. */
export class Engine {
  readonly #binary: WebAssembly.Module;
  readonly #scratch: string;
  #files = 0;

  constructor(binary: WebAssembly.Module, scratch: string) {
    this.#binary = binary;
    this.#scratch = scratch;
  }

  /** A path for a file of this call. */
  temporary(extension: string): string {
    return join(this.#scratch, `${this.#files++}.${extension}`);
  }

  /** Runs qpdf and gives back whatever came of it. */
  run(args: readonly QpdfArgument[]): Promise<QpdfResult> {
    return runQpdf(this.#binary, ['--no-warn', ...args]);
  }

  /**
   * Runs qpdf on an input.
   * @returns its standard output.
   * @throws PlatenError `pdf_password_required`, `pdf_password_wrong`, `pdf_invalid`, `pdf_damaged`, `pdf_too_complex`.
   */
  async work(input: PdfInput, args: readonly QpdfArgument[]): Promise<string> {
    const result = await this.run(args);
    if (result.code === 0 || result.code === 3) return result.stdout;
    throw await failure(result, input);
  }
}

/** The arguments that name an input: its path and, where there is one, its password. */
export function inputArguments(input: PdfInput): QpdfArgument[] {
  return input.password === undefined
    ? [{ path: input.path }]
    : [{ path: input.path }, `--password=${input.password}`];
}

async function failure(result: QpdfResult, input: PdfInput): Promise<Error> {
  const text = result.stderr;
  if (/invalid password/.test(text)) {
    return input.password === undefined
      ? new PlatenError(
          'pdf_password_required',
          'The PDF is protected: send its password in `input_password`.',
        )
      : new PlatenError('pdf_password_wrong', 'The password in `input_password` does not open the PDF.');
  }
  if (/No space left|ENOSPC/.test(text)) return new Error(`No space left on device: ${text}`);
  if (result.code === -1 || /bad_alloc/.test(text)) {
    return new PlatenError('pdf_too_complex', 'The PDF is nested too deeply or needs too much memory.');
  }
  if (!(await startsLikePdf(input.path))) return new PlatenError('pdf_invalid', 'The file is not a PDF.');
  if (/unsupported encryption|unknown encryption|Encrypt(ion)? .*(unsupported|filter)/i.test(text)) {
    return new PlatenError('pdf_damaged', 'The PDF is encrypted in a way that is not supported.');
  }
  return new PlatenError('pdf_damaged', 'The PDF is damaged and cannot be repaired.', {
    cause: new Error(text),
  });
}

/** Readers accept the header anywhere in the first 1024 bytes (PDF 32000-1, implementation note 13). */
async function startsLikePdf(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const start = Buffer.alloc(1024);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    return start.subarray(0, bytesRead).includes('%PDF-');
  } finally {
    await file.close();
  }
}
