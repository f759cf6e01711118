import type { Engine, PdfInput } from '../files/engine.ts';
import { keepSmaller } from '../files/keep-smaller.ts';
import { claimsOfDocument } from '../look/claims.ts';
import { MAX_IN_MEMORY, openReadable } from '../files/open.ts';
import { held, onDisk } from '../model/index.ts';
import type { Ref } from '../model/values.ts';
import { removeDuplicates } from './duplicates.ts';
import { compressImages, type ImageSettings } from './images.ts';
import { type Keep, recompressStreams } from './recompress.ts';
import { shownSizes } from './shown-size.ts';

export const QUALITIES = ['lossless', 'high', 'medium', 'low'] as const;
export type Quality = (typeof QUALITIES)[number];

export interface CompressOptions {
  /** Default `lossless`: every page looks exactly as before. */
  quality?: Quality | undefined;
  /** Images that are shown at more pixels per inch are reduced. The default depends on the quality. */
  maxDpi?: number | undefined;
  /** Default true. */
  removeDuplicates?: boolean | undefined;
  /** Default true. */
  objectStreams?: boolean | undefined;
  /** Arranges the file so that the first page can be shown while the rest is loading. Default false. */
  linearize?: boolean | undefined;
}

const SETTINGS: Record<Quality, ImageSettings> = {
  lossless: { jpeg: undefined, dpi: undefined },
  high: { jpeg: 85, dpi: 300 },
  medium: { jpeg: 75, dpi: 200 },
  low: { jpeg: 55, dpi: 120 },
};

interface CompressTask {
  input: PdfInput;
  output: string;
  /** `linearize` is carried out when the result of the chain is written. */
  options: CompressOptions;
}

/** New streams of large documents are on disk, except for those of fewer bytes. */
const LARGE = 1 << 16;

/** Compresses a PDF without protection (I-30). If nothing is gained, the output is the input. */
export async function compress(engine: Engine, { input, output, options }: CompressTask): Promise<void> {
  const file = await openReadable(input, engine);
  const isSmall = file.length <= MAX_IN_MEMORY;
  const keep: Keep = (data) =>
    isSmall || data.length < LARGE ? held(data) : onDisk(engine.temporary('stream'), data);
  await recompressStreams(file, keep);
  // Other objects are not written.
  const refs = file.reachable().objects.map(({ id, generation }): Ref => `${id} ${generation} R`);
  const gone = options.removeDuplicates === false ? new Set<Ref>() : removeDuplicates(file, refs);
  const { quality = 'lossless', maxDpi } = options;
  const settings = { ...SETTINGS[quality], dpi: maxDpi ?? SETTINGS[quality].dpi };
  const sizes = settings.dpi === undefined ? new Map() : await shownSizes(file);
  await compressImages({ file, refs, keep, settings, sizes, gone });
  const pack = options.objectStreams !== false && !forbidsObjectStreams(claimsOfDocument(file));
  await file.saveTo(output, { pack, level: 9, renumber: true });
  await keepSmaller(input.path, output);
}

/** PDF/A-1 is based on PDF 1.4, which has no object streams (ISO 19005-1, 6.1.4). */
function forbidsObjectStreams(claims: readonly string[]): boolean {
  return claims.some((claim) => claim.startsWith('pdf/a-1'));
}
