import { PlatenError } from '@platen/core/errors';
import { workerUrl } from '@platen/core/worker';
import type { CompressOptions } from './compress/index.ts';
import type { EncryptOptions } from './files/encryption.ts';
import type { PdfInput } from './files/engine.ts';
import type { PdfInfo } from './look/inspect.ts';
import type { PrintedFacts, PrintedTask } from './look/printed-task.ts';
import type { PdfNote } from './notes.ts';
import { pagesOfRange } from './page-range.ts';
import type { StampOptions } from './operations/overlay.ts';
import type { PdfTaskName } from './pdf.worker.ts';
import { processPdfs, type Step, type StepsDone, type StepOptions } from './steps/index.ts';
import { type CallOptions, runTask, type TaskEntry } from './thread.ts';

export type { CallOptions, CompressOptions, EncryptOptions, PdfInfo, StampOptions };
export type { PdfLimits } from './thread.ts';
export { pagesOfRange };

/**
 * Operations on PDFs that several functions need. All work on paths, so that a file is never read into memory as a
 * whole. Input and output must be different files; the output is newly written. All throw PlatenError:
 * `pdf_invalid`, `pdf_damaged`, `pdf_password_required`, `pdf_password_wrong`, `pdf_too_complex`,
 * `deadline_exceeded`, `storage_unavailable`.
 */
export interface PdfOptions extends CallOptions {
  /** The password of a protected input. */
  password?: string | undefined;
  /** Whether signatures of the input are removed; otherwise a change of a signed file is refused. Default false. */
  breakSignatures?: boolean | undefined;
}

const ENTRY: TaskEntry<PdfTaskName> = workerUrl(import.meta.url, 'pdf.worker');

/** Opens a PDF and returns its page count and whether it is encrypted. */
export async function inspectPdf(file: string, options: PdfOptions = {}): Promise<PdfInfo> {
  const input = inputOf(file, options);
  return (await runTask(ENTRY, 'inspect', { input }, options)) as PdfInfo;
}

/** Number of pages. */
export async function pageCount(file: string, options: PdfOptions = {}): Promise<number> {
  return (await inspectPdf(file, options)).pages;
}

/**
 * Extracts pages of a PDF.
 *
 * @param pages A range such as `1-3,5,8-` (I-21), or 1-based page numbers in the requested order.
 * @returns the claims in which the result differs from the document
 * @throws PlatenError also: `page_range_invalid`, `page_range_outside_document`.
 */
export async function selectPages(
  file: string,
  output: string,
  pages: string | readonly number[],
  options: PdfOptions = {},
): Promise<PdfNote[]> {
  const input = inputOf(file, options);
  const total = await pageCount(file, options);
  const numbers = typeof pages === 'string' ? pagesOfRange(pages, total) : pages;
  const wrong = numbers.find((page) => !Number.isInteger(page) || page < 1 || page > total);
  if (wrong !== undefined || numbers.length === 0) {
    throw new PlatenError('page_range_outside_document', `There is no page ${wrong ?? 'to extract'}.`);
  }
  return (await runTask(ENTRY, 'select', { input, output, pages: numbers }, options)) as PdfNote[];
}

/**
 * Compresses a PDF (I-30); the output is a copy of the input if nothing is gained.
 *
 * @returns the notes about the result
 * @throws PlatenError also: `pdf_signed`.
 */
export async function compressPdf(
  file: string,
  output: string,
  compression: CompressOptions = {},
  options: PdfOptions = {},
): Promise<PdfNote[]> {
  return (await change(file, output, { name: 'compress', options: compression }, options)).notes;
}

/**
 * Encrypts a PDF with AES-256 (I-32).
 *
 * @returns the notes about the result
 * @throws PlatenError also: `pdf_signed`; `invalid_field` for a password that is empty or longer than 127 bytes.
 */
export async function encryptPdf(
  file: string,
  output: string,
  encryption: EncryptOptions,
  options: PdfOptions = {},
): Promise<PdfNote[]> {
  return (await change(file, output, { name: 'encrypt', options: encryption }, options)).notes;
}

/**
 * Makes a PDF claim levels of PDF/A and PDF/UA (see `conform`): for documents of any origin and size.
 *
 * @param conformance with the folder of the fonts for fields without an appearance
 * @returns the violations that only the author can correct, if they are not an error, and the parts that the
 * document lost
 * @throws PlatenError besides: `pdf_signed`, `not_conformant`, `invalid_option`
 */
export async function conformPdf(
  file: string,
  output: string,
  { fonts = null, ...conformance }: StepOptions['conform'] & { fonts?: string | null },
  options: PdfOptions = {},
): Promise<StepsDone> {
  const step: Step = { name: 'conform', options: { field: 'conformance', ...conformance } };
  return await change(file, output, step, options, fonts);
}

/** Executes one step, as the only one of a chain. */
async function change(
  path: string,
  output: string,
  step: Step,
  { password, breakSignatures = false, ...options }: PdfOptions,
  fonts: string | null = null,
): Promise<StepsDone> {
  const inputs = [{ path, password }];
  return await processPdfs({ inputs, output, steps: [step], breakSignatures, place: null, fonts }, options);
}

/** Returns the facts about a document that an engine has printed: fonts, images, and the characters of each page. */
export async function printedFacts(file: string, options: PdfOptions = {}): Promise<PrintedFacts> {
  const { compilePdfium } = await import('./pdfium/binary.ts');
  const task: PrintedTask = { pdfium: await compilePdfium(), input: inputOf(file, options) };
  return (await runTask(ENTRY, 'readPrintedFacts', task, options)) as PrintedFacts;
}

/** Puts the pages of `stampFile` over (or under) those of `file`. */
export async function stampPdf(
  file: string,
  stampFile: string,
  output: string,
  stamping: StampOptions = {},
  options: PdfOptions = {},
): Promise<void> {
  const task = { input: inputOf(file, options), stamp: { path: stampFile }, output, options: stamping };
  await runTask(ENTRY, 'stamp', task, options);
}

function inputOf(path: string, { password }: PdfOptions): PdfInput {
  return { path, password };
}
