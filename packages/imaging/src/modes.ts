import type { ImageMode } from './mode-names.ts';
import { componentsOf, type RasterPicture } from './picture.ts';

/** What the modes of I-25 ask of a picture. Their names are those of a Python imaging library. */

export interface ColourTarget {
  /** `jpeg`: RGB as YCbCr, which a PDF holds only inside of a JPEG; `bilevel`: gray of one bit. */
  space: 'kept' | 'gray' | 'bilevel' | 'rgb' | 'indexed' | 'cmyk' | 'lab' | 'jpeg';
  /** The most bits for a component; `kept` where a picture with 16 keeps them; 16 where it gets them. */
  bits: 'kept' | 8 | 16;
  /** `kept`: where the picture has transparency; `always`: an alpha channel in any case; `none`: flattened. */
  alpha: 'kept' | 'always' | 'none';
  /** Bits that remain of red, green and blue. */
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
  // A PDF has no such space: the same colours, as RGB.
  HSV: target('rgb', 8),
  // Integers of 32 bits and floats: the most a PDF holds is 16 bits.
  I: target('gray', 16),
  F: target('gray', 16),
  LA: target('gray', 8, 'always'),
  PA: target('indexed', 8, 'always'),
  RGBX: target('rgb', 8),
  // Premultiplied there; a PDF keeps colour and alpha apart.
  RGBa: target('rgb', 'kept', 'always'),
  La: target('gray', 8, 'always'),
  // The byte order is that of a file in memory; a PDF's is always the same.
  I_16: target('gray', 16),
  I_16L: target('gray', 16),
  I_16B: target('gray', 16),
  I_16N: target('gray', 16),
  BGR_15: target('rgb', 8, 'none', [5, 5, 5]),
  BGR_16: target('rgb', 8, 'none', [5, 6, 5]),
  BGR_24: target('rgb', 8),
};

/** @param mode null: nothing is asked for */
export function colourTarget(mode: ImageMode | null, transparency: boolean): ColourTarget {
  const wanted = mode === null ? AS_IT_IS : TARGETS[mode];
  return transparency ? wanted : { ...wanted, alpha: 'none' };
}

/** Whether a picture that was embedded untouched is what the target asks for, but for an alpha channel it may lack. */
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
