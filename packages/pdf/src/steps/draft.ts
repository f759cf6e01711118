import { writeFile } from 'node:fs/promises';
import { inputArguments, type Engine, type PdfInput } from '../engine.ts';
import { PlatenError } from '@platen/core/errors';
import { openReadable, type PdfFile } from '../model/index.ts';
import { TextSetter } from '../text/index.ts';

/** A document on its way through the steps: a file, or opened, as the last step left it. */
export class Draft {
  readonly engine: Engine;
  #input: PdfInput;
  #opened: PdfFile | undefined;
  #texts: TextSetter | undefined;
  #isProtected: boolean;

  /** @param isProtected the file is encrypted, and `input` has what opens it */
  constructor(engine: Engine, input: PdfInput, isProtected: boolean) {
    this.engine = engine;
    this.#input = input;
    this.#isProtected = isProtected;
  }

  /** The document to be looked at and changed in memory. */
  async opened(): Promise<PdfFile> {
    this.#opened ??= await openReadable(this.#input, this.engine);
    return this.#opened;
  }

  /**
   * What sets text in the opened document.
   *
   * @param fonts folder of the font files; null where the deployment has none
   * @throws PlatenError `engine_missing`
   */
  texts(file: PdfFile, fonts: string | null): TextSetter {
    if (fonts === null) throw new PlatenError('engine_missing', 'There are no fonts on this deployment.');
    this.#texts ??= new TextSetter(file, fonts);
    return this.#texts;
  }

  /** The document as a file without protection. */
  async file(): Promise<PdfInput> {
    const { name } = this.#input;
    const path = this.engine.temporary('pdf');
    if (this.#opened !== undefined) {
      await this.#texts?.finish();
      this.#texts = undefined;
      await writeFile(path, await this.#opened.save());
      this.#opened = undefined;
    } else if (this.#isProtected) {
      await this.engine.write(this.#input, [...inputArguments(this.#input), '--decrypt', { path }]);
    } else return this.#input;
    this.#isProtected = false;
    this.#input = { path, name };
    return this.#input;
  }

  /** Has a file made of the document, which takes its place. */
  async rewrite(write: (input: PdfInput, output: string) => Promise<void>): Promise<void> {
    const output = this.engine.temporary('pdf');
    await write(await this.file(), output);
    this.#input = { path: output, name: this.#input.name };
  }
}
