import type { Sharp } from 'sharp';
import type { ColourTarget } from './modes.ts';
import { fittingProfile } from './icc.ts';
import { jpegFacts, jpegPicture } from './jpeg.ts';
import { checkSize, MAX_BILEVEL_PIXELS, MAX_PIXELS } from './limits.ts';
import {
  type ColourSpace,
  OPAQUE,
  type Orientation,
  type RasterPicture,
  type Resolution,
  type Samples,
} from './picture.ts';
import { pngFacts, pngSamples, samplesIn } from './png.ts';
import {
  bilevelSamples,
  ditheredSamples,
  encodePixels,
  labBytes,
  PNG_CODING,
  reduceLevels,
  SMALL_PNG_CODING,
} from './samples.ts';
import { pipeline, type RawPixels, run, type Work } from './sharp.ts';

/** Decodes images that sharp reads, and converts them to the requested colours. */

/** An image to decode: one page of a file, or raw pixels. */
export interface RasterSource {
  /** The subject of error messages: "The TIFF". */
  what: string;
  bytes: Uint8Array;
  /** 0-based page of the file; null for raw pixels. */
  layout: { page: number } | { raw: RawPixels };
  orientation: Orientation;
  resolution: Resolution | null;
  /** Stored bits per sample, when the decoder does not report them: it returns 1 bit as 8. */
  bitsPerSample: number | null;
  /** The image in a form that a PDF can contain without decoding; null when there is none. */
  untouched: RasterPicture | null;
  /** The same page in a form that sharp reads, for those that it does not read rightly. */
  decoded?: () => Promise<RasterSource>;
}

export interface Conversion {
  target: ColourTarget;
  /** Red, green and blue of the background when transparency is removed. */
  background: readonly [number, number, number];
  /** Compress as far as possible instead of quickly. */
  isSmall: boolean;
}

/** The decoder's facts about the image. */
interface Stored {
  width: number;
  height: number;
  space: 'gray' | 'rgb' | 'cmyk';
  bits: 1 | 8 | 16;
  channels: number;
  hasAlpha: boolean;
  icc: Buffer | null;
}

/**
 * @throws PlatenError `image_invalid`, `image_too_large`, `deadline_exceeded`
 */
export async function convertRaster(
  given: RasterSource,
  conversion: Conversion,
  work: Work,
): Promise<RasterPicture> {
  const source = (await given.decoded?.()) ?? given;
  const stored = await run(source.what, work, async () => await readStored(source, work));
  const converter = new Converter(source, stored, conversion, work);
  if (!converter.isPacked) checkSize(stored.width, stored.height, source.what);
  return await run(source.what, work, async () => await converter.picture());
}

async function readStored(source: RasterSource, work: Work): Promise<Stored> {
  if ('raw' in source.layout) {
    const { channels, width, height } = source.layout.raw;
    return {
      width,
      height,
      space: channels < 3 ? 'gray' : 'rgb',
      bits: 8,
      channels,
      hasAlpha: channels % 2 === 0,
      icc: null,
    };
  }
  const facts = await open(source, work, false).metadata();
  const space = facts.space === 'cmyk' ? 'cmyk' : ['b-w', 'grey16'].includes(facts.space) ? 'gray' : 'rgb';
  const isDeep = facts.depth !== 'uchar' && facts.depth !== 'char';
  return {
    width: facts.width,
    height: facts.height,
    space,
    bits: source.bitsPerSample === 1 ? 1 : isDeep ? 16 : 8,
    channels: facts.channels,
    hasAlpha: facts.hasAlpha,
    icc: facts.icc ?? null,
  };
}

/**
 * @param isManaged whether colours are converted through the embedded profile; otherwise they stay as stored
 */
function open({ bytes, layout, bitsPerSample }: RasterSource, work: Work, isManaged: boolean): Sharp {
  const options = 'raw' in layout ? { raw: layout.raw } : { page: layout.page };
  const limitInputPixels = bitsPerSample === 1 ? MAX_BILEVEL_PIXELS : MAX_PIXELS;
  return pipeline(bytes, { ...options, ignoreIcc: !isManaged, limitInputPixels }, work);
}

class Converter {
  private readonly source: RasterSource;
  private readonly stored: Stored;
  private readonly conversion: Conversion;
  private readonly work: Work;

  constructor(source: RasterSource, stored: Stored, conversion: Conversion, work: Work) {
    this.source = source;
    this.stored = stored;
    this.conversion = conversion;
    this.work = work;
  }

  async picture(): Promise<RasterPicture> {
    const { orientation, resolution } = this.source;
    const [samples, alpha] = await Promise.all([this.samples(), this.alpha()]);
    return { kind: 'raster', samples, alpha, colourKey: null, orientation, resolution };
  }

  /** Whether the pixels are black and white, and stay it. */
  get isPacked(): boolean {
    const { space, bits, hasAlpha } = this.stored;
    return this.space === 'bilevel' && space === 'gray' && bits === 1 && !hasAlpha;
  }

  private get isFlattened(): boolean {
    return this.conversion.target.alpha === 'none' && this.stored.hasAlpha;
  }

  /** Returns the colour space of the samples, with `kept` resolved. */
  private get space(): Exclude<ColourTarget['space'], 'kept'> {
    const { target, background } = this.conversion;
    if (target.space !== 'kept') return target.space;
    if (this.stored.space !== 'gray') return this.stored.space;
    // A gray picture on a coloured background is no longer gray.
    const [red, green, blue] = background;
    if (this.isFlattened && !(red === green && green === blue)) return 'rgb';
    return this.stored.bits === 1 ? 'bilevel' : 'gray';
  }

  private get bits(): 8 | 16 {
    const { bits } = this.conversion.target;
    if (bits !== 'kept') return bits;
    return this.stored.bits === 16 ? 16 : 8;
  }

  private async samples(): Promise<Samples> {
    const { space } = this;
    const png = this.conversion.isSmall ? SMALL_PNG_CODING : PNG_CODING;
    switch (space) {
      case 'gray': {
        const image = this.colours().toColourspace(this.bits === 16 ? 'grey16' : 'b-w');
        return samplesIn(pngFacts(await image.png(png).toBuffer()), {
          kind: 'gray',
          profile: this.profile('gray'),
        });
      }
      case 'rgb': {
        if (this.conversion.target.levels !== null)
          return await this.fewerLevels(this.conversion.target.levels);
        const image = this.colours().toColourspace(this.bits === 16 ? 'rgb16' : 'srgb');
        return samplesIn(pngFacts(await image.png(png).toBuffer()), {
          kind: 'rgb',
          profile: this.profile('rgb'),
        });
      }
      case 'indexed': {
        const image = this.colours().toColourspace('srgb');
        const file = await image.png({ palette: true, quality: 100, effort: 7 }).toBuffer();
        return embeddable(pngSamples(pngFacts(file)));
      }
      case 'jpeg': {
        const image = this.colours().toColourspace('srgb');
        const file = await image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer();
        return embeddable(jpegPicture(file, jpegFacts(file))?.samples);
      }
      case 'bilevel': {
        const image = this.colours().toColourspace('b-w');
        if (this.isPacked) return await bilevelSamples(image);
        const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
        return await ditheredSamples(data, info.width, info.height);
      }
      case 'cmyk':
        return await this.encoded(this.colours().toColourspace('cmyk'), {
          kind: 'cmyk',
          profile: this.profile('cmyk'),
        });
      case 'lab':
        return await this.lab();
    }
  }

  /** Returns the picture without its alpha channel. */
  private colours(): Sharp {
    const image = open(this.source, this.work, this.isManaged);
    if (!this.stored.hasAlpha) return image;
    const [r, g, b] = this.conversion.background;
    if (this.isFlattened) return image.flatten({ background: { r, g, b } });
    // Beside an alpha channel, sharp would convert inks to RGB and back.
    if (this.stored.space === 'cmyk' && !this.isManaged) image.pipelineColourspace('cmyk');
    return image.removeAlpha();
  }

  /**
   * Returns whether colours are converted; colours that keep their space stay as stored and keep their
   * profile.
   */
  private get isManaged(): boolean {
    return this.space !== this.stored.space && !(this.space === 'bilevel' && this.stored.bits === 1);
  }

  private profile(kind: 'gray' | 'rgb' | 'cmyk'): ReturnType<typeof fittingProfile> {
    if (this.isManaged || this.stored.icc === null) return null;
    return fittingProfile(this.stored.icc, { gray: 1, rgb: 3, cmyk: 4 }[kind]);
  }

  private async encoded(image: Sharp, space: ColourSpace): Promise<Samples> {
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    return await encodePixels(data, rawLayout(info), space, this.conversion.isSmall, this.work);
  }

  private async fewerLevels(levels: readonly [number, number, number]): Promise<Samples> {
    const { data, info } = await this.colours()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    reduceLevels(data, levels);
    const space: ColourSpace = { kind: 'rgb', profile: this.profile('rgb') };
    return await encodePixels(data, rawLayout(info), space, this.conversion.isSmall, this.work);
  }

  private async lab(): Promise<Samples> {
    const { data, info } = await this.colours()
      .toColourspace('lab')
      .raw({ depth: 'float' })
      .toBuffer({ resolveWithObject: true });
    const floats = new Float32Array(data.buffer, data.byteOffset, data.byteLength / 4);
    return await encodePixels(
      labBytes(floats),
      rawLayout(info),
      { kind: 'lab' },
      this.conversion.isSmall,
      this.work,
    );
  }

  private async alpha(): Promise<Samples | null> {
    const { alpha } = this.conversion.target;
    if (alpha === 'none') return null;
    const opaque = alpha === 'always' ? OPAQUE : null;
    if (!this.stored.hasAlpha) return opaque;
    const { data, info } = await open(this.source, this.work, false)
      .extractChannel('alpha')
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (data.every((value) => value === 255)) return opaque;
    const space: ColourSpace = { kind: 'gray', profile: null };
    return await encodePixels(data, rawLayout(info), space, this.conversion.isSmall, this.work);
  }
}

function rawLayout({
  width,
  height,
  channels,
}: {
  width: number;
  height: number;
  channels: number;
}): RawPixels {
  return { width, height, channels: channels as RawPixels['channels'] };
}

function embeddable(samples: Samples | undefined | null): Samples {
  if (!samples) throw new Error('the encoded image cannot be embedded');
  return samples;
}
