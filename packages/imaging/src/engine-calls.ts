import { existsSync } from 'node:fs';
import { PlatenError } from '@platen/core/errors';
import { utf16Order } from '@platen/core/text';
import { compilePdfium } from '@platen/pdf/pdfium';
import { runThread } from '@platen/core/thread';
import { workerUrl } from '@platen/core/worker';
import { engineBinary, SVG_MEMORY } from './engines.ts';
import { invalidImage } from './limits.ts';
import type { MagickImageFormat, MagickTask } from './magick.ts';
import type { PagePixels, PixelsTask } from './page-pixels.ts';
import type { VectorPicture } from './picture.ts';
import type { Work } from './sharp.ts';
import type { SvgDrawing, SvgTask } from './svg.ts';
import type { ShortSamples, ShortSamplesTask } from './tiff-samples.ts';
import type { ZstdTask } from './tiff-zstd.ts';

/** Calls of the engines in worker threads, and of the engine that is a separate program. */

/** The engines' requirements of the machine. */
export interface ImageEngines {
  /** Folder with the font files of the fonts layer; null without such a layer. */
  fontFolder: string | null;
  converter: PostScriptEngine;
  /** Font files for the text of drawings, which take precedence over those of the folder. */
  ownFonts?: readonly OwnFont[];
  /** Draws what the engine of SVG cannot; undefined without a browser. */
  browser?: SvgBrowser | undefined;
}

/** Draws an SVG with all that browsers know. */
export interface SvgBrowser {
  /**
   * @param drawn a PDF of the same size by the engine
   * @returns a PDF whose page is the picture
   * @throws PlatenError as the browser
   */
  draw(svg: string, drawn: Uint8Array): Promise<Uint8Array>;
}

/** A TrueType or OpenType file, or a collection of them. */
export interface OwnFont {
  families: readonly string[];
  bytes: Uint8Array;
}

/** Draws PostScript with a separate program, which may run anywhere. */
export interface PostScriptEngine {
  /**
   * @param what the subject of error messages: "The EPS"
   * @param limits `timeout` in milliseconds
   * @returns a PDF whose first page is the picture; others may follow
   * @throws PlatenError `image_invalid`, `image_too_large`, `engine_missing`, `engine_unavailable`,
   *   `deadline_exceeded`; the signal's reason when it is aborted
   */
  draw(
    postScript: Uint8Array,
    what: string,
    limits: { timeout: number; signal?: AbortSignal | undefined },
  ): Promise<Uint8Array>;
}

/** Memory limit of one engine in bytes: a photograph of 100 million pixels fits. */
const MEMORY = 1280 * 2 ** 20;

/** Most parts of a drawing that one warning names. */
const MAX_NOTES = 10;

/** Milliseconds for drawing one page. */
const PAGE_TIMEOUT = 30_000;

const ENTRY = workerUrl(import.meta.url, 'images.worker');

async function call(task: string, input: unknown, memory: number, work: Work): Promise<unknown> {
  return await runThread({
    entry: ENTRY,
    task,
    input,
    limits: { timeout: Math.max(1, work.deadline - Date.now()), page: PAGE_TIMEOUT, memory },
    signal: work.signal,
    subject: 'The image',
    tooLarge: 'image_too_large',
  });
}

/** @returns a PDF whose first page is the picture */
export async function drawnPostScript(
  bytes: Uint8Array,
  what: string,
  { converter }: ImageEngines,
  { deadline, signal }: Work,
): Promise<Uint8Array> {
  return await converter.draw(bytes, what, { timeout: Math.max(1, deadline - Date.now()), signal });
}

/** @param page 0-based @returns a TIFF */
export async function decodedByMagick(
  bytes: Uint8Array,
  format: MagickImageFormat,
  work: Work,
  page = 0,
): Promise<Uint8Array> {
  const task: MagickTask = { binary: await engineBinary('magick'), bytes, format, page, memory: MEMORY };
  return (await call('decode', task, MEMORY, work)) as Uint8Array;
}

/** @returns a TIFF of unsigned samples of 16 bits; a guessed range of values is told by `work.warn` */
export async function shortSamples(task: ShortSamplesTask, work: Work): Promise<Uint8Array> {
  const { tiff, guessed } = (await call('shortSamples', task, MEMORY, work)) as ShortSamples;
  if (guessed !== null) {
    const [black, white] = guessed;
    const page = `page ${task.page + 1}`;
    work.warn?.(
      `${task.what} does not state the range of its floating-point values: on ${page} ${black} is black and ${white} white.`,
    );
  }
  return tiff;
}

/** @returns a TIFF without data that is compressed with Zstandard */
export async function withoutZstd(task: ZstdTask, work: Work): Promise<Buffer> {
  return Buffer.from((await call('withoutZstd', task, MEMORY, work)) as Uint8Array);
}

/** @returns a PDF of one page; what is not drawn is told by `work.warn` */
export async function svgDrawing(
  bytes: Buffer,
  { fontFolder, ownFonts = [], browser }: ImageEngines,
  work: Work,
): Promise<Uint8Array> {
  const svg = decodeXml(bytes);
  const task: SvgTask = {
    binary: await engineBinary('typst'),
    svg,
    fontFolder: hasText(svg) ? existing(fontFolder) : null,
    ownFonts,
  };
  const { pdf, missing, lacking } = (await call('svg', task, SVG_MEMORY, work)) as SvgDrawing;
  const isForBrowser = lacking.length > 0 && browser !== undefined;
  const notes = isForBrowser ? missing : [...missing, ...lacking];
  if (notes.length > 0) {
    const shown = notes.slice(0, MAX_NOTES).join('; ');
    work.warn?.(`The SVG has parts that are not drawn as written: ${shown}.`);
  }
  return isForBrowser ? await browser.draw(svg, pdf) : pdf;
}

function hasText(svg: string): boolean {
  return /<([\w.-]+:)?text[\s>]/.test(svg);
}

function existing(folder: string | null): string {
  if (folder !== null && existsSync(folder)) return folder;
  throw new PlatenError(
    'engine_missing',
    'The SVG contains text, and the fonts are not part of this deployment: add the layer built by layers/fonts/build.ts.',
  );
}

/**
 * Decodes XML by XML 1.0, appendix F: a byte order mark, or UTF-16 without one, decides; otherwise it is
 * UTF-8, unless the declaration names another encoding.
 */
function decodeXml(bytes: Buffer): string {
  const declared = /^<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    bytes.toString('latin1', 0, 300),
  );
  const encoding = utf16Order(bytes) ?? declared?.[1] ?? 'utf-8';
  try {
    // The declaration is removed, because it names an encoding that the text no longer has.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes).replace(/^<\?xml[^>]*\?>/, '');
  } catch (error) {
    return invalidImage(`The SVG cannot be read: its text is not valid ${encoding}.`, error);
  }
}

/** Returns a drawing as pixels on a transparent background. */
export async function drawingPixels(
  { pdf, onlyFirst }: VectorPicture,
  resolution: number,
  maxPixels: number,
  work: Work,
): Promise<PagePixels[]> {
  const task: PixelsTask = {
    binary: await compilePdfium(),
    pdf,
    resolution,
    maxPixels,
    pages: onlyFirst ? [1] : null,
  };
  return (await call('pixels', task, MEMORY, work)) as PagePixels[];
}
