import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { PlatenError } from '@platen/core/errors';
import { onPage } from '@platen/core/thread-side';
import { type PageText, readPageText } from './text.ts';

/** PDFium (compiled to WebAssembly) inside a worker thread. It reads documents piece by piece. */

/** A document in a file, or in memory. */
export type PdfiumSource = ({ path: string } | { bytes: Uint8Array }) & { password?: string | undefined };

export interface Bitmap {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each pixel. */
  pixels: Uint8Array;
}

/** The content that is drawn: the page as displayed, or only its own content stream. */
export type Drawing = 'page' | 'content';

const BGRA = 4;
/** Flags of FPDF_RenderPageBitmap: bytes in the order red, green, blue, alpha; with annotations. */
const REVERSED_BYTES = 0x10;
const ANNOTATIONS = 0x01;
/** The area of the page, and the content that is drawn. */
const DRAWINGS: Readonly<Record<Drawing, { paper: number; flags: number }>> = {
  page: { paper: 0xffffffff, flags: REVERSED_BYTES | ANNOTATIONS },
  content: { paper: 0, flags: REVERSED_BYTES },
};
/** The flag of annotations that are not shown (ISO 32000-2, table 167). */
const HIDDEN = 2;
/** Flags of FPDF_SaveAsCopy: a complete file instead of an update; without encryption. */
const SAVE_FLAGS = 3;
/** Error codes of FPDF_GetLastError. */
const WRONG_PASSWORD = 4;

export class PdfiumDocument {
  readonly #engine: WrappedPdfiumModule;
  readonly #reader: Reader;
  readonly #document: number;
  /** PDFium's form environment, created when a page is drawn. */
  #form: { info: number; handle: number } | undefined;
  /** Whether the instance failed, and must not be called again. */
  #broken = false;

  private constructor(engine: WrappedPdfiumModule, reader: Reader, document: number) {
    this.#engine = engine;
    this.#reader = reader;
    this.#document = document;
  }

  /**
   * @param binary the compiled engine
   * @throws PlatenError `pdf_damaged`, `pdf_password_required`, `pdf_password_wrong`
   */
  static async open(binary: WebAssembly.Module, source: PdfiumSource): Promise<PdfiumDocument> {
    const engine = await init({
      instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
        const instance = new WebAssembly.Instance(binary, imports);
        done(instance);
        return instance.exports;
      },
    });
    engine.PDFiumExt_Init();
    const reader = 'path' in source ? fileReader(source.path) : bytesReader(source.bytes);
    let document: number;
    try {
      document = engine.FPDF_LoadCustomDocument(fileAccess(engine, reader), source.password ?? '');
    } catch (error) {
      reader.close();
      throw isBreakdown(error) ? tooComplex(error) : error;
    }
    if (document !== 0) return new PdfiumDocument(engine, reader, document);
    reader.close();
    if (engine.FPDF_GetLastError() !== WRONG_PASSWORD) {
      throw new PlatenError('pdf_damaged', 'The PDF is damaged and cannot be repaired.');
    }
    throw source.password === undefined
      ? new PlatenError(
          'pdf_password_required',
          'The PDF is protected: send its password in `input_password`.',
        )
      : new PlatenError('pdf_password_wrong', 'The password in `input_password` does not open the PDF.');
  }

  get pages(): number {
    return this.#guarded(() => this.#engine.FPDF_GetPageCount(this.#document));
  }

  /** Size of a page as displayed, in points; undefined if the page is damaged. */
  size(number: number): { width: number; height: number } | undefined {
    return this.#withPage(number, (page) => ({
      width: this.#engine.FPDF_GetPageWidthF(page),
      height: this.#engine.FPDF_GetPageHeightF(page),
    }));
  }

  /**
   * Draws a page: with its annotations on white paper, or its content alone on a transparent background.
   *
   * @param hidden indexes of annotations that are not drawn
   * @returns undefined if the page is damaged
   * @throws PlatenError `pdf_too_complex` if there is not enough memory
   */
  draw(
    number: number,
    { width, height }: { width: number; height: number },
    drawing: Drawing = 'page',
    hidden: readonly number[] = [],
  ): Bitmap | undefined {
    const engine = this.#engine;
    const { paper, flags } = DRAWINGS[drawing];
    return this.#withPage(number, (page) => {
      for (const index of hidden) {
        const annotation = engine.FPDFPage_GetAnnot(page, index);
        engine.FPDFAnnot_SetFlags(annotation, engine.FPDFAnnot_GetFlags(annotation) | HIDDEN);
        engine.FPDFPage_CloseAnnot(annotation);
      }
      const bitmap = engine.FPDFBitmap_CreateEx(width, height, BGRA, 0, 0);
      if (bitmap === 0) throw new PlatenError('pdf_too_complex', 'A page needs more memory than is allowed.');
      engine.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, paper);
      engine.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
      // Form fields are drawn separately from other annotations.
      if (drawing === 'page')
        engine.FPDF_FFLDraw(this.#formHandle(), bitmap, page, 0, 0, width, height, 0, flags);
      const start = engine.FPDFBitmap_GetBuffer(bitmap);
      const stride = engine.FPDFBitmap_GetStride(bitmap);
      if (stride !== width * 4) throw new Error('the engine padded its rows');
      const pixels = Uint8Array.from(engine.pdfium.HEAPU8.subarray(start, start + stride * height));
      engine.FPDFBitmap_Destroy(bitmap);
      return { width, height, pixels };
    });
  }

  /** Whether a page has an annotation that belongs to a layer. */
  hasLayeredAnnotations(number: number): boolean {
    const engine = this.#engine;
    const isLayered = (page: number, index: number): boolean => {
      const annotation = engine.FPDFPage_GetAnnot(page, index);
      if (annotation === 0) return false;
      const isIn = engine.FPDFAnnot_HasKey(annotation, 'OC');
      engine.FPDFPage_CloseAnnot(annotation);
      return isIn;
    };
    const has = this.#withPage(number, (page) => {
      const count = engine.FPDFPage_GetAnnotCount(page);
      for (let index = 0; index < count; index++) if (isLayered(page, index)) return true;
      return false;
    });
    return has === true;
  }

  /** The text on a page; undefined if the page is damaged. */
  text(number: number): PageText | undefined {
    return this.#withPage(number, (page) => readPageText(this.#engine, page));
  }

  /** Writes the document anew without encryption, with consistent objects and cross-references. */
  save(path: string): void {
    const engine = this.#engine;
    const { addFunction, removeFunction, setValue, wasmExports } = engine.pdfium;
    const output = openSync(path, 'w');
    let failure: unknown;
    const write = addFunction((_writer: number, start: number, length: number): number => {
      try {
        const bytes = engine.pdfium.HEAPU8;
        for (let done = 0; done < length;) done += writeSync(output, bytes, start + done, length - done);
        return 1;
      } catch (error) {
        failure = error;
        return 0;
      }
    }, 'iiii');
    // FPDF_FILEWRITE: version 1, and the function.
    const writer = wasmExports.malloc(8);
    setValue(writer, 1, 'i32');
    setValue(writer + 4, write, 'i32');
    try {
      const saved = this.#guarded(() => engine.FPDF_SaveAsCopy(this.#document, writer, SAVE_FLAGS));
      if (failure instanceof Error) throw failure;
      if (!saved) {
        throw new PlatenError('pdf_damaged', 'The PDF is damaged and cannot be repaired.');
      }
    } finally {
      removeFunction(write);
      closeSync(output);
    }
  }

  close(): void {
    if (!this.#broken) {
      if (this.#form !== undefined) {
        this.#engine.PDFiumExt_ExitFormFillEnvironment(this.#form.handle);
        this.#engine.PDFiumExt_CloseFormFillInfo(this.#form.info);
      }
      this.#engine.FPDF_CloseDocument(this.#document);
    }
    this.#reader.close();
  }

  #formHandle(): number {
    if (this.#form === undefined) {
      const info = this.#engine.PDFiumExt_OpenFormFillInfo();
      const handle = this.#engine.PDFiumExt_InitFormFillEnvironment(this.#document, info);
      // Disables the highlight colour of form fields.
      this.#engine.FPDF_SetFormFieldHighlightAlpha(handle, 0);
      this.#form = { info, handle };
    }
    return this.#form.handle;
  }

  #withPage<T>(number: number, use: (page: number) => T): T | undefined {
    const read = (): T | undefined => {
      const page = this.#engine.FPDF_LoadPage(this.#document, number - 1);
      if (page === 0) return undefined;
      try {
        return use(page);
      } finally {
        this.#engine.FPDF_ClosePage(page);
      }
    };
    return this.#guarded(() => onPage(number, read));
  }

  /** @throws PlatenError `pdf_too_complex` if the engine exhausts its memory or stack */
  #guarded<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (!isBreakdown(error)) throw error;
      this.#broken = true;
      throw tooComplex(error);
    }
  }
}

/** A trap of WebAssembly, refused memory or an exhausted stack: the instance is lost, the thread is not. */
function isBreakdown(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

function tooComplex(cause: unknown): PlatenError {
  return new PlatenError('pdf_too_complex', 'The PDF is nested too deeply or needs too much memory.', {
    cause,
  });
}

/** The source of a document's bytes. */
interface Reader {
  size: number;
  /**
   * Fills `target` with the bytes at `position`.
   *
   * @returns whether there are enough bytes
   */
  read(target: Uint8Array, position: number): boolean;
  close(): void;
}

function fileReader(path: string): Reader {
  const file = openSync(path, 'r');
  return {
    size: fstatSync(file).size,
    read: (target, position) => readSync(file, target, 0, target.length, position) === target.length,
    close: () => closeSync(file),
  };
}

function bytesReader(bytes: Uint8Array): Reader {
  return {
    size: bytes.length,
    read(target, position) {
      if (position + target.length > bytes.length) return false;
      target.set(bytes.subarray(position, position + target.length));
      return true;
    },
    close: () => undefined,
  };
}

/** An FPDF_FILEACCESS: a length, a function that reads a block, and that function's parameter. */
function fileAccess(engine: WrappedPdfiumModule, reader: Reader): number {
  const { addFunction, setValue, wasmExports } = engine.pdfium;
  const read = addFunction((_parameter: number, position: number, to: number, length: number): number => {
    try {
      // Numbers arrive as signed ones.
      const start = to >>> 0;
      const target = engine.pdfium.HEAPU8.subarray(start, start + (length >>> 0));
      return reader.read(target, position >>> 0) ? 1 : 0;
    } catch {
      // The return value reports the error to PDFium, which treats the document as truncated.
      return 0;
    }
  }, 'iiiii');
  const access = wasmExports.malloc(12);
  setValue(access, reader.size, 'i32');
  setValue(access + 4, read, 'i32');
  setValue(access + 8, 0, 'i32');
  return access;
}
