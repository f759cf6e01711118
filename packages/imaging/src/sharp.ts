import { createRequire } from 'node:module';
import type sharpFunction from 'sharp';
import type { Sharp, SharpOptions } from 'sharp';
import { PlatenError } from '@platen/core/errors';
import { invalidImage, MAX_PIXELS } from './limits.ts';

/** The one door to sharp (libvips): loaded on first use, bounded, its errors named. */

type SharpModule = typeof sharpFunction;

let loaded: SharpModule | null = null;

/** @throws PlatenError `engine_missing` where the layer with its native code is not there */
function load(): SharpModule {
  if (loaded !== null) return loaded;
  try {
    // Not an import: native code cannot be bundled, and only `require` finds what lies in a layer (NODE_PATH).
    loaded = createRequire(import.meta.url)('sharp') as SharpModule;
  } catch (cause) {
    throw new PlatenError(
      'engine_missing',
      'The image engine (sharp) is not part of this deployment: add the layer built by layers/native/build.ts.',
      { cause },
    );
  }
  // A request's images are never seen again; a cache would only hold memory.
  loaded.cache(false);
  return loaded;
}

/** How pixels lie that no file format stands around. */
export interface RawPixels {
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
}

export interface Work {
  /** Milliseconds since the epoch. */
  deadline: number;
  signal?: AbortSignal | undefined;
}

/** A pipeline on a file, or on raw pixels. Whatever is cut off or damaged is an error, not gray rows. */
export function pipeline(input: Uint8Array, options: SharpOptions, { deadline }: Work): Sharp {
  const seconds = Math.ceil((deadline - Date.now()) / 1000);
  return load()(input, { failOn: 'warning', limitInputPixels: MAX_PIXELS, ...options }).timeout({
    seconds: Math.min(Math.max(seconds, 1), 3600),
  });
}

/** A pipeline on 8-bit samples. */
export function pixelPipeline(samples: Uint8Array, raw: RawPixels, work: Work): Sharp {
  return pipeline(samples, { raw }, work);
}

/**
 * Runs a pipeline and names what goes wrong.
 *
 * @param what begins the sentence: "The TIFF"
 * @throws PlatenError `image_invalid`, `image_too_large`, `deadline_exceeded`
 */
export async function run<T>(what: string, { signal }: Work, work: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await work();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (/too large/i.test(text) || (/exceeds? /i.test(text) && /limit/i.test(text))) {
      throw new PlatenError('image_too_large', `${what} is larger than ${MAX_PIXELS / 1e6} million pixels.`, {
        cause: error,
      });
    }
    if (/timeout/i.test(text)) {
      throw new PlatenError('deadline_exceeded', `${what} took too long to decode.`, { cause: error });
    }
    if (/out of memory|cannot allocate/i.test(text)) {
      throw new PlatenError('image_too_large', `${what} needs more memory than is available.`, {
        cause: error,
      });
    }
    return invalidImage(`${what} is damaged or cut off: it cannot be decoded.`, error);
  }
}
