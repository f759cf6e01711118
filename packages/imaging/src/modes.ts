import type { ImageMode } from './mode-names.ts';
import { componentsOf, type RasterPicture } from './picture.ts';

/** The colour conversions that the modes of I-25 stand for, under the names of a Python imaging library. */

export interface ColourTarget {
  /** `jpeg`: RGB as YCbCr, which a PDF supports only inside a JPEG; `bilevel`: gray of one bit. */
  space: 'kept' | 'gray' | 'bilevel' | 'rgb' | 'indexed' | 'cmyk' | 'lab' | 'jpeg';
  /** Maximum bits per component: 8, 16, or `kept`, which leaves 16-bit pictures unchanged. */
  bits: 'kept' | 8 | 16;
  /**
   * `kept`: the alpha channel stays if there is one; `always`: an alpha channel in any case; `none`:
   * flattened.
   */
  alpha: 'kept' | 'always' | 'none';
  /** Remaining bits of red, green and blue. */
  levels: readonly [number, number, number] | null;
}

const AS_IT_IS: ColourTarget = { space: 'kept', bits: 'kept', alpha: 'kept', levels: null };

function target(
  space: ColourTarget['space'],
  bits: ColourTarget['bits'],
  alpha: ColourTarget['alpha'] = 'none',
  levels: ColourTarget['levels'] = null,
): ColourTarget {
  return { space, bits, alpha, levels };
}

const TARGETS: Readonly<Record<ImageMode, ColourTarget>> = {
  BW: target('bilevel', 8),
  L: target('gray', 8),
  P: target('indexed', 8),
  RGB: target('rgb', 'kept'),
  RGBA: target('rgb', 'kept', 'always'),
  CMYK: target('cmyk', 8),
  YCbCr: target('jpeg', 8),
  LAB: target('lab', 8),
  // PDF does not have this space: the same colours are stored as RGB.
  HSV: target('rgb', 8),
  // Integers of 32 bits and floats: PDF supports at most 16 bits.
  I: target('gray', 16),
  F: target('gray', 16),
  LA: target('gray', 8, 'always'),
  PA: target('indexed', 8, 'always'),
  RGBX: target('rgb', 8),
  // This mode is premultiplied; a PDF stores colour and alpha separately.
  RGBa: target('rgb', 'kept', 'always'),
  La: target('gray', 8, 'always'),
  // The mode's byte order concerns data in memory; that of a PDF is fixed.
  I_16: target('gray', 16),
  I_16L: target('gray', 16),
  I_16B: target('gray', 16),
  I_16N: target('gray', 16),
  BGR_15: target('rgb', 8, 'none', [5, 5, 5]),
  BGR_16: target('rgb', 8, 'none', [5, 6, 5]),
  BGR_24: target('rgb', 8),
};

/** @param mode null: no conversion is requested */
export function colourTarget(mode: ImageMode | null, transparency: boolean): ColourTarget {
  const wanted = mode === null ? AS_IT_IS : TARGETS[mode];
  return transparency ? wanted : { ...wanted, alpha: 'none' };
}

/**
 * Returns whether a picture with unchanged data satisfies the target, except for an alpha channel that it may
 * lack.
 */
export function satisfies({ samples, alpha, colourKey }: RasterPicture, wanted: ColourTarget): boolean {
  const { space, bits, coding } = samples;
  if (wanted.levels !== null) return false;
  if (wanted.alpha === 'none' && (alpha !== null || colourKey !== null)) return false;
  if (wanted.bits === 8 && bits > 8) return false;
  if (wanted.bits === 16 && bits < 16) return false;
  switch (wanted.space) {
    case 'kept':
      return true;
    case 'bilevel':
      return space.kind === 'gray' && bits === 1;
    case 'jpeg':
      return coding.filter === 'dct' && componentsOf(space) === 3;
    case 'gray':
    case 'rgb':
    case 'indexed':
    case 'cmyk':
    case 'lab':
      return space.kind === wanted.space;
  }
}
