import {
  drawing,
  filters,
  FORM,
  onePage,
  PAGE,
  pdf,
  showing,
  stream,
  times,
  TREE,
  blanks,
  CATALOG,
} from './build.ts';

/** Content streams that are small and take long to draw. */

const TILING = '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1';
const FILL = '/Pattern cs /P scn 0 0 200 200 re f';

/** Returns a calculator function (ISO 32000-2, 7.10.5). */
function program(entries: string, code: string): Buffer {
  return stream(`/FunctionType 4 ${entries}`, code);
}

export const DRAWINGS: Readonly<Record<string, () => Buffer>> = {
  'content deflated twice, 500 MB': () => onePage('/Contents 4 0 R', stream(filters(2), blanks(500e6, 2))),
  'content deflated once, 1 GB': () => onePage('/Contents 4 0 R', stream(filters(1), blanks(1e9, 1))),
  'content deflated ten times': () => onePage('/Contents 4 0 R', stream(filters(10), blanks(200e6, 10))),
  'tiling pattern with the smallest of steps': () =>
    onePage(
      '/Contents 4 0 R /Resources << /Pattern << /P 5 0 R >> >>',
      stream('', '/Pattern cs /P scn 0 0 200 200 re f'),
      stream(
        '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.001 /YStep 0.001 /Resources << >>',
        '0 0 1 1 re f',
      ),
    ),
  'shading by a program of a million steps': () =>
    onePage(
      '/Contents 4 0 R /Resources << /Shading << /S 5 0 R >> >>',
      stream('', '200 0 0 200 0 0 cm /S sh'),
      '<< /ShadingType 1 /ColorSpace /DeviceGray /Function 6 0 R >>',
      stream('/FunctionType 4 /Domain [0 1 0 1] /Range [0 1]', `{ ${'add dup '.repeat(500_000)} }`),
    ),
  'glyph that shows itself': () =>
    onePage(
      '/Contents 4 0 R /Resources << /Font << /F 5 0 R >> >>',
      stream('', `BT /F 12 Tf (${'a'.repeat(1000)}) Tj ET`),
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 6 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] /Resources << /Font << /F 5 0 R >> >> >>',
      stream('', `1 0 d0 BT /F 1 Tf (${'a'.repeat(100)}) Tj ET`),
    ),
  'form that shows itself': () =>
    showing(stream(`${FORM} /Resources << /XObject << /X 5 0 R >> >>`, '/X Do /X Do')),
  'forms that show forms, ten each, twelve levels': () =>
    showing(
      ...(times(12, (n) =>
        stream(`${FORM} /Resources << /XObject << /X ${n + 6} 0 R >> >>`, '/X Do '.repeat(10)),
      ) as [Buffer, ...Buffer[]]),
      stream(FORM, '0 0 1 1 re f'),
    ),
  'forms that show a long form, ten each, four levels': () =>
    showing(
      ...(times(4, (n) =>
        stream(`${FORM} /Resources << /XObject << /X ${n + 6} 0 R >> >>`, '/X Do '.repeat(10)),
      ) as [Buffer, ...Buffer[]]),
      stream(FORM, 'q Q '.repeat(50_000)),
    ),
  'a million annotations': () =>
    onePage(
      `/Annots [${'4 0 R '.repeat(1_000_000)}]`,
      '<< /Type /Annot /Subtype /Square /Rect [0 0 10 10] /C [1 0 0] >>',
    ),
  '200,000 annotations, each its own': () =>
    pdf([
      CATALOG,
      TREE,
      `<< ${PAGE} /Annots [${times(200_000, (n) => `${n + 4} 0 R`).join(' ')}] >>`,
      ...times(200_000, () => '<< /Type /Annot /Subtype /Square /Rect [0 0 10 10] /C [1 0 0] >>'),
    ]),
  'tiling patterns within tiling patterns, eight levels': () =>
    drawing(
      '/Pattern << /P 5 0 R >>',
      FILL,
      ...times(8, (n) =>
        stream(
          `${TILING} /BBox [0 0 20 20] /XStep 1 /YStep 1 /Resources << /Pattern << /P ${n + 6} 0 R >> >>`,
          '/Pattern cs /P scn 0 0 20 20 re f',
        ),
      ),
      stream(`${TILING} /BBox [0 0 1 1] /XStep 1 /YStep 1 /Resources << >>`, '0 0 1 1 re f'),
    ),
  'tiling pattern painted with itself': () =>
    drawing(
      '/Pattern << /P 5 0 R >>',
      FILL,
      stream(`${TILING} /BBox [0 0 9 9] /XStep 1 /YStep 1 /Resources << /Pattern << /P 5 0 R >> >>`, FILL),
    ),
  ...Object.fromEntries(
    ['0', '-0.001', '1e-30', '0.00001', 'NaN', '1e400'].map((step) => [
      `tiling pattern with the step ${step}`,
      () =>
        drawing(
          '/Pattern << /P 5 0 R >>',
          FILL,
          stream(
            `${TILING} /BBox [0 0 100 100] /XStep ${step} /YStep ${step} /Resources << >>`,
            '0 0 50 50 re f 0 0 m 99 99 l S',
          ),
        ),
    ]),
  ),
  'tiling pattern that is tilted, of great boxes': () =>
    drawing(
      '/Pattern << /P 5 0 R >>',
      FILL,
      stream(
        `${TILING} /BBox [0 0 100000 100000] /XStep 0.01 /YStep 0.01 /Matrix [1 1 -1 1 0 0] /Resources << >>`,
        '0 0 100000 100000 re f '.repeat(100),
      ),
    ),
  'optional content in a loop': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [5 0 R 5 0 R] /D << /Order [5 0 R] /OFF [5 0 R] >> >> >>',
      TREE,
      `<< ${PAGE} /Contents 4 0 R /Resources << /Properties << /O 5 0 R >> /XObject << /X 6 0 R >> >> >>`,
      stream('', '/OC /O BDC 0 0 9 9 re f EMC /X Do'),
      '<< /Type /OCMD /OCGs [5 0 R 5 0 R] /VE [/And 7 0 R 7 0 R] /P /AllOn >>',
      stream(`${FORM} /OC 5 0 R`, '0 0 9 9 re f'),
      '[/Or 7 0 R 7 0 R [/Not 7 0 R]]',
    ]),
  'optional content whose expressions share their branches': () =>
    drawing(
      '/XObject << /X 5 0 R >>',
      '/X Do',
      stream(`${FORM} /OC 6 0 R`, '0 0 9 9 re f'),
      '<< /Type /OCMD /VE 7 0 R >>',
      ...times(60, (n) => `[/And ${n + 8} 0 R ${n + 8} 0 R]`),
      '[/And 68 0 R]',
      '<< /Type /OCG /Name (a) >>',
    ),
  'order of layers in a loop': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [4 0 R] /D << /Order 5 0 R >> /Configs 5 0 R >> >>',
      TREE,
      `<< ${PAGE} /Resources << /Properties << /O 4 0 R >> >> >>`,
      '<< /Type /OCG /Name (a) >>',
      '[4 0 R 5 0 R [5 0 R]]',
    ]),
  'shading by a program that repeats its stack': () =>
    drawing(
      '/Shading << /S 5 0 R >>',
      '200 0 0 200 0 0 cm /S sh',
      '<< /ShadingType 1 /ColorSpace /DeviceGray /Function 6 0 R >>',
      program('/Domain [0 1 0 1] /Range [0 1]', `{ ${'sin cos atan exp '.repeat(100_000)} }`),
    ),
  'shading by a program of nested conditions': () =>
    drawing(
      '/Shading << /S 5 0 R >>',
      '200 0 0 200 0 0 cm /S sh',
      '<< /ShadingType 1 /ColorSpace /DeviceGray /Function 6 0 R >>',
      program('/Domain [0 1 0 1] /Range [0 1]', `${'{ true '.repeat(20_000)}{ 1 }${' if }'.repeat(20_000)}`),
    ),
  'programs 10,000 times on a page': () =>
    drawing(
      '/Shading << /S 5 0 R >>',
      `200 0 0 200 0 0 cm ${'/S sh '.repeat(10_000)}`,
      '<< /ShadingType 1 /ColorSpace /DeviceGray /Function 6 0 R >>',
      program('/Domain [0 1 0 1] /Range [0 1]', `{ ${'sin cos exp '.repeat(1_000)} }`),
    ),
  'function that stitches itself': () =>
    drawing(
      '/Shading << /S 5 0 R >>',
      '/S sh',
      '<< /ShadingType 2 /Coords [0 0 200 200] /ColorSpace /DeviceGray /Function 6 0 R /Extend [true true] >>',
      '<< /FunctionType 3 /Domain [0 1] /Functions [6 0 R 6 0 R] /Bounds [0.5] /Encode [0 1 0 1] >>',
    ),
  'functions that share their branches, 30 levels': () =>
    drawing(
      '/Shading << /S 5 0 R >>',
      '/S sh',
      '<< /ShadingType 2 /Coords [0 0 200 200] /ColorSpace /DeviceGray /Function 6 0 R /Extend [true true] >>',
      ...times(
        30,
        (n) =>
          `<< /FunctionType 3 /Domain [0 1] /Functions [${n + 7} 0 R ${n + 7} 0 R] /Bounds [0.5] /Encode [0 1 0 1] >>`,
      ),
      '<< /FunctionType 2 /Domain [0 1] /N 1 >>',
    ),
  'sampled function of a thousand million samples': () =>
    drawing(
      '/Shading << /S 5 0 R >>',
      '/S sh',
      '<< /ShadingType 2 /Coords [0 0 200 200] /ColorSpace /DeviceGray /Function 6 0 R >>',
      stream(
        '/FunctionType 0 /Domain [0 1 0 1 0 1 0 1] /Range [0 1] /Size [60000 60000 60000 60000] /BitsPerSample 32',
        'x',
      ),
    ),
  'mesh of a million patches': () =>
    drawing(
      '/Shading << /S 5 0 R >>',
      '/S sh',
      stream(
        `/ShadingType 7 /ColorSpace /DeviceGray /BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8 /Decode [0 200 0 200 0 1] ${filters(1)}`,
        blanks(37e6, 1),
      ),
    ),
  'soft mask that masks itself': () =>
    drawing(
      '/ExtGState << /G 5 0 R >>',
      '/G gs 0 0 200 200 re f',
      '<< /Type /ExtGState /SMask << /S /Luminosity /G 6 0 R >> >>',
      stream(
        `${FORM} /Group << /S /Transparency >> /Resources << /ExtGState << /G 5 0 R >> >>`,
        '/G gs 0 0 200 200 re f',
      ),
    ),
  'transparent groups within groups, 2,000 levels': () =>
    showing(
      ...(times(2_000, (n) =>
        stream(
          `${FORM} /Group << /S /Transparency /I true >> /Resources << /XObject << /X ${n + 6} 0 R >> >>`,
          '/X Do',
        ),
      ) as [Buffer, ...Buffer[]]),
      stream(FORM, '0 0 1 1 re f'),
    ),
  'a million saved graphics states': () => onePage('/Contents 4 0 R', stream('', 'q '.repeat(1_000_000))),
  'a path of a million curves, dashed to nothing': () =>
    onePage(
      '/Contents 4 0 R',
      stream('', `[0.0001] 0 d 0.01 w 0 0 m ${'0 200 200 200 200 0 c 0 0 l '.repeat(100_000)} S`),
    ),
  'a thousand clips of a thousand curves': () =>
    onePage(
      '/Contents 4 0 R',
      stream('', `0 0 m ${'0 200 200 200 200 0 c 0 0 l '.repeat(1_000)} W n `.repeat(1_000)),
    ),
  'a line of a dash of 1e-30': () =>
    onePage('/Contents 4 0 R', stream('', '[0.0000000001 0.0000000001] 0 d 0 0 m 1000000 1000000 l S')),
  'numbers 1e400 and beyond': () =>
    onePage(
      '/Contents 4 0 R',
      stream('', '1e400 0 0 1e400 0 0 cm 9e999 -9e999 m 99999999999999999999 5 l S 1e400 w'),
    ),
  'a scale of 1e30': () =>
    onePage(
      '/Contents 4 0 R',
      stream(
        '',
        `${`1${'0'.repeat(30)} 0 0 1${'0'.repeat(30)} 0 0 cm `.repeat(20)} 0 0 1 1 re f 0 0 m 1 1 l S`,
      ),
    ),
  'strings unbalanced': () =>
    onePage(
      '/Contents 4 0 R',
      stream('', `BT /F 12 Tf ${'(('.repeat(100_000)} Tj ET <<<<<< [[[[ >> ] <41 Tj`),
    ),
  'arrays nested 100,000 levels in content': () =>
    onePage('/Contents 4 0 R', stream('', `${'['.repeat(100_000)} TJ ${'<<'.repeat(100_000)} /A BDC`)),
  'inline images without an end': () =>
    onePage('/Contents 4 0 R', stream('', 'BI /W 9 /H 9 ID x '.repeat(50_000))),
  'characters 100,000 times at the size of a million': () =>
    drawing(
      '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
      `BT /F 1000000 Tf (${'a'.repeat(100_000)}) Tj ET`,
    ),
  'a million characters in one place': () =>
    drawing(
      '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
      `BT /F 12 Tf ${'(abcdefghij) Tj 1 0 0 1 10 10 Tm '.repeat(100_000)} ET`,
    ),
  'CMap of a thousand million codes': () =>
    drawing(
      '/Font << /F 5 0 R >>',
      'BT /F 12 Tf <00010002> Tj ET',
      '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>',
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [0 1000000000 500] >>',
      stream(
        '',
        `1 begincodespacerange <00000000> <ffffffff> endcodespacerange ${'1 beginbfrange <00000000> <ffffffff> <0000> endbfrange '.repeat(50)}`,
      ),
    ),
  'CMap that uses itself': () =>
    drawing(
      '/Font << /F 5 0 R >>',
      'BT /F 12 Tf <00010002> Tj ET',
      '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding 7 0 R /DescendantFonts [5 0 R] /ToUnicode 7 0 R >>',
      'null',
      stream('/Type /CMap /CMapName /A /UseCMap 7 0 R', '/A usecmap'),
    ),
};
