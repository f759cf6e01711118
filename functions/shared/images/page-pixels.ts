import { init } from '@embedpdf/pdfium';
import { PlatenError } from '../errors.ts';
import { checkSize, invalidImage } from './limits.ts';

/** The pages of a PDF as pixels, with PDFium (compiled to WebAssembly) inside a worker thread. */

export interface PixelsTask {
  /** The compiled engine. */
  binary: WebAssembly.Module;
  pdf: Uint8Array;
  /** Pixels per inch, or fewer where a page would have more than `maxPixels`. */
  resolution: number;
  maxPixels: number;
  /** 1-based numbers of pages; null for all. */
  pages: readonly number[] | null;
}

export interface PagePixels {
  width: number;
  height: number;
  resolution: number;
  /** Red, green, blue and alpha: the paper is transparent. */
  pixels: Uint8Array;
}

/** PDFium's constants for a bitmap of four bytes a pixel, and for colours in the order red, green, blue. */
const BGRA = 4;
const REVERSED_BYTES = 0x10;

/** @throws PlatenError `image_invalid`, `image_too_large` */
export async function pagePixels({
  binary,
  pdf,
  resolution,
  maxPixels,
  pages,
}: PixelsTask): Promise<PagePixels[]> {
  const engine = await init({
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(binary, imports);
      done(instance);
      return instance.exports;
    },
  });
  engine.PDFiumExt_Init();
  const { wasmExports } = engine.pdfium;
  const file = wasmExports.malloc(pdf.length);
  engine.pdfium.HEAPU8.set(pdf, file);
  const document = engine.FPDF_LoadMemDocument(file, pdf.length, '');
  if (document === 0) invalidImage('The drawing inside of the image is damaged or protected by a password.');
  const count = engine.FPDF_GetPageCount(document);
  const numbers = pages ?? Array.from({ length: count }, (_, index) => index + 1);
  return numbers.map((number) => {
    const page = engine.FPDF_LoadPage(document, number - 1);
    if (page === 0) invalidImage(`Page ${number} of the drawing is damaged.`);
    const inches = [engine.FPDF_GetPageWidthF(page) / 72, engine.FPDF_GetPageHeightF(page) / 72] as const;
    const used = Math.min(resolution, Math.sqrt(maxPixels / (inches[0] * inches[1])));
    const [width, height] = [pixelsOf(inches[0], used), pixelsOf(inches[1], used)];
    checkSize(width, height, 'The drawing');
    const bitmap = engine.FPDFBitmap_CreateEx(width, height, BGRA, 0, 0);
    if (bitmap === 0) throw new PlatenError('image_too_large', 'The drawing needs too much memory.');
    engine.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0);
    engine.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, REVERSED_BYTES);
    const start = engine.FPDFBitmap_GetBuffer(bitmap);
    const stride = engine.FPDFBitmap_GetStride(bitmap);
    if (stride !== width * 4) throw new Error('the engine padded its rows');
    const pixels = Uint8Array.from(engine.pdfium.HEAPU8.subarray(start, start + stride * height));
    engine.FPDFBitmap_Destroy(bitmap);
    engine.FPDF_ClosePage(page);
    return { width, height, resolution: used, pixels };
  });
}

function pixelsOf(inches: number, resolution: number): number {
  return Math.max(1, Math.round(inches * resolution));
}
