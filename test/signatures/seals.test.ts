import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { conform } from '../../packages/pdf/src/conformance/index.ts';
import { signPdf } from '../../packages/signatures/src/index.ts';
import { rawPdf, rawStream, workspace } from '../pdf/fixtures.ts';
import { type Authority, openAuthority } from './support.ts';
import { python } from '../support/python.ts';

/** What is seen of a signature leaves documents what they claim to be (I-45), which no change behind it could repair. */

const { dist } = await buildFontsLayer();
const fonts = join(dist, 'fonts', 'files');
let authority: Authority;
beforeAll(async () => {
  authority = await openAuthority();
});
afterAll(() => authority.close());

/** Fonts and pictures as pikepdf finds them: the glyphs that a font lists and has, and what pictures are painted in. */
const LOOK = `
import sys, json, struct, pikepdf
pdf = pikepdf.open(sys.argv[1]); found = {'fonts': [], 'colours': [], 'masks': 0}
for one in pdf.objects:
    if not isinstance(one, (pikepdf.Dictionary, pikepdf.Stream)): continue
    if '/FontFile2' in one:
        bits = one['/CIDSet'].read_bytes() if '/CIDSet' in one else b''
        listed = [n for n in range(len(bits) * 8) if bits[n >> 3] & (0x80 >> (n & 7))]
        font = one['/FontFile2'].read_bytes()
        tables = {}
        for at in range(12, 12 + 16 * struct.unpack('>H', font[4:6])[0], 16):
            name, _, start, length = struct.unpack('>4sIII', font[at:at + 16]); tables[name] = font[start:start + length]
        size = 'I' if tables[b'head'][51] else 'H'
        places = [place[0] for place in struct.iter_unpack('>' + size, tables[b'loca'])]
        drawn = [n for n in range(len(places) - 1) if places[n + 1] > places[n]]
        found['fonts'].append({'listed': listed, 'drawn': drawn})
    if one.get('/Subtype') == '/Form': found['colours'].append(sorted(one.Resources.get('/ColorSpace', {}).keys()))
    if '/SMask' in one: found['masks'] += 1
print(json.dumps(found))
`;

interface Found {
  fonts: { listed: number[]; drawn: number[] }[];
  colours: string[][];
  masks: number;
}

/** Signs a document with a picture through which the page shows, and a text. */
async function signed(part: number | null): Promise<Found> {
  const at = workspace();
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R >>';
  const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
  const path = rawPdf(at('in.pdf'), ['<< /Type /Catalog /Pages 2 0 R >>', pages, page, rawStream('', '')]);
  let given: Uint8Array = readFileSync(path);
  if (part !== null) {
    const { pdf } = await conform(given, { levels: ['pdf/a-2b'], title: 'Square' });
    const text = Buffer.from(pdf).toString('latin1');
    given = Buffer.from(text.replace('pdfaid:part>2<', `pdfaid:part>${part}<`), 'latin1');
  }
  const colour = { r: 255, g: 0, b: 0, alpha: 0.5 };
  const drawing = sharp({ create: { width: 20, height: 20, channels: 4, background: colour } });
  const image = await drawing.png().toBuffer();
  const appearance = { page: 1, x: 1, y: 1, w: 6, h: 2, text: 'SignéÄö', image };
  const signer = authority.signer('Signer', { kind: 'rsa' });
  writeFileSync(at('out.pdf'), await signPdf(given, signer, { appearance, fonts }));
  return JSON.parse(python(LOOK, at('out.pdf'))) as Found;
}

it('has all glyphs of its fonts listed and no transparency, in PDF/A-1 (ISO 19005-1, 6.3.5 and 6.4)', async () => {
  const { fonts: [font], masks } = await signed(1); // prettier-ignore
  expect(masks).toBe(0);
  expect(font?.listed).toEqual([0, ...(font?.drawn ?? []).filter((glyph) => glyph !== 0)]);
  expect(font?.drawn.length).toBeGreaterThan(5);
});

it('has its own colour spaces in PDF/A, with any output intent of the document (ISO 19005-2, 6.2.4.3)', async () => {
  const own = ['/DefaultGray', '/DefaultRGB'];
  const { colours, fonts: [font], masks } = await signed(2); // prettier-ignore
  expect(colours).toEqual([own, own]);
  expect(masks).toBe(1);
  expect(font?.listed).toEqual([]);
});

it('has the colours of its pages in other documents', async () => {
  const { colours } = await signed(null);
  expect(colours).toEqual([[], []]);
});
