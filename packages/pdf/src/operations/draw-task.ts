import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatenError } from '@platen/core/errors';
import type { Engine, PdfInput } from '../files/engine.ts';
import { pagesOfRange } from '../page-range.ts';
import { LayerState } from '../content/layer-state.ts';
import type { PdfFile } from '../model/index.ts';
import { openReadable } from '../files/open.ts';
import { encode, MAX_ICON } from './encode.ts';
import type { PageFormat } from './image-formats.ts';
import { type Bitmap, PdfiumDocument } from '../pdfium/document.ts';
import { TiffFile } from './tiff-file.ts';

export interface DrawTask {
  /** Compiled PDFium. */
  pdfium: WebAssembly.Module;
  input: PdfInput;
  format: Exclude<PageFormat, 'pdf'>;
  dpi: number;
  /** A range such as `1-3,5,8-`; undefined for all pages. */
  range: string | undefined;
  /** Directory of the images, which are named by page number, or `pages` for a TIFF of several pages. */
  folder: string;
}

/** Maximum pixels of one page: 200 MB in the engine, and as much again while it is encoded. */
const MAX_PIXELS = 50e6;

/** Runs in its thread: draws pages. @returns the numbers of the pages drawn. */
export async function drawPages(engine: Engine, task: DrawTask): Promise<number[]> {
  const document = await PdfiumDocument.open(task.pdfium, await engine.opened(task.input));
  const hidden = new HiddenAnnotations(engine, task.input);
  try {
    const total = document.pages;
    if (total === 0) throw new PlatenError('pdf_damaged', 'The PDF has no pages.');
    const numbers =
      task.range === undefined
        ? Array.from({ length: total }, (_, index) => index + 1)
        : pagesOfRange(task.range, total, 'pages');
    if (task.format === 'tiff') await drawTiff(document, hidden, numbers, task);
    else {
      for (const number of numbers) {
        const { bitmap, dpi } = await draw(document, hidden, number, task);
        await writeFile(join(task.folder, String(number)), await encode(bitmap, task.format, dpi));
      }
    }
    return numbers;
  } finally {
    document.close();
  }
}

/** The annotations on layers that are off, which PDFium draws. The document is read when the first one is found. */
class HiddenAnnotations {
  readonly #engine: Engine;
  readonly #input: PdfInput;
  #opened: { file: PdfFile; layers: LayerState } | undefined;

  constructor(engine: Engine, input: PdfInput) {
    this.#engine = engine;
    this.#input = input;
  }

  /**
   * The indexes of those of a page.
   *
   * @throws PlatenError as `openReadable`
   */
  async of(number: number): Promise<number[]> {
    if (this.#opened === undefined) {
      const file = await openReadable(this.#input, this.#engine);
      this.#opened = { file, layers: new LayerState(file) };
    }
    const { file, layers } = this.#opened;
    const annotations = file.array(file.pageDict(number - 1)['/Annots']);
    return annotations.flatMap((entry, index) => (layers.isShown(file.dict(entry)['/OC']) ? [] : [index]));
  }
}

async function drawTiff(
  document: PdfiumDocument,
  hidden: HiddenAnnotations,
  numbers: readonly number[],
  task: DrawTask,
): Promise<void> {
  const file = new TiffFile(join(task.folder, 'pages'));
  try {
    for (const number of numbers) {
      const { bitmap, dpi } = await draw(document, hidden, number, task);
      await file.add(bitmap, dpi);
    }
  } finally {
    file.close();
  }
}

async function draw(
  document: PdfiumDocument,
  hidden: HiddenAnnotations,
  number: number,
  task: DrawTask,
): Promise<{ bitmap: Bitmap; dpi: number }> {
  const size = document.size(number);
  if (size === undefined) throw damagedPage(number);
  const longest = Math.max(size.width, size.height);
  // Pixels beyond the maximum size of an icon need not be drawn.
  const dpi = task.format === 'ico' ? Math.min(task.dpi, (MAX_ICON * 72) / longest) : task.dpi;
  const [width, height] = [pixelsOf(size.width, dpi), pixelsOf(size.height, dpi)];
  if (width * height > MAX_PIXELS) throw tooManyPixels(number, size, dpi);
  const unseen = document.hasLayeredAnnotations(number) ? await hidden.of(number) : [];
  const bitmap = document.draw(number, { width, height }, 'page', unseen);
  if (bitmap === undefined) throw damagedPage(number);
  return { bitmap, dpi };
}

/** Partial pixels are rounded up, as in other programs, except for floating-point errors. */
function pixelsOf(points: number, dpi: number): number {
  return Math.max(1, Math.ceil((points / 72) * dpi - 0.001));
}

function damagedPage(number: number): PlatenError {
  return new PlatenError('pdf_damaged', `Page ${number} is damaged and cannot be drawn.`);
}

function tooManyPixels(number: number, size: { width: number; height: number }, dpi: number): PlatenError {
  const allowed = Math.floor(Math.sqrt((MAX_PIXELS * 72 * 72) / (size.width * size.height)));
  const message = `page ${number} would have more than ${MAX_PIXELS / 1e6} million pixels; at most ${allowed} dpi are possible`;
  return new PlatenError('invalid_option', `\`dpi\`: ${message}.`, {
    faults: [{ field: 'dpi', message, value: dpi, allowed: `up to ${allowed}` }],
  });
}
