import { describe, expect, it } from 'vitest';
import sharp, { type Sharp } from 'sharp';
import {
  barcodeAddress,
  BARCODE_FORMATS,
  barcodeSvg,
  drawBarcode,
} from '../../packages/imaging/src/barcode/index.ts';
import { barcodesIn, kindsIn } from './barcode-reader.ts';
import {
  colourAt,
  embeddedImages,
  type Pixels,
  pdfOf,
  pixelsOf,
  problemOf,
  rendered,
  service,
  through,
} from './support.ts';

/** I-27: barcodes, read back from the page by a reader that knows nothing of who wrote them. */

const { barcode } = service();

/** What a reader makes of a picture: `format:text`. */
async function read(pixels: Pixels): Promise<string[]> {
  return await barcodesIn(pictureOf(pixels));
}

function pictureOf({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Data and what is read of it, for every format a reader knows. */
const READABLE: readonly [string, string, string][] = [
  ['codabar', 'A1234B', 'Codabar:A1234B'],
  ['nw-7', '1234', 'Codabar:A1234A'],
  ['code128', 'Hello 128 äöü', 'Code128:Hello 128 äöü'],
  ['code39', 'ABC-123', 'Code39:ABC-123'],
  ['ean', '590123412345', 'EAN13:5901234123457'],
  ['ean13', '5901234123457', 'EAN13:5901234123457'],
  ['ean13-guard', '5901234123457', 'EAN13:5901234123457'],
  ['ean8', '9638507', 'EAN8:96385074'],
  ['ean8-guard', '96385074', 'EAN8:96385074'],
  ['ean14', '0460123456789', 'Code128:(01)04601234567893'],
  ['gs1', '010952123454321310ABC', 'Code128:(01)09521234543213(10)ABC'],
  ['gs1_128', '(01)09521234543213(10)ABC', 'Code128:(01)09521234543213(10)ABC'],
  ['gtin', '04601234567893', 'Code128:(01)04601234567893'],
  ['gtin', '5901234123457', 'EAN13:5901234123457'],
  ['isbn', '978-1-56581-231-4', 'EAN13:9781565812314'],
  ['isbn10', '156581231X', 'EAN13:9781565812314'],
  ['isbn13', '9781565812314', 'EAN13:9781565812314'],
  ['issn', '0311175X', 'EAN13:9770311175001'],
  ['itf', '123456', 'ITF:123456'],
  ['jan', '4901234567894', 'EAN13:4901234567894'],
  ['pzn', '02758089', 'PZN:-02758089'],
  ['upc', '012345000058', 'EAN13:0012345000058'],
  ['upca', '01234500005', 'EAN13:0012345000058'],
  ['qr', 'Grüße ^ 日本 🎈', 'QRCode:Grüße ^ 日本 🎈'],
  ['pdf417', 'Hello PDF417', 'PDF417:Hello PDF417'],
  ['pdf417', 'Grüße 日本', 'PDF417:Grüße 日本'],
  ['datamatrix', 'Hello 日本', 'DataMatrix:Hello 日本'],
];

describe('read back from the page', () => {
  it.each(READABLE)('%s of %j', async (format, data, expected) => {
    const pdf = pdfOf(await barcode(data, format));
    expect(await read(await rendered(pdf, 200))).toEqual([expected]);
    expect(await embeddedImages(pdf)).toEqual([]);
  });

  it.each([
    ['datamatrix', '(01)09521234543213(10)ABC(17)261231', ']d2'],
    ['datamatrix', '(00)095212345678901235', ']d2'],
    ['datamatrix', '\x1d010952123454321310ABC\x1d17261231', ']d2'],
    ['qr', '(01)09521234543213(21)X-1', ']Q3'],
    ['qr', '\x1d010952123454321310ABC', ']Q3'],
    ['datamatrix', '(01) 23 45 67', ']d1'],
    ['qr', '(0151) 1234567', ']Q1'],
    ['pdf417', '(01)09521234543213', ']L2'],
  ])('%s of %j is of the kind %s: elements of GS1 are marked as such', async (format, data, kind) => {
    const picture = pictureOf(await rendered(pdfOf(await barcode(data, format)), 200));
    expect(await kindsIn(picture)).toEqual([kind]);
    const plain = (text: string): string => text.replace(/^\w+:/, '').replaceAll(/[^\w-]/g, '');
    expect((await barcodesIn(picture)).map(plain)).toEqual([plain(data)]);
  });

  it('GS1 elements with a wrong check digit are refused', async () => {
    expect(problemOf(await barcode('(01)09521234543214', 'datamatrix')).code).toBe('barcode_invalid');
  });

  it('every format is read, or is one of three that no reader supports', () => {
    const read = new Set(READABLE.map(([format]) => format));
    expect(BARCODE_FORMATS.filter((format) => !read.has(format))).toEqual(['ean5', 'postnet', 'msi']);
  });

  it('by a second reader too', async () => {
    for (const [format, data] of [
      ['ean13', '5901234123457'],
      ['code128', 'Hello 128'],
      ['qr', 'Hello'],
    ] as const) {
      const { data: pixels, width, height } = await rendered(pdfOf(await barcode(data, format)), 200);
      const png = await sharp(pixels, { raw: { width, height, channels: 3 } })
        .png()
        .toBuffer();
      const { stdout } = await through('zbarimg', ['-q', '--nodbus', '--raw', '{in}'], png);
      expect(stdout.trim()).toBe(data);
    }
  });
});

describe('barcodes that no reader supports', () => {
  /** Widths of bars and gaps along the middle of the symbol, in modules. */
  function runs(data: string, format: string): number[] {
    const { paths, width, height } = drawBarcode(data, format, { text: false });
    const bars = paths
      .map((path) =>
        path.flatMap((step) => ('move' in step ? [step.move] : 'line' in step ? [step.line] : [])),
      )
      .filter((points) => Math.min(...points.map(([, y]) => y)) < height / 2)
      .map((points) => points.map(([x]) => x))
      .map((xs) => [Math.min(...xs), Math.max(...xs)] as const)
      .sort(([a], [b]) => a - b);
    expect(bars.at(-1)?.[1] ?? 0).toBeLessThan(width);
    return bars.flatMap(([from, to], i) => {
      const next = bars[i + 1];
      return next === undefined ? [Math.round(to - from)] : [Math.round(to - from), Math.round(next[0] - to)];
    });
  }

  it('ean5: guard, and five digits with the parity of their checksum (GS1, section 5.2.2)', () => {
    // 90200: 3 * (9 + 2 + 0) + 9 * (0 + 0) = 33, so 3: G L L L G... of the table; bars from the specification.
    const bits = '1011';
    const widths = runs('90200', 'ean5');
    expect(widths.slice(0, 3)).toEqual([1, 1, 2]);
    expect(widths.reduce((sum, width) => sum + width, 0)).toBe(bits.length + 5 * 7 + 4 * 2);
  });

  it('msi: digits of four bits, 110 for 1 and 100 for 0, between 110 and 1001; no check digit of ours', () => {
    const modules = runs('1', 'msi').flatMap((width, i) =>
      Array<string>(width).fill(i % 2 === 0 ? '1' : '0'),
    );
    const digit = (value: number): string =>
      [8, 4, 2, 1].map((bit) => ((value & bit) === 0 ? '100' : '110')).join('');
    expect(modules.join('')).toBe(`110${digit(1)}1001`);
  });

  it('postnet: tall and short bars, two tall ones for each digit between two frame bars', () => {
    const { paths } = drawBarcode('12345', 'postnet', { text: false });
    const heights = paths.map((path) => {
      const ys = path.flatMap((step) =>
        'move' in step ? [step.move[1]] : 'line' in step ? [step.line[1]] : [],
      );
      return Math.max(...ys) - Math.min(...ys);
    });
    const tall = Math.max(...heights);
    const bits = heights.map((height) => (height > tall * 0.75 ? '1' : '0')).join('');
    const code = ['11000', '00011', '00101', '00110', '01001', '01010', '01100', '10001', '10010', '10100'];
    // The check digit brings the sum to a multiple of ten: 1+2+3+4+5 = 15, so 5.
    expect(bits).toBe(`1${[1, 2, 3, 4, 5, 5].map((digit) => code[digit]).join('')}1`);
  });
});

describe('data that does not fit', () => {
  it.each([
    ['ean13', '5901234123458', /check digit/i],
    ['ean13', '12', /12 or 13 digits/],
    ['ean13', 'abc', /only digits/],
    ['ean5', '902', /5 digits/],
    ['code39', 'abc', /capital letters/],
    ['code128', '日本', /Latin-1/],
    ['codabar', 'A12XYZB', /./],
    ['isbn', '12345', /ISBN/],
    ['isbn10', '1565812310', /check digit/],
    ['issn', '0311-1750', /check digit/i],
    ['jan', '5901234123457', /45 or 49/],
    ['gtin', '123', /8, 12, 13 or 14 digits/],
    ['gs1_128', '(01)123', /./],
    ['postnet', '1', /5, 9 or 11 digits/],
    ['upca', '123', /digits/],
    ['pzn', '1', /./],
    ['msi', 'x', /digits/],
    ['itf', 'x', /digits/],
    ['qr', 'x'.repeat(5000), /Maximum length/i],
    ['pdf417', 'x'.repeat(100_000), /more than any barcode/],
  ])('%s of %.20j: 422 with the reason', async (format, data, reason) => {
    const problem = problemOf(await barcode(data, format));
    expect(problem).toMatchObject({ status: 422, code: 'barcode_invalid', errors: [{ field: 'data' }] });
    expect(problem.detail).toMatch(reason);
    expect(problem.detail).not.toMatch(/bwip|undefined|\[object/);
  });

  it('an unknown format is answered with the known ones', async () => {
    const problem = problemOf(await barcode('1', 'code127'));
    expect(problem).toMatchObject({ code: 'barcode_invalid', errors: [{ field: 'barcode_format' }] });
    for (const format of BARCODE_FORMATS) expect(problem.detail).toContain(format);
  });

  it('empty or missing data: 422 that names the field', async () => {
    expect(problemOf(await barcode('', 'qr')).status).toBe(422);
  });
});

describe('options', () => {
  const INK = (pixels: Pixels) => pixels.data.reduce((sum, value) => sum + (value < 128 ? 1 : 0), 0);

  it('text_enabled is true by default; false leaves the text out and the bars where they are', async () => {
    const withText = await rendered(pdfOf(await barcode('5901234123457', 'ean13')), 200);
    const without = await rendered(
      pdfOf(await barcode('5901234123457', 'ean13', { text_enabled: false })),
      200,
    );
    expect(INK(without)).toBeLessThan(INK(withText));
    expect(await read(without)).toEqual(['EAN13:5901234123457']);
  });

  it('are read from JSON text in a form as well', async () => {
    const { call } = service();
    const { gatewayEvent, urlencoded, CONTEXT } = await import('../support/gateway-event.ts');
    const fields = { data: '{"data":"Hello","barcode_format":"QR"}', render_options: '{"x":5,"y":5,"w":4}' };
    const reply = await call(
      gatewayEvent({ method: 'POST', path: '/v1/render/barcode', ...urlencoded(fields) }),
      CONTEXT,
    );
    expect(await read(await rendered(pdfOf(reply), 150))).toEqual(['QRCode:Hello']);
  });

  it('set its place and its size', async () => {
    const options = { paper_format: 'Letter', x: 2.54, y: 2.54, w: 5.08, background_color: [255, 255, 0] };
    const page = await rendered(pdfOf(await barcode('Hello', 'qr', options)), 72);
    expect(colourAt(page, 70, 74)).toEqual([255, 255, 255]);
    expect(colourAt(page, 74, 74)).toEqual([255, 255, 0]);
    expect(colourAt(page, 214, 214)).toEqual([255, 255, 0]);
    expect(colourAt(page, 218, 214)).toEqual([255, 255, 255]);
  });

  it('stretch it if keep_ratio is false', async () => {
    const options = { w: 16, h: 2, keep_ratio: false };
    expect(await read(await rendered(pdfOf(await barcode('Hello 128', 'code128', options)), 200))).toEqual([
      'Code128:Hello 128',
    ]);
  });

  it('image_mode CMYK makes bars of black ink alone', async () => {
    const pdf = pdfOf(await barcode('Hello', 'qr', { image_mode: 'CMYK' }));
    const { bytes } = await through('qpdf', ['--qdf', '--object-streams=disable', '{in}', '{out}'], pdf);
    expect(bytes.toString('latin1')).toContain('0 0 0 1 k');
  });
});

describe('barcodeAddress', () => {
  it.each([
    ['qr', 'Hello', 'QRCode:Hello'],
    ['ean13', '5901234123457', 'EAN13:5901234123457'],
    ['pdf417', 'Hello', 'PDF417:Hello'],
  ])('for %s holds a PNG that a barcode reader reads', async (format, data, expected) => {
    const address = barcodeAddress(data, format);
    expect(address).toMatch(/^data:image\/png;base64,/);
    const png = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
    const facts = await sharp(png).metadata();
    // 12 pixels in each 0.33 mm.
    expect(Math.abs((facts.density ?? 0) - (12 / 0.33) * 25.4)).toBeLessThan(1);
    expect(await read(await pixelsOf(png))).toEqual([expected]);
  });
});

describe('barcodeSvg', () => {
  it('is a drawing a reader reads, in centimetres, without external resources', async () => {
    const svg = barcodeSvg('https://example.com/?a=1&b="2"', 'qr', { width: 3 });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="3cm" height="3cm"/);
    expect(svg).not.toMatch(/href|<script|<text|<image/);
    const { data, info } = await sharp(Buffer.from(svg), { density: 200 })
      .flatten({ background: '#fff' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(await read({ data, width: info.width, height: info.height })).toEqual([
      'QRCode:https://example.com/?a=1&b="2"',
    ]);
  });

  it('has an alternative text, which PDF/UA requires of pictures', () => {
    expect(barcodeSvg('a "b" <c> & ü\u001d', 'qr')).toContain(
      ' role="img" aria-label="a &#34;b&#34; &#60;c&#62; &#38; ü "',
    );
  });

  it('escapes markup in its options', () => {
    expect(barcodeSvg('1', 'qr', { colour: '"/><script>x</script>' })).not.toMatch(/<script|"\/>.*"\/>/);
  });

  it('is the same for the same data', () => {
    expect(barcodeSvg('same', 'datamatrix')).toBe(barcodeSvg('same', 'datamatrix'));
  });
});
