import { deflateSync } from 'node:zlib';
import {
  componentsOf,
  type ColourSpace,
  type IccProfile,
  type RasterPicture,
  type Samples,
} from '@platen/imaging/picture';
import { filledBox, type Rgb, shownImage } from './content.ts';
import { PdfFile, reference } from './pdf-file.ts';
import type { Placement } from './placement.ts';

/** A page with one raster picture. */
export interface RasterPage {
  picture: RasterPicture;
  placement: Placement;
  /** Painted under the picture; null for nothing. */
  background: Rgb | null;
}

/**
 * Writes a PDF of pictures, one page each. The samples are written as they are: they are most of the file,
 * and a PDF library would copy them several times.
 */
export function rasterDocument(pages: readonly RasterPage[]): Buffer {
  const file = new PdfFile();
  for (const page of pages) writePage(file, page);
  return file.end();
}

function writePage(file: PdfFile, { picture, placement, background }: RasterPage): void {
  const { sheet, box } = placement;
  const image = writeImage(file, picture.samples, [
    ...(picture.alpha === null ? [] : [`/SMask ${reference(writeImage(file, picture.alpha, []))}`]),
    // Equal bounds select exactly this colour.
    ...(picture.colourKey === null ? [] : [`/Mask [${picture.colourKey.flatMap((v) => [v, v]).join(' ')}]`]),
  ]);
  const operators = [
    ...(background === null ? [] : [filledBox(box, background)]),
    shownImage('Im', box, picture.orientation),
  ];
  file.page(sheet, operators, `/XObject << /Im ${reference(image)} >>`);
}

function writeImage(file: PdfFile, samples: Samples, entries: readonly string[]): number {
  const { width, height, bits, space, inverted, chunks } = samples;
  const components = componentsOf(space);
  const decode = inverted ? [`/Decode [${'1 0 '.repeat(components).trim()}]`] : [];
  return file.stream(
    [
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent ${bits}`,
      `/ColorSpace ${writeSpace(file, space)}`,
      codingEntries(samples, components),
      ...decode,
      ...entries,
    ].join(' '),
    chunks,
  );
}

function codingEntries({ coding, width, bits }: Samples, components: number): string {
  if (coding.filter === 'dct') {
    const parameters =
      coding.transform === null ? '' : ` /DecodeParms << /ColorTransform ${coding.transform} >>`;
    return `/Filter /DCTDecode${parameters}`;
  }
  // 15: each row states which of PNG's filters it uses (PDF 32000-1, 7.4.4.4).
  const parameters = `<< /Predictor 15 /Colors ${components} /BitsPerComponent ${bits} /Columns ${width} >>`;
  return `/Filter /FlateDecode${coding.predicted ? ` /DecodeParms ${parameters}` : ''}`;
}

const DEVICE_SPACES = { gray: '/DeviceGray', rgb: '/DeviceRGB', cmyk: '/DeviceCMYK' } as const;
/** CIE D65, the white point of sRGB and of the Lab values that are computed from it. */
const D65 = '[0.9505 1 1.089]';

function writeSpace(file: PdfFile, space: ColourSpace): string {
  switch (space.kind) {
    case 'lab':
      return `[/Lab << /WhitePoint ${D65} /Range [-128 127 -128 127] >>]`;
    case 'indexed': {
      const base = space.profile === null ? DEVICE_SPACES.rgb : writeProfile(file, space.profile, 3);
      return `[/Indexed ${base} ${space.palette.length / 3 - 1} <${Buffer.from(space.palette).toString('hex')}>]`;
    }
    case 'gray':
    case 'rgb':
    case 'cmyk':
      return space.profile === null
        ? DEVICE_SPACES[space.kind]
        : writeProfile(file, space.profile, componentsOf(space));
  }
}

function writeProfile(file: PdfFile, { bytes, deflated }: IccProfile, components: number): string {
  const stream = file.shared(bytes, () =>
    file.stream(`/N ${components} /Filter /FlateDecode`, [deflated ? bytes : deflateSync(bytes)]),
  );
  return `[/ICCBased ${reference(stream)}]`;
}
