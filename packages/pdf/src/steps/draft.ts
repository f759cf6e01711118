import { readFile, writeFile } from 'node:fs/promises';
import { inputArguments, type Engine, type PdfInput } from '../files/engine.ts';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { claimsOfDocument, claimsOfFile } from '../look/claims.ts';
import { openReadable } from '../files/open.ts';
import { openPdf, type PdfFile, type SaveOptions } from '../model/index.ts';
import type { TextSetter } from '../text/index.ts';
import { signed } from '../forms/refused.ts';

/** A document between steps: a file, or opened, as the last step left it. */
export class Draft {
  readonly engine: Engine;
  #input: PdfInput;
  #opened: PdfFile | undefined;
  #texts: TextSetter | undefined;
  #isProtected: boolean;
  readonly #appends: boolean;
  readonly #given: string;
  #saving: SaveOptions = {};

  /**
   * @param isProtected the file is encrypted, and `input` has its password
   * @param appends changes are appended to the file, so that its signatures stay valid
   */
  constructor(
    engine: Engine,
    input: PdfInput,
    { isProtected, appends }: { isProtected: boolean; appends: boolean },
  ) {
    this.engine = engine;
    this.#input = input;
    this.#given = input.path;
    this.#isProtected = isProtected;
    this.#appends = appends;
  }

  /** The document for reading and changes in memory. */
  async opened(): Promise<PdfFile> {
    this.#opened ??= this.#appends ? await this.#asItIs() : await openReadable(this.#input, this.engine);
    return this.#opened;
  }

  /**
   * A signature applies to the bytes of a file, to which changes can only be appended.
   *
   * @throws PlatenError `pdf_signed`
   */
  async #asItIs(): Promise<PdfFile> {
    try {
      return await openPdf(await readFile(this.#input.path));
    } catch (error) {
      throw isPlatenError(error) && error.code.startsWith('pdf_') ? signed(this.#input) : error;
    }
  }

  /** The document with the fonts of all text that was set so far, for code that needs the complete document. */
  async settled(): Promise<PdfFile> {
    const file = await this.opened();
    await this.#texts?.finish();
    this.#texts = undefined;
    return file;
  }

  /** Sets the options for writing the opened document. */
  saveAs(saving: SaveOptions): void {
    this.#saving = { ...this.#saving, ...saving };
  }

  /** Writes the opened document with or without object streams, as it was. */
  keepArrangement(): void {
    if (this.#opened !== undefined) this.saveAs({ pack: this.#opened.isPacked });
  }

  /**
   * Sets text in the opened document.
   *
   * @param fonts folder of the font files; null if the deployment has none
   * @param Texts the class, whose module is loaded on demand
   * @throws PlatenError `engine_missing`
   */
  texts(file: PdfFile, fonts: string | null, Texts: typeof TextSetter): TextSetter {
    if (fonts === null) throw new PlatenError('engine_missing', 'This deployment has no fonts.');
    this.#texts ??= new Texts(file, fonts);
    return this.#texts;
  }

  /** The document as a file without protection. */
  async file(): Promise<PdfInput> {
    const { name } = this.#input;
    const path = this.engine.temporary('pdf');
    if (this.#opened !== undefined) {
      const opened = await this.settled();
      if (this.#appends) await writeFile(path, (await opened.saveIncremental()).bytes);
      else await opened.saveTo(path, this.#saving);
      this.#opened = undefined;
      this.#saving = {};
    } else if (this.#isProtected) {
      await this.engine.write(this.#input, [...inputArguments(this.#input), '--decrypt', { path }]);
    } else return this.#input;
    this.#isProtected = false;
    this.#input = { path, name };
    return this.#input;
  }

  /**
   * Replaces the document by a file that `write` makes from it.
   *
   * @returns the result of `write`
   */
  async rewrite<T>(write: (input: PdfInput, output: string) => Promise<T>): Promise<T> {
    const output = this.engine.temporary('pdf');
    const result = await write(await this.file(), output);
    this.#input = { path: output, name: this.#input.name };
    return result;
  }

  /** The claims of the document. */
  async claims(): Promise<string[]> {
    return this.#opened === undefined ? await claimsOfFile(this.#input.path) : claimsOfDocument(this.#opened);
  }

  /** Whether it is still the given file. */
  get isUntouched(): boolean {
    return this.#opened === undefined && this.#input.path === this.#given;
  }

  /** Whether changes are appended to the file, whose bytes stay unchanged. */
  get isAppendedTo(): boolean {
    return this.#appends;
  }
}
