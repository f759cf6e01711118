import { isPlatenError } from '@platen/core/errors';
import { onPage } from '@platen/core/thread-side';
import { type ContentStep, readContent } from '../compress/content.ts';
import { type Contents, eachShown, sizeOf } from '../compress/shown-size.ts';
import type { PdfFile } from '../model/index.ts';
import type { Matrix } from '../steps/geometry.ts';
import { isRef } from '../values.ts';
import type { PdfValue, Ref } from '../values.ts';

/** An image on a page. */
export interface ImageInfo {
  page: number;
  /** Pixels. */
  width: number;
  height: number;
  /** The displayed resolution; the lower one of both directions. */
  dpi: number;
}

/** Maximum number of reported images; a document that shows more consists of tiles. */
const MAX_IMAGES = 100_000;

/** Maximum number of content streams: nested forms can repeat the same few in millions of ways. */
const MAX_CONTENTS = 200_000;

/** Maximum bytes of decoded content of one page. */
const MAX_CONTENT = 64 << 20;

/** Returns the images that pages show, in order, without inline images. */
export async function readImages(objects: PdfFile): Promise<ImageInfo[]> {
  const images: ImageInfo[] = [];
  const pixels = new Map<Ref, { width: number; height: number }>();
  const reader = new Reader(objects);
  for (const [index, page] of objects.pageDicts().entries()) {
    const note = (ref: Ref, matrix: Matrix): void => {
      if (images.length >= MAX_IMAGES) return;
      const size = pixels.get(ref) ?? pixelsOf(objects, ref);
      pixels.set(ref, size);
      const shown = sizeOf(matrix);
      const dpi = Math.min(size.width / (shown.width / 72), size.height / (shown.height / 72));
      images.push({ page: index + 1, ...size, dpi: Number.isFinite(dpi) ? Math.round(dpi * 10) / 10 : 0 });
    };
    const streams = streamsOf(objects, page['/Contents']);
    await onPage(index + 1, () => eachShown(reader, streams, objects.dict(page['/Resources']), note));
  }
  return images;
}

function pixelsOf(objects: PdfFile, ref: Ref): { width: number; height: number } {
  const dict = objects.dict(ref);
  const [width, height] = [objects.resolve(dict['/Width']), objects.resolve(dict['/Height'])];
  return {
    width: typeof width === 'number' ? width : 0,
    height: typeof height === 'number' ? height : 0,
  };
}

function streamsOf(objects: PdfFile, value: PdfValue | undefined): Ref[] {
  if (isRef(value) && objects.get(value)?.stream !== undefined) return [value];
  return objects.array(value).filter(isRef);
}

/** The steps of content streams; those of forms, which pages share, are cached. */
class Reader implements Contents {
  readonly objects: PdfFile;
  readonly #known = new Map<Ref, readonly ContentStep[]>();
  #read = 0;

  constructor(objects: PdfFile) {
    this.objects = objects;
  }

  stepsOf(refs: readonly Ref[]): Promise<readonly ContentStep[]> {
    if (++this.#read > MAX_CONTENTS) return Promise.resolve([]);
    const [only] = refs;
    const known = refs.length === 1 && only !== undefined ? this.#known.get(only) : undefined;
    if (known !== undefined) return Promise.resolve(known);
    const parts = refs.flatMap((ref) => [this.#data(ref), Buffer.from('\n')]);
    const steps = [...readContent(Buffer.concat(parts))];
    if (refs.length === 1 && only !== undefined && this.objects.dict(only)['/Subtype'] === '/Form') {
      this.#known.set(only, steps);
    }
    return Promise.resolve(steps);
  }

  /** Data that cannot be decoded shows nothing. */
  #data(ref: Ref): Uint8Array {
    try {
      const stream = this.objects.streamData(ref, MAX_CONTENT);
      return stream === undefined || stream.filters.length > 0 ? new Uint8Array() : stream.data;
    } catch (error) {
      if (isPlatenError(error) && error.code.startsWith('pdf_')) return new Uint8Array();
      throw error;
    }
  }
}
