import { createRequire } from 'node:module';
import type sharpFunction from 'sharp';
import type { Sharp, SharpOptions } from 'sharp';
import { PlatenError } from '@platen/core/errors';
import { invalidImage, MAX_PIXELS, refuseUnsupported } from './limits.ts';

/** The only access to sharp (libvips): loads it on first use, bounds its work and translates its errors. */

type SharpModule = typeof sharpFunction;

let loaded: SharpModule | null = null;

/** @throws PlatenError `engine_missing` when the layer with its native code is missing */
function load(): SharpModule {
  if (loaded !== null) return loaded;
  try {
    // This is not an import: native code cannot be bundled, and only `require` finds modules in a layer
    // (NODE_PATH).
    loaded = createRequire(import.meta.url)('sharp') as SharpModule;
  } catch (cause) {
    throw new PlatenError(
      'engine_missing',
      'The image engine (sharp) is not part of this deployment: add the layer built by layers/native/build.ts.',
      { cause },
    );
  }
  // Images of a request never return; a cache would only occupy memory.
  loaded.cache(false);
  return loaded;
}

/** The layout of pixels without a file format. */
export interface RawPixels {
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
}

export interface Work {
  /** Milliseconds since the epoch. */
  deadline: number;
  signal?: AbortSignal | undefined;
  /** Called with a sentence about what is not as in the file. */
  warn?: ((text: string) => void) | undefined;
}

/**
 * Returns a pipeline on a file, or on raw pixels. Truncated or damaged input is an error, instead of gray
 * rows.
 */
export function pipeline(input: Uint8Array, options: SharpOptions, { deadline }: Work): Sharp {
  const seconds = Math.ceil((deadline - Date.now()) / 1000);
  return load()(input, { failOn: 'warning', limitInputPixels: MAX_PIXELS, ...options }).timeout({
    seconds: Math.min(Math.max(seconds, 1), 3600),
  });
}

/** Returns a pipeline on 8-bit samples. */
export function pixelPipeline(samples: Uint8Array, raw: RawPixels, work: Work): Sharp {
  return pipeline(samples, { raw }, work);
}

/**
 * Runs a pipeline and translates its errors.
 *
 * @param what the subject of error messages: "The TIFF"
 * @throws PlatenError `image_invalid`, `image_format_unsupported`, `image_too_large`, `deadline_exceeded`
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
    refuseUnsupported(text, what, error);
    return invalidImage(`${what} is damaged or cut off: it cannot be decoded.`, error);
  }
}
