import { beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import {
  colourAt,
  difference,
  embeddedImages,
  expectBars,
  nameOfColour,
  pdfOf,
  pixelsOf,
  rendered,
  sample,
  service,
  shown,
  through,
} from './support.ts';
import { partialGif } from './partial-gif.ts';
import { localGhostscript } from '../support/local-engines.ts';

/** I-23: the function itself, each type; its page compared with the picture. Tolerances are mean differences of 255. */

const { image } = service();

describe('data that a PDF can hold is embedded unchanged (I-24)', () => {
  it.each(['rgb.jpg', 'cmyk.jpg', 'orient6.jpg', 'rgb16.png'])('%s', async (name) => {
    const file = sample(name);
    const pdf = pdfOf(await image(file, name));
    const data = name.endsWith('jpg') ? file : idat(file);
    expect(pdf.includes(data)).toBe(true);
  });

  it('a progressive and a gray JPEG, a gray, a bilevel and a palette PNG', async () => {
    const picture = sharp(sample('rgb.jpg'));
    const files = {
      'progressive.jpg': await picture.clone().jpeg({ progressive: true }).toBuffer(),
      'gray.jpg': await picture.clone().toColourspace('b-w').jpeg().toBuffer(),
      'gray.png': await picture.clone().toColourspace('b-w').png().toBuffer(),
      'palette.png': await picture.clone().png({ palette: true }).toBuffer(),
    };
    for (const [name, file] of Object.entries(files)) {
      const pdf = pdfOf(await image(file, name));
      expect(pdf.includes(name.endsWith('jpg') ? file : idat(file)), name).toBe(true);
      const expected = await pixelsOf(file);
      const got = await shown(file, name, [expected.width, expected.height]);
      expect(difference(got, expected), name).toBeLessThan(2);
    }
  });

  it('data that a phone appended to a JPEG is left out', async () => {
    const file = sample('rgb.jpg');
    const pdf = pdfOf(await image(Buffer.concat([file, Buffer.alloc(50_000, 'video')]), 'motion.jpg'));
    expect(pdf.length).toBeLessThan(file.length + 2000);
    expect(pdf.includes(file)).toBe(true);
  });

  it('keeps ICC profiles of JPEG, PNG, TIFF and WebP', async () => {
    const wide = sharp(sample('rgb.jpg')).withIccProfile('p3');
    const files = {
      'p3.jpg': await wide.clone().jpeg().toBuffer(),
      'p3.png': await wide.clone().png().toBuffer(),
      'p3.tiff': await wide.clone().tiff().toBuffer(),
      'p3.webp': await wide.clone().webp({ lossless: true }).toBuffer(),
    };
    for (const [name, file] of Object.entries(files)) {
      const [embedded] = await embeddedImages(pdfOf(await image(file, name)));
      expect(embedded, name).toMatchObject({ colour: 'icc', components: 3 });
    }
  });

  function idat(png: Buffer): Buffer {
    const at = png.indexOf('IDAT');
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  }
});

describe('the page shows the picture', () => {
  it.each([
    ['rgb.jpg', 3],
    ['orient6.jpg', 3],
    ['rgba.png', 2],
    ['rgb16.png', 2],
    ['rgba.gif', 2],
    ['rgba.webp', 2],
    ['multi3.tiff', 1],
    ['g4.tiff', 1],
  ])('%s as sharp decodes it, within %d', async (name, tolerance) => {
    const file = sample(name);
    const expected = await pixelsOf(file);
    const got = await shown(file, name, [expected.width, expected.height]);
    expect(difference(got, expected)).toBeLessThan(tolerance);
  });

  it.each(['cmyk.jpg', 'cmyk.tiff'])('%s, in its own colours: ink, not light', async (name) => {
    const file = sample(name);
    const [embedded] = await embeddedImages(pdfOf(await image(file, name)));
    expect(embedded).toMatchObject({ colour: 'cmyk', components: 4, bits: 8 });
    const got = await shown(file, name, [120, 80]);
    const expected = await pixelsOf(file);
    // Two programs make light of the same ink in two ways; an inverted picture would differ by 200.
    expect(difference(got, expected)).toBeLessThan(40);
  });

  it('bmp, ico (its largest picture) and psd as ImageMagick decodes them, within 2', async () => {
    const psd = (await through('convert', ['jpg:{in}', 'psd:{out}'], sample('rgb.jpg'))).bytes;
    const files: [string, string, Buffer][] = [
      ['rgb.bmp', 'bmp:{in}', sample('rgb.bmp')],
      ['rgba32.bmp', 'bmp:{in}', sample('rgba32.bmp')],
      ['picture.psd', 'psd:{in}[0]', psd],
      ['multi.ico', 'ico:{in}[0]', sample('multi.ico')],
    ];
    for (const [name, input, file] of files) {
      const args = [input, '-background', 'white', '-flatten', 'png:{out}'];
      const expected = await pixelsOf((await through('convert', args, file)).bytes);
      const got = await shown(file, name, [expected.width, expected.height]);
      expect(difference(got, expected), name).toBeLessThan(2);
    }
    const [largest] = await embeddedImages(pdfOf(await image(sample('multi.ico'), 'multi.ico')));
    expect(largest).toMatchObject({ width: 256, height: 256 });
  });

  it('gif, transparent around a first picture that is smaller than the canvas', async () => {
    const page = await shown(partialGif(), 'a.gif', [16, 16]);
    expect([colourAt(page, 1, 1), colourAt(page, 8, 8)]).toEqual([
      [255, 255, 255],
      [255, 0, 0],
    ]);
  });

  it('heic, as the JPEG it was made from, within 10', async () => {
    const got = await shown(sample('x265.heic'), 'x265.heic', [120, 80]);
    expect(difference(got, await pixelsOf(sample('rgb.jpg')))).toBeLessThan(10);
  });

  it.each(['dng', 'nef', 'cr2', 'orf', 'rw2', 'sr2', 'arw'])('synth.%s: eight bars', async (format) => {
    const got = await shown(sample(`synth.${format}`), `synth.${format}`, [480, 320]);
    expectBars(got, format);
  });

  it('a raw with a rotated orientation is upright', async () => {
    const file = turned(sample('synth.nef'), 6);
    const got = await shown(file, 'turned.nef', [320, 480]);
    // The first bar is on top, bright at the right.
    expect(nameOfColour(colourAt(got, 200, 90))).toBe('green');
    expect(nameOfColour(colourAt(got, 200, 150))).toBe('blue');
  });

  /** Sets the orientation in the first directory of a little-endian TIFF-like file. */
  function turned(file: Buffer, orientation: number): Buffer {
    const copy = Buffer.from(file);
    const directory = copy.readUInt32LE(4);
    for (let i = 0; i < copy.readUInt16LE(directory); i += 1) {
      const entry = directory + 2 + 12 * i;
      if (copy.readUInt16LE(entry) === 0x112) copy.writeUInt16LE(orientation, entry + 8);
    }
    return copy;
  }
});

describe('TIFF', () => {
  it('becomes a page for each of its pages, of mixed sizes (I-23), and page_range picks among them', async () => {
    const list = await embeddedImages(pdfOf(await image(sample('multi3.tiff'), 'multi3.tiff')));
    expect(list.map(({ width, height }) => [width, height])).toEqual([
      [120, 80],
      [120, 80],
      [80, 120],
    ]);
    const some = await embeddedImages(
      pdfOf(await image(sample('multi3.tiff'), 'x.tif', { page_range: '3' })),
    );
    expect(some.map(({ width }) => width)).toEqual([80]);
  });

  it('with one bit per pixel keeps one bit', async () => {
    const [embedded] = await embeddedImages(pdfOf(await image(sample('g4.tiff'), 'g4.tiff')));
    expect(embedded).toMatchObject({ colour: 'gray', bits: 1 });
  });

  it('with 16 bits per channel keeps 16 bits', async () => {
    const deep = (await through('convert', ['png:{in}', 'tiff:{out}'], sample('rgb16.png'))).bytes;
    const [embedded] = await embeddedImages(pdfOf(await image(deep, 'deep.tiff')));
    expect(embedded).toMatchObject({ colour: 'rgb', bits: 16 });
  });
});

describe('drawings keep their lines and shapes (I-23)', () => {
  const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80">
    <defs><linearGradient id="g"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient></defs>
    <style>.box{stroke:#060;stroke-width:4}</style>
    <rect class="box" x="10" y="10" width="60" height="60" fill="url(#g)"/>
    <circle cx="90" cy="40" r="25" fill="orange" fill-opacity=".5"/></svg>`;
  const EPS = `%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 10 20 130 100
%%EndComments
0 0 1 setrgbcolor 10 20 120 80 rectfill
1 0 0 setrgbcolor 40 40 30 30 rectfill
0 setgray /Helvetica findfont 10 scalefont setfont 20 85 moveto (Encapsulated) show
%%EOF
`;
  let ai: Buffer;

  beforeAll(async () => {
    const args = [
      '-q',
      '-dSAFER',
      '-dBATCH',
      '-dNOPAUSE',
      '-dEPSCrop',
      '-sDEVICE=pdfwrite',
      '-o',
      '{out}',
      '{in}',
    ];
    ai = (await through('gs', args, Buffer.from(EPS))).bytes;
  });

  it('svg: no pixels in the PDF, and the rendering of librsvg, within 3', async () => {
    const pdf = pdfOf(await image(Buffer.from(SVG), 'drawing.svg'));
    expect(await embeddedImages(pdf)).toEqual([]);
    const got = await shown(Buffer.from(SVG), 'drawing.svg', [120, 80]);
    expect(difference(got, await pixelsOf(await sharp(Buffer.from(SVG)).png().toBuffer()))).toBeLessThan(3);
  });

  it('svg text is text in the fonts of the product, with any family name', async () => {
    const names = ['Arial, sans-serif', "'Foo Bar', serif", 'monospace', ''];
    const lines = names.map((name, i) => {
      const attribute = name === '' ? '' : `font-family="${name}"`;
      return `<text x="5" y="${20 * (i + 1)}" ${attribute}>line ${i}</text>`;
    });
    const styled = `<style>.s { font: italic bold 12px/1.2 Helvetica, "Open Sans" }</style>
      <text class="s" x="5" y="100">styled</text><text x="5" y="120" style="font-family:Courier">inline</text>
      <text x="5" y="140">日本語 Привет ἄλφα</text>`;
    const svg = `<?xml version="1.0" encoding="UTF-8"?><svg xmlns="http://www.w3.org/2000/svg" width="200" height="150">${lines.join('')}${styled}</svg>`;
    const pdf = pdfOf(await image(Buffer.from(svg), 'text.svg'));
    const { stdout } = await through('pdftotext', ['{in}', '-'], pdf);
    for (const text of ['line 0', 'line 1', 'line 2', 'line 3', 'styled', 'inline', '日本語', 'Привет']) {
      expect(stdout).toContain(text);
    }
    const fonts = (await through('pdffonts', ['{in}'], pdf)).stdout;
    for (const font of ['Arimo', 'Tinos', 'Cousine', 'BoldItalic']) expect(fonts).toContain(font);
  });

  it('svg in UTF-16, and in Latin-1 as it declares', async () => {
    const svg = (head: string): string =>
      `${head}<svg xmlns="http://www.w3.org/2000/svg" width="99" height="40"><text x="9" y="20">Grüße</text></svg>`;
    const files = [
      Buffer.concat([
        Buffer.from([0xff, 0xfe]),
        Buffer.from(svg('<?xml version="1.0" encoding="UTF-16"?>'), 'utf16le'),
      ]),
      Buffer.from(svg('<?xml version="1.0" encoding="ISO-8859-1"?>'), 'latin1'),
    ];
    for (const file of files) {
      const { stdout } = await through('pdftotext', ['{in}', '-'], pdfOf(await image(file, 'x.svg')));
      expect(stdout).toContain('Grüße');
    }
  });

  it('eps, through Ghostscript: shapes, text, and every font embedded', async () => {
    const pdf = pdfOf(await image(Buffer.from(EPS), 'drawing.eps'));
    await expectDrawing(pdf);
    expect((await through('pdffonts', ['{in}'], pdf)).stdout).toMatch(/Helvetica .* yes yes (yes|no)/);
  });

  it('ai with a PDF inside, and ai that is PostScript', async () => {
    await expectDrawing(pdfOf(await image(ai, 'drawing.ai')));
    const old = EPS.replace('%%EndComments', '%%Creator: Adobe Illustrator(R) 8.0\n%%EndComments').replace(
      ' EPSF-3.0',
      '',
    );
    await expectDrawing(pdfOf(await image(Buffer.from(old), 'drawing.ai')));
  });

  it('eps without Ghostscript: 501 that says how to install it', async () => {
    const engines = { fontFolder: null, converter: localGhostscript('no-such-gs') };
    const reply = await service({ engines }).image(Buffer.from(EPS), 'drawing.eps');
    expect(reply.status).toBe(501);
    expect(String(reply.body)).toMatch(/engine_missing/);
    expect(String(reply.body)).toMatch(/ghostscript/);
  });

  /** Natural size is that of the drawing: 120 x 80 points, one inch from the left with a margin of 2.54 cm. */
  async function expectDrawing(pdf: Buffer): Promise<void> {
    expect(await embeddedImages(pdf)).toEqual([]);
    expect((await through('pdftotext', ['{in}', '-'], pdf)).stdout).toContain('Encapsulated');
    const page = await rendered(pdf, 72);
    const [left, top] = [28, 57];
    expect(colourAt(page, left + 10, top + 70)).toEqual([0, 0, 255]);
    expect(colourAt(page, left + 40, top + 45)).toEqual([255, 0, 0]);
    expect(colourAt(page, left + 125, top + 40)).toEqual([255, 255, 255]);
  }
});

describe('the content decides, not the name (I-23)', () => {
  it.each([
    ['rgb.jpg', 'wrong.png'],
    ['rgba.webp', 'wrong.tiff'],
    ['rgb.bmp', ''],
    ['x265.heic', 'IMG_0001.JPG'],
    ['synth.arw', 'wrong.jpg'],
  ])('%s sent as %j', async (name, given) => {
    expect((await image(sample(name), given)).status).toBe(200);
  });
});
