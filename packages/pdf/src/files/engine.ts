import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorCode, PlatenError } from '@platen/core/errors';
import { checkPageTree, hasOneNode } from './page-tree.ts';
import { passwordBytes } from './passwords.ts';
import { Qpdf } from './qpdf.ts';
import type { QpdfArgument, QpdfResult } from './qpdf.ts';
import { qpdfValues } from './qpdf-values.ts';
import type { PdfValue } from '../model/values.ts';

/** An input file with its password. */
export interface PdfInput {
  path: string;
  password?: string | undefined;
  /** Its name in errors if there are several, such as `file2`. */
  name?: string | undefined;
}

/** The password of a file as an argument: the engine finds its encoding. */
export interface PasswordArgument {
  option: '--password=' | '--encryption-file-password=';
  password: string;
  /** The file that it opens. */
  opens: string;
}

export type EngineArgument = QpdfArgument | PasswordArgument;

/** The exit code of `--requires-password` for a file that the given password opens. */
const PASSWORD_FITS = 3;

/** The exit code of qpdf for success with warnings. */
const WARNINGS = 3;

/** Maximum number of objects that are read with one run. */
const MANY_OBJECTS = 20_000;

/** Maximum bytes of the JSON of these objects, which takes ten times as much when it is parsed. */
const MAX_JSON = 32 << 20;

/** qpdf for the tasks of one call: bound to the call's scratch directory, with failures as PlatenErrors. */
export class Engine {
  readonly #qpdf: Qpdf;
  readonly #scratch: string;
  #files = 0;
  /** Documents whose page trees have been checked. */
  readonly #bounded = new Set<string>();
  /** Passwords as they are in files, by path and password. */
  readonly #passwords = new Map<string, Buffer>();

  constructor(binary: WebAssembly.Module, scratch: string) {
    this.#qpdf = new Qpdf(binary, scratch);
    this.#scratch = scratch;
  }

  /** Returns a path for a file of this call. */
  temporary(extension: string): string {
    return join(this.#scratch, `${this.#files++}.${extension}`);
  }

  /** Runs qpdf and returns its outcome, including failures. */
  async run(args: readonly EngineArgument[]): Promise<QpdfResult> {
    const words: QpdfArgument[] = ['--no-warn'];
    for (const argument of args)
      words.push(isPassword(argument) ? await this.#passwordOf(argument) : argument);
    return await this.#qpdf.run(words);
  }

  /** The argument in the encoding in which it opens the file; as given if none does. */
  async #passwordOf({ option, password, opens }: PasswordArgument): Promise<QpdfArgument> {
    const [first = Buffer.alloc(0), ...others] = passwordBytes(password);
    if (others.length === 0) return `${option}${password}`;
    const key = `${opens}\n${password}`;
    let found = this.#passwords.get(key);
    for (const bytes of found === undefined ? [first, ...others] : []) {
      const word = Buffer.concat([Buffer.from('--password='), bytes]);
      const { code } = await this.#qpdf.run(['--requires-password', { path: opens }, word]);
      if (code === PASSWORD_FITS) found ??= bytes;
      if (found !== undefined) break;
    }
    this.#passwords.set(key, found ?? first);
    return Buffer.concat([Buffer.from(option), found ?? first]);
  }

  /**
   * Runs qpdf on one or more inputs.
   *
   * @returns its standard output.
   * @throws PlatenError `pdf_password_required`, `pdf_password_wrong`, `pdf_invalid`, `pdf_damaged`,
   * `pdf_too_complex`.
   */
  async work(input: PdfInput | readonly PdfInput[], args: readonly EngineArgument[]): Promise<string> {
    const result = await this.run(args);
    if (result.code === 0 || result.code === WARNINGS) return result.stdout;
    throw await failure(result, await this.#failingInput(input));
  }

  /**
   * Runs qpdf so that it writes a file. If a stream cannot be decoded, repeats the run with unchanged streams and
   * without a search for unused resources.
   *
   * @throws PlatenError as `work`; `pdf_damaged` also if qpdf has lost pages.
   */
  async write(input: PdfInput | readonly PdfInput[], wanted: readonly EngineArgument[]): Promise<void> {
    // PDF/A requires an end of line before the end of a stream's data (ISO 19005-2, 6.1.7.1), which PDF permits
    // anyway.
    const args = ['--newline-before-endstream', ...wanted];
    const { code } = await this.run(args);
    if (code === 0) return;
    if (code !== WARNINGS) {
      const kept = args.map((argument) =>
        argument === '--remove-unreferenced-resources=auto' ? '--remove-unreferenced-resources=no' : argument,
      );
      await this.work(input, ['--stream-data=preserve', ...kept]);
    }
    for (const one of 'length' in input ? input : [input]) await this.#expectPages(one);
  }

  /**
   * qpdf replaces an unreadable object by null with no more than a warning, even if it is a page.
   *
   * @throws PlatenError `pdf_damaged`
   */
  async #expectPages(input: PdfInput): Promise<void> {
    if (!(await this.#checkPageTree(input))) throw damagedPdf(input.name);
  }

  /**
   * Returns a document that other programs open: one whose password has several encodings is decrypted.
   *
   * @throws PlatenError as `write`
   */
  async opened(input: PdfInput): Promise<PdfInput> {
    if (input.password === undefined || passwordBytes(input.password).length === 1) return input;
    const path = this.temporary('pdf');
    await this.write(input, [...inputArguments(input), '--decrypt', '--object-streams=preserve', { path }]);
    return { path, name: input.name };
  }

  /** Whether a file is encrypted, with or without a password to open it. */
  async isEncrypted(input: PdfInput): Promise<boolean> {
    const { code } = await this.run(['--is-encrypted', ...inputArguments(input)]);
    return code === 0;
  }

  /**
   * Must be called before qpdf visits the pages of a document, for which it has no limit.
   *
   * @throws PlatenError `pdf_too_complex` for more pages than a document may have; as `work`
   */
  async boundPages(input: PdfInput): Promise<void> {
    if (this.#bounded.has(input.path)) return;
    if (!(await hasOneNode(input.path))) await this.#checkPageTree(input);
    this.#bounded.add(input.path);
  }

  async #checkPageTree(input: PdfInput): Promise<boolean> {
    return await checkPageTree(async (refs) => {
      const values = new Map<string, PdfValue>();
      for (let start = 0; start < refs.length; start += MANY_OBJECTS) {
        const some = refs.slice(start, start + MANY_OBJECTS);
        for (const [ref, value] of await this.#values(input, some)) values.set(ref, value);
      }
      return values;
    });
  }

  /** The values of objects, and of the `trailer`, without those that the document does not have. */
  async #values(input: PdfInput, refs: readonly string[]): Promise<Map<string, PdfValue>> {
    const what = ['--json=2', '--json-key=qpdf', '--json-stream-data=none'];
    const objects = refs.map((ref) => `--json-object=${ref.replace(/ R$/, '').replace(' ', ',')}`);
    const path = this.temporary('json');
    // Not to the standard output: the next run of this instance would print nothing.
    await this.work(input, [...what, ...objects, ...inputArguments(input), { path }]);
    try {
      if ((await stat(path)).size > MAX_JSON) {
        throw new PlatenError(
          'pdf_too_complex',
          'The page tree of the PDF needs more memory than is allowed.',
        );
      }
      return qpdfValues(await readFile(path, 'utf8'));
    } finally {
      await rm(path);
    }
  }

  /** qpdf does not report which of several inputs it could not read. */
  async #failingInput(input: PdfInput | readonly PdfInput[]): Promise<PdfInput> {
    if (!('length' in input)) return input;
    for (const one of input) {
      const { code } = await this.run(['--show-npages', ...inputArguments(one)]);
      if (code !== 0 && code !== WARNINGS) return one;
    }
    return input[0] ?? { path: '' };
  }
}

/** The arguments for an input: its path and, if there is one, its password. */
export function inputArguments(input: PdfInput): EngineArgument[] {
  const { path, password } = input;
  return password === undefined ? [{ path }] : [{ path }, { option: '--password=', password, opens: path }];
}

/** The arguments for an output with the protection of a file: the same passwords and permissions. */
export function protectionArguments({ path, password }: PdfInput): EngineArgument[] {
  const copied = { option: '--copy-encryption=', path };
  if (password === undefined) return [copied];
  return [copied, { option: '--encryption-file-password=', password, opens: path }];
}

function isPassword(argument: EngineArgument): argument is PasswordArgument {
  return typeof argument === 'object' && 'password' in argument;
}

async function failure(result: QpdfResult, input: PdfInput): Promise<Error> {
  const text = result.stderr;
  const fault = (code: ErrorCode, message: string): PlatenError =>
    inputFault(code, message, input.name, new Error(text));
  if (/invalid password/.test(text)) {
    return input.password === undefined
      ? fault('pdf_password_required', 'The PDF is protected: send its password in `input_password`.')
      : fault('pdf_password_wrong', 'The password in `input_password` does not open the PDF.');
  }
  if (/No space left|ENOSPC/.test(text)) return new Error(`No space left on device: ${text}`);
  if (result.code === -1 || /bad_alloc/.test(text)) {
    return fault('pdf_too_complex', 'The PDF is nested too deeply or needs too much memory.');
  }
  if (!(await startsLikePdf(input.path))) return notPdf(input.name, new Error(text));
  return damagedPdf(input.name, undefined, new Error(text));
}

/** @param name of the input, if a request has several */
function inputFault(
  code: ErrorCode,
  message: string,
  name: string | undefined,
  cause: Error | undefined,
): PlatenError {
  return new PlatenError(code, name === undefined ? message : `\`${name}\`: ${message}`, {
    ...(name === undefined ? {} : { faults: [{ field: name, message }] }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Returns the error for a document that cannot be read.
 * @param name of the input, if a request has several
 * @param message says what is missing, if that is known
 */
export function damagedPdf(
  name?: string,
  message = 'The PDF is damaged and cannot be repaired.',
  cause?: Error,
): PlatenError {
  return inputFault('pdf_damaged', message, name, cause);
}

/**
 * Returns the error for a file of another type.
 *
 * @param name of the input, if a request has several
 */
export function notPdf(name?: string, cause?: Error): PlatenError {
  return inputFault('pdf_invalid', 'The file is not a PDF.', name, cause);
}

/** False for a file that no repair turns into a PDF: it contains no object and no header. */
export function mayBePdf(bytes: Buffer): boolean {
  return bytes.includes('%PDF-') || bytes.includes(' obj');
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
