import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PlatenError } from '@platen/core/errors';
import type { PdfInput } from '../files/engine.ts';
import { inspectPdf, pagesOfRange } from '../index.ts';
import { parsePageRange } from '../page-range.ts';
import { runTask, type CallOptions } from '../thread.ts';
import type { DrawTask } from './draw-task.ts';
import { PAGE_FORMATS, type PageFormat, pageFormat } from './image-formats.ts';
import { compilePdfium } from '../pdfium/binary.ts';
import { splitPages } from './split.ts';
import { OPERATIONS } from './tasks.ts';

export interface ImageRequest {
  /** Name of the requested format, as the caller wrote it. */
  format: string;
  /** Pixels per inch. Default 150. */
  dpi?: number | undefined;
  /** A range such as `1-3,5,8-`. Default: all pages. */
  pages?: string | undefined;
  /** Name of the document without its extension. */
  name: string;
  /** Scratch directory of the request. */
  scratch: string;
}

export interface ImageFile {
  path: string;
  name: string;
  contentType: string;
}

const DEFAULT_DPI = 150;

/**
 * Converts pages to images (I-34): one image for one page, otherwise a ZIP with one image per page, named by page
 * number. TIFF pages share one file. With `pdf`, each page becomes a document.
 *
 * @throws PlatenError `image_format_unsupported`, `invalid_option` for more pixels than permitted,
 * `page_range_invalid`, `page_range_outside_document`; those of the engine.
 */
export async function imagesOfPages(
  input: PdfInput,
  request: ImageRequest,
  options: CallOptions = {},
): Promise<ImageFile> {
  const format = wantedFormat(request);
  const { extension, type } = PAGE_FORMATS[format];
  const folder = join(request.scratch, 'images');
  await mkdir(folder, { recursive: true });
  const numbers =
    format === 'pdf'
      ? await pagesAsDocuments(input, request, folder, options)
      : await draw(input, { format, dpi: request.dpi, pages: request.pages, folder }, options);
  const [only] = numbers;
  if (format === 'tiff') {
    return { path: join(folder, 'pages'), name: `${request.name}.${extension}`, contentType: type };
  }
  if (numbers.length === 1) {
    return { path: join(folder, String(only)), name: `${request.name}.${extension}`, contentType: type };
  }
  const zip = { path: join(request.scratch, 'images.zip'), name: `${request.name}.zip` };
  const { ZipFile } = await import('@platen/core/archive');
  const archive = new ZipFile(zip.path);
  const width = String(numbers.at(-1)).length;
  for (const number of numbers) {
    options.signal?.throwIfAborted();
    const entry = `${request.name}-${String(number).padStart(width, '0')}.${extension}`;
    // BMP, Photoshop and SVG files are not compressed internally.
    await archive.addFile(entry, join(folder, String(number)), !['bmp', 'psd', 'svg'].includes(format));
  }
  await archive.finish();
  return { ...zip, contentType: 'application/zip' };
}

/**
 * Returns the output format of the pages, after validating the request.
 * @throws PlatenError `image_format_unsupported`, `page_range_invalid`, `page_range_outside_document` for page 0
 */
export function wantedFormat({ format, pages }: Pick<ImageRequest, 'format' | 'pages'>): PageFormat {
  const known = pageFormat(format);
  if (known === undefined) {
    const allowed = Object.keys(PAGE_FORMATS);
    throw new PlatenError(
      'image_format_unsupported',
      `Pages cannot become \`${format.slice(0, 40)}\`, but ${allowed.join(', ')}.`,
      { faults: [{ field: 'format', message: 'the format cannot be written', allowed }] },
    );
  }
  if (pages !== undefined) parsePageRange(pages, 'pages');
  return known;
}

type Drawing = Pick<DrawTask, 'format' | 'folder'> & Pick<ImageRequest, 'dpi' | 'pages'>;

async function draw(
  input: PdfInput,
  { format, dpi = DEFAULT_DPI, pages, folder }: Drawing,
  options: CallOptions,
): Promise<number[]> {
  const task: DrawTask = { pdfium: await compilePdfium(), input, format, dpi, range: pages, folder };
  return (await runTask(OPERATIONS, 'drawPages', task, options)) as number[];
}

async function pagesAsDocuments(
  input: PdfInput,
  request: ImageRequest,
  folder: string,
  options: CallOptions,
): Promise<number[]> {
  const { pages: total } = await inspectPdf(input.path, { ...options, password: input.password });
  const numbers = pagesOfRange(request.pages ?? '1-', total, 'pages');
  await splitPages(input, numbers, folder, options);
  return numbers;
}
