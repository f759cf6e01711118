import { isPlatenError, PlatenError } from '@platen/core/errors';
import { rebuildPdf } from '@platen/pdf/rebuild';
import { PdfiumDocument } from '@platen/pdf/pdfium';
import { checkSize, invalidImage } from './limits.ts';

/** Renders the pages of a PDF as pixels, in a worker thread. */

export interface PixelsTask {
  /** The compiled engine. */
  binary: WebAssembly.Module;
  pdf: Uint8Array;
  /** Pixels per inch; reduced when a page would have more than `maxPixels`. */
  resolution: number;
  maxPixels: number;
  /** 1-based numbers of pages; null for all. */
  pages: readonly number[] | null;
}

export interface PagePixels {
  width: number;
  height: number;
  resolution: number;
  /** Red, green, blue and alpha on a transparent background. */
  pixels: Uint8Array;
}

/** @throws PlatenError `image_invalid`, `image_too_large` */
export async function pagePixels(task: PixelsTask): Promise<PagePixels[]> {
  const document = await open(task);
  try {
    const numbers = task.pages ?? Array.from({ length: document.pages }, (_, index) => index + 1);
    return numbers.map((number) => drawn(document, number, task));
  } finally {
    document.close();
  }
}

async function open({ binary, pdf }: PixelsTask): Promise<PdfiumDocument> {
  try {
    return await PdfiumDocument.open(binary, { bytes: pdf });
  } catch (error) {
    if (!isPlatenError(error)) throw error;
    const rebuilt =
      error.code === 'pdf_damaged'
        ? rebuildPdf(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength))
        : undefined;
    if (rebuilt !== undefined) return await openRebuilt(binary, rebuilt);
    return invalidImage('The drawing inside of the image is damaged or protected by a password.', error);
  }
}

async function openRebuilt(binary: WebAssembly.Module, bytes: Uint8Array): Promise<PdfiumDocument> {
  try {
    return await PdfiumDocument.open(binary, { bytes });
  } catch (error) {
    return invalidImage('The drawing inside of the image is damaged.', error);
  }
}

function drawn(document: PdfiumDocument, number: number, { resolution, maxPixels }: PixelsTask): PagePixels {
  const size = document.size(number);
  if (size === undefined) return damaged(number);
  const used = Math.min(resolution, Math.sqrt((maxPixels * 72 * 72) / (size.width * size.height)));
  const [width, height] = [pixelsOf(size.width, used), pixelsOf(size.height, used)];
  checkSize(width, height, 'The drawing');
  try {
    const bitmap = document.draw(number, { width, height }, 'content');
    return bitmap === undefined ? damaged(number) : { ...bitmap, resolution: used };
  } catch (error) {
    if (!isPlatenError(error)) throw error;
    throw new PlatenError('image_too_large', 'The drawing needs too much memory.', { cause: error });
  }
}

function damaged(number: number): never {
  return invalidImage(`Page ${number} of the drawing is damaged.`);
}

function pixelsOf(points: number, resolution: number): number {
  return Math.max(1, Math.round((points / 72) * resolution));
}
