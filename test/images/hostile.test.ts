import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detectImageFormat } from '../../packages/imaging/src/image-type.ts';
import { colourAt, grayPng, problemOf, sample, service, shown, through } from './support.ts';

/** Whatever is sent: a clear 413 or 422, nothing fetched, memory bounded, and the next request is answered. */

const { image } = service();

// A folder for temporary files that no other test writes to.
process.env['TMPDIR'] = mkdtempSync(path.join(tmpdir(), 'platen-hostile-'));
afterAll(() => rmSync(tmpdir(), { recursive: true }));

describe('bombs are refused before they are unpacked', () => {
  it('a PNG of 30000 x 30000 pixels in a few kilobytes: 413', async () => {
    expect(problemOf(await image(pngOf(30_000, 30_000), 'bomb.png'))).toMatchObject({
      status: 413,
      code: 'image_too_large',
    });
  });

  it('the same in an icon: 413 or 422', async () => {
    expect([413, 422]).toContain(problemOf(await image(icoOf(pngOf(30_000, 30_000)), 'bomb.ico')).status);
  });

  it('a JPEG and a BMP with huge dimensions in the header: 413 or 422', async () => {
    const jpeg = Buffer.from(sample('rgb.jpg'));
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    jpeg.writeUInt16BE(65_000, frame + 5);
    jpeg.writeUInt16BE(65_000, frame + 7);
    const bmp = Buffer.from(sample('rgb.bmp'));
    bmp.writeInt32LE(60_000, 18);
    bmp.writeInt32LE(60_000, 22);
    for (const [file, name] of [
      [jpeg, 'x.jpg'],
      [bmp, 'x.bmp'],
    ] as const) {
      expect([413, 422], name).toContain((await image(file, name)).status);
    }
  });

  it('an SVG of 100000 x 100000: a drawing has no pixels, so it is shrunk to the page', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"><circle r="9"/></svg>';
    expect((await image(Buffer.from(svg), 'x.svg')).status).toBe(200);
  });

  it('an SVG whose filter would need pixels without end: 413 or 422, 504, or the page', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000">
      <filter id="f" x="0" y="0" width="1" height="1"><feTurbulence baseFrequency=".1"/></filter>
      <rect width="100000" height="100000" filter="url(#f)"/></svg>`;
    const reply = await service({ timeout: 3_000 }).image(Buffer.from(svg), 'x.svg');
    expect([200, 413, 422, 504]).toContain(reply.status);
  });

  it('an SVG that multiplies itself: entities, and uses of uses', async () => {
    const entities = Array.from(
      { length: 12 },
      (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
    ).join('');
    const laughs = `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&e12;</text></svg>`;
    expect([413, 422]).toContain(problemOf(await image(Buffer.from(laughs), 'x.svg')).status);
    const groups = Array.from(
      { length: 30 },
      (_, i) => `<g id="g${i + 1}"><use href="#g${i}"/><use href="#g${i}" x="1"/></g>`,
    ).join('');
    const uses = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><defs><path id="g0" d="M0 0h1v1z"/>${groups}</defs><use href="#g30"/></svg>`;
    const problem = problemOf(await service({ timeout: 5_000 }).image(Buffer.from(uses), 'x.svg'));
    expect([413, 422, 504]).toContain(problem.status);
  });

  it('an SVG nested 100000 deep', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${'<g>'.repeat(100_000)}${'</g>'.repeat(100_000)}</svg>`;
    expect([413, 422]).toContain(problemOf(await image(Buffer.from(svg), 'x.svg')).status);
  });
});

describe('cut off', () => {
  const files = readdirSync(new URL('samples', import.meta.url)).filter((name) => name !== 'simple.svg');

  it.each(files)('%s, at a half and at nine tenths: 422', async (name) => {
    for (const part of [0.5, 0.9]) {
      const whole = sample(name);
      const reply = await image(whole.subarray(0, Math.floor(whole.length * part)), name);
      expect(reply.status, String(part)).toBe(422);
      expect(Buffer.from(reply.body as string).toString('latin1'), String(part)).toMatch(
        /cut off|damaged|not an image in a supported format/,
      );
    }
  });

  it('a PNG without its last chunk is a picture, if it has all of its pixels', async () => {
    const red = { width: 40, height: 40, channels: 3, background: '#f00' } as const;
    const unended = (await sharp({ create: red }).png().toBuffer()).subarray(0, -12);
    expect(colourAt(await shown(unended, 'x.png', [40, 40]), 20, 20)).toEqual([255, 0, 0]);
    // Four bytes less of them, in a chunk that is itself whole.
    const start = unended.indexOf('IDAT') - 4;
    const short = Buffer.from(unended.subarray(0, -4));
    short.writeUInt32BE(short.readUInt32BE(start) - 4, start);
    short.writeUInt32BE(crc32(short.subarray(start + 4, -4)), short.length - 4);
    expect(problemOf(await image(short, 'x.png'))).toMatchObject({
      status: 422,
      detail: 'The PNG is cut off: its end is missing.',
    });
  });

  it('an SVG in the middle of an element: 422', async () => {
    const problem = problemOf(await image(sample('simple.svg').subarray(0, 120), 'x.svg'));
    expect(problem).toMatchObject({ status: 422, code: 'image_invalid' });
  });
});

describe('changed bytes', () => {
  it('never cause a 500', async () => {
    let seed = 42;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (const name of [
      'rgb.jpg',
      'rgba.png',
      'rgba.webp',
      'rgba.gif',
      'multi3.tiff',
      'cmyk.tiff',
      'rgb.bmp',
    ]) {
      for (let round = 0; round < 6; round += 1) {
        const file = Buffer.from(sample(name));
        for (let i = 0; i < 5; i += 1) file.writeUInt8(random(256), 12 + random(file.length - 12));
        expect([200, 413, 422], `${name} ${round}`).toContain((await image(file, name)).status);
      }
    }
  });

  it('in a chunk of a PNG that is no part of the picture leave that chunk out', async () => {
    const red = { width: 40, height: 40, channels: 3, background: '#f00' } as const;
    const png = await sharp({ create: red }).withMetadata({ density: 192 }).png().toBuffer();
    const place = png.indexOf('pHYs');
    expect(place).toBeGreaterThan(0);
    const damaged = Buffer.from(png);
    damaged.writeUInt8(0xff, place + 4);
    expect(colourAt(await shown(damaged, 'x.png', [40, 40]), 20, 20)).toEqual([255, 0, 0]);
  });

  it('in a chunk of a PNG are found, even if the data is not decoded', async () => {
    const png = Buffer.from(sample('rgb16.png'));
    const at = png.indexOf('IDAT') + 100;
    png.writeUInt8(png.readUInt8(at) ^ 1, at);
    expect(problemOf(await image(png, 'x.png')).detail).toMatch(/checksum/);
  });

  it.each([
    ['nothing', Buffer.alloc(0), 422],
    ['text', Buffer.from('hello'), 422],
    ['a PDF', Buffer.from('%PDF-1.7\n%%EOF'), 422],
    ['a PDF that says it is an ai', Buffer.from('%PDF-1.7\n/AIPrivateData\n%%EOF'), 422],
    ['html', Buffer.from('<html><svg></svg></html>'), 422],
    ['zeros', Buffer.alloc(100_000), 422],
    ['random bytes', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919 * (i + 13)) & 255)), 422],
  ])('%s', async (_, file, status) => {
    expect((await image(file, 'x.ai')).status).toBe(status);
  });
});

describe('nothing is fetched', () => {
  let server: Server;
  let asked: string[];
  let base: string;

  beforeAll(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });

  afterAll(() => server.close());

  it('by an SVG: pictures, styles, fonts, uses, entities, includes', async () => {
    const svg = `<?xml version="1.0"?><?xml-stylesheet href="${base}/pi.css"?>
      <!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY % y SYSTEM "${base}/entity">%y;]>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" width="90" height="90">
      <style>@import url(${base}/import.css); @font-face { font-family: F; src: url(${base}/font) } rect { fill: url(${base}/paint#p) }</style>
      <image href="${base}/image.png" width="9" height="9"/><image xlink:href="file:///etc/passwd" width="9" height="9"/>
      <use href="${base}/use.svg#a"/><xi:include href="file:///etc/passwd" parse="text"/>
      <rect width="9" height="9"/><text x="9" y="50" font-family="F">text</text>
      <script href="${base}/script.js">fetch('${base}/fetch')</script>
      <foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${base}/frame"/></foreignObject></svg>`;
    const replies = [
      await image(Buffer.from(svg), 'x.svg'),
      await image(Buffer.from(svg.replace(/<!DOCTYPE.*\]>/s, '')), 'x.svg'),
      await image(
        Buffer.from(
          svg
            .replace(/<!DOCTYPE.*\]>/s, '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>')
            .replace('>text<', '>&x;<'),
        ),
        'x.svg',
      ),
    ];
    expect(replies.map(({ status }) => status)).toEqual([422, 200, 422]);
    const [refused, answered, unknown] = replies;
    const { stdout } = await through('pdftotext', ['{in}', '-'], Buffer.from(answered?.body as Uint8Array));
    for (const text of [stdout, String(refused?.body), String(unknown?.body)])
      expect(text).not.toContain('root:');
    expect(asked).toEqual([]);
  });

  it('by PostScript: no file is read or written, no program is started', async () => {
    const attempts = [
      '(/etc/passwd) (r) file 100 string readline pop show',
      '(%pipe%touch /tmp/platen-was-here) (w) file closefile',
      '(/tmp/platen-was-here) (w) file closefile',
      '(/tmp/platen-was-here) run',
      'systemdict /.forceput get',
    ];
    for (const attempt of attempts) {
      const eps = `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 99 99\n${attempt}\nshowpage\n`;
      const problem = problemOf(await image(Buffer.from(eps), 'x.eps'));
      expect(problem, attempt).toMatchObject({ status: 422, code: 'image_invalid' });
      expect(problem.detail).not.toMatch(/passwd|platen-was-here/);
    }
    expect(readdirSync('/tmp')).not.toContain('platen-was-here');
  });
});

describe('work without end is ended', () => {
  it('PostScript that loops: 504, and no process is left', async () => {
    const eps = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 99 99\n{ } loop\n';
    const problem = problemOf(await service({ timeout: 1_000 }).image(Buffer.from(eps), 'x.eps'));
    expect(problem).toMatchObject({ status: 504, code: 'deadline_exceeded' });
  });

  it('PostScript that fills the memory or the disk: 413 or 422', async () => {
    const head = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 99 99\n';
    for (const body of ['[ { 1000000 string } loop', '0 1 100000000 { array } for']) {
      const reply = await service({ timeout: 5_000 }).image(Buffer.from(head + body), 'x.eps');
      expect([413, 422, 504], body).toContain(reply.status);
    }
  });

  it('a decoder that takes too long: 504, and the next request is answered', async () => {
    const quick = service({ timeout: 1 });
    expect(problemOf(await quick.image(sample('x265.heic'), 'x.heic')).status).toBe(504);
    expect((await image(sample('x265.heic'), 'x.heic')).status).toBe(200);
  });

  it('leaves no file behind', () => {
    expect(readdirSync(tmpdir())).toEqual([]);
  });
});

describe('many at once', () => {
  it('thirty requests of all kinds are all answered', async () => {
    const names = ['rgb.jpg', 'rgba.png', 'rgba.webp', 'rgb.bmp', 'x265.heic', 'simple.svg'];
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        const name = names[i % names.length] ?? '';
        return image(sample(name), name);
      }),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
  });
});

/** A gray PNG whose data is far too short for its size. */
function pngOf(width: number, height: number): Buffer {
  return grayPng({ width, height, bits: 8 }, Buffer.alloc(1_000_000));
}

function icoOf(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(22, 18);
  const file = Buffer.concat([head, png]);
  if (detectImageFormat(file) !== 'ico') throw new Error('not an icon');
  return file;
}
