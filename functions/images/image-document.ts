import type { RenderOptions } from '@platen/contract/options';
import type { ImageEngines } from '@platen/imaging/engine-calls';
import { naturalSize } from '@platen/imaging/picture';
import { type ImageInput, readPictures } from '@platen/imaging/read';
import type { Work } from '@platen/imaging/sharp';
import { runThread, withCore } from '@platen/core/thread';
import { workerUrl } from '@platen/core/worker';
import type { Rgb } from './content.ts';
import { place } from './placement.ts';
import { rasterDocument } from './raster-document.ts';
import type { VectorTask } from './vector-document.ts';

export const WHITE: Rgb = [255, 255, 255];
const ENTRY = workerUrl(import.meta.url, 'vector.worker');
/** Bytes of memory for parsing a drawing's file; many times what real ones need. */
const VECTOR_MEMORY = 768 * 2 ** 20;

/**
 * Turns an image into a PDF: a page for each of its pictures.
 *
 * @throws PlatenError as `readPictures`; `invalid_option` when it is placed outside the page
 */
export async function imageDocument(
  image: ImageInput,
  options: RenderOptions,
  engines: ImageEngines,
  work: Work,
): Promise<Uint8Array> {
  const background = backgroundOf(options);
  const pictures = await readPictures(
    image,
    {
      mode: options.image_mode ?? null,
      transparency: options.transparency_enabled ?? true,
      background: options.background_color ?? WHITE,
      isSmall: options.compress ?? false,
      pages: options.page_range ?? null,
    },
    engines,
    work,
  );
  const [first] = pictures;
  if (first?.kind === 'vector') return await drawingDocument({ picture: first, options, background }, work);
  const pages = pictures.flatMap((picture) =>
    picture.kind === 'raster'
      ? [{ picture, placement: place(naturalSize(picture), options), background }]
      : [],
  );
  return await rasterDocument(pages);
}

/**
 * Returns the colour painted under a picture or a barcode: the background colour if one is given and
 * backgrounds are printed, or if transparency is switched off; else null.
 */
export function backgroundOf(options: RenderOptions): Rgb | null {
  const { background_color, transparency_enabled = true, print_background = true } = options;
  if (!transparency_enabled) return background_color ?? WHITE;
  return print_background ? (background_color ?? null) : null;
}

async function drawingDocument(input: VectorTask, work: Work): Promise<Uint8Array> {
  return await withCore(work.signal, async () => {
    const answer = await runThread({
      entry: ENTRY,
      task: 'write',
      input,
      limits: { timeout: Math.max(1, work.deadline - Date.now()), memory: VECTOR_MEMORY },
      signal: work.signal,
      subject: 'The image',
      tooLarge: 'image_too_large',
    });
    return answer as Uint8Array;
  });
}
