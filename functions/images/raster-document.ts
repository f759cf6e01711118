import { deflateSync } from 'node:zlib';
import {
  componentsOf,
  type ColourSpace,
  type IccProfile,
  type RasterPicture,
  type Samples,
} from '@platen/imaging/picture';
import { HeldPieces, type PdfDict, type PdfFile, type PdfValue } from '@platen/pdf/model';
import { filledBox, type Rgb, shownImage } from './content.ts';
import { writePages } from './pages.ts';
import type { Placement } from './placement.ts';

/** A page with one raster picture. */
export interface RasterPage {
  picture: RasterPicture;
  placement: Placement;
  /** Painted under the picture; null for nothing. */
  background: Rgb | null;
}

/** The colour profiles that were written, which pages share, by their bytes. */
type Profiles = Map<Uint8Array, PdfValue>;

/** Writes a PDF of pictures, one page each, with their samples as they are. */
export async function rasterDocument(pages: readonly RasterPage[]): Promise<Uint8Array> {
  const profiles: Profiles = new Map();
  return await writePages(pages, ({ picture, placement, background }, file) => {
    const { sheet, box } = placement;
    const { samples, alpha, colourKey, orientation } = picture;
    const image = writeImage(file, profiles, samples, {
      ...(alpha === null ? {} : { '/SMask': writeImage(file, profiles, alpha, {}) }),
      // Equal bounds select exactly this colour.
      ...(colourKey === null ? {} : { '/Mask': colourKey.flatMap((value) => [value, value]) }),
    });
    const operators = [
      ...(background === null ? [] : [filledBox(box, background)]),
      shownImage('Im', box, orientation),
    ];
    return { size: sheet, operators, resources: { '/XObject': { '/Im': image } } };
  });
}

function writeImage(file: PdfFile, profiles: Profiles, samples: Samples, entries: PdfDict): PdfValue {
  const { width, height, bits, space, inverted, chunks } = samples;
  const components = componentsOf(space);
  return file.add(
    {
      '/Type': '/XObject',
      '/Subtype': '/Image',
      '/Width': width,
      '/Height': height,
      '/BitsPerComponent': bits,
      '/ColorSpace': colourSpace(file, profiles, space),
      ...coding(samples, components),
      ...(inverted ? { '/Decode': Array.from({ length: components }, () => [1, 0]).flat() } : {}),
      ...entries,
    },
    new HeldPieces(chunks),
  );
}

function coding({ coding, width, bits }: Samples, components: number): PdfDict {
  if (coding.filter === 'dct') {
    const parameters =
      coding.transform === null ? {} : { '/DecodeParms': { '/ColorTransform': coding.transform } };
    return { '/Filter': '/DCTDecode', ...parameters };
  }
  // 15: each row states which of PNG's filters it uses (PDF 32000-1, 7.4.4.4).
  const parameters = {
    '/Predictor': 15,
    '/Colors': components,
    '/BitsPerComponent': bits,
    '/Columns': width,
  };
  return { '/Filter': '/FlateDecode', ...(coding.predicted ? { '/DecodeParms': parameters } : {}) };
}

const DEVICE_SPACES = { gray: '/DeviceGray', rgb: '/DeviceRGB', cmyk: '/DeviceCMYK' } as const;
/** CIE D65, the white point of sRGB and of the Lab values that are computed from it. */
const D65 = [0.9505, 1, 1.089];

function colourSpace(file: PdfFile, profiles: Profiles, space: ColourSpace): PdfValue {
  const { kind } = space;
  if (kind === 'lab') return ['/Lab', { '/WhitePoint': D65, '/Range': [-128, 127, -128, 127] }];
  if (kind === 'indexed') {
    const base = space.profile === null ? DEVICE_SPACES.rgb : iccBased(file, profiles, space.profile, 3);
    const palette = `b:${Buffer.from(space.palette).toString('hex')}`;
    return ['/Indexed', base, space.palette.length / 3 - 1, palette];
  }
  const { profile } = space;
  return profile === null ? DEVICE_SPACES[kind] : iccBased(file, profiles, profile, componentsOf(space));
}

/** Returns the colour space of a profile, whose bytes are written once. */
function iccBased(
  file: PdfFile,
  profiles: Profiles,
  { bytes, deflated }: IccProfile,
  components: number,
): PdfValue {
  const entries = { '/N': components, '/Filter': '/FlateDecode' };
  const stream = profiles.get(bytes) ?? file.add(entries, deflated ? bytes : deflateSync(bytes));
  profiles.set(bytes, stream);
  return ['/ICCBased', stream];
}
