import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Step } from '../../../packages/pdf/src/steps/index.ts';
import { POSITIONS, type StampStep } from '../../../packages/pdf/src/steps/types.ts';
import { describePdf } from '../describe.ts';
import { expectSound, pageTexts, rawPdf, rawStream, run, textPages, workspace } from '../fixtures.ts';
import { richPdf } from '../rich.ts';
import { chain } from './chain.ts';
import { pixels } from './pixels.ts';
import { python } from '../../support/python.ts';

/** Stamps, watermarks, page numbers and letterheads (I-46), as poppler draws and reads them. */

const stamp = (options: StampStep): Step => ({ name: 'stamp', options });

/** A sheet of 400 by 300 points, of which an area is seen, turned. */
function sheet(path: string, entries = '', content = ''): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 400 300] ${entries} >>`,
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    rawStream('', content),
  ]);
}

/** A red square of 72 points, with a green corner at its upper left. */
async function square(path: string): Promise<string> {
  const side = 96;
  const samples = Buffer.alloc(side * side * 3);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) samples[(y * side + x) * 3 + (x < 24 && y < 24 ? 1 : 0)] = 255;
  }
  await sharp(samples, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .withMetadata({ density: 96 })
    .toFile(path);
  return path;
}

const RED = [255, 0, 0];
const GREEN = [0, 255, 0];
const WHITE = [255, 255, 255];

it.each([0, 90, 180, 270])(
  'is upright where the reader sees it on a page turned by %i and cropped',
  async (rotate) => {
    const at = workspace();
    const input = sheet(at('in.pdf'), `/Rotate ${rotate} /CropBox [50 40 350 260] /UserUnit 1`);
    const image = await square(at('square.png'));
    const output = await chain([input], at('out.pdf'), [stamp({ image, x: 2.54, y: 1.27 })]);
    expectSound(output);
    const seen = await pixels(output);
    expect([seen.width, seen.height]).toEqual(rotate % 180 === 0 ? [300, 220] : [220, 300]);
    expect(seen.at(72 + 6, 36 + 6)).toEqual(GREEN);
    expect(seen.at(72 + 66, 36 + 66)).toEqual(RED);
    expect([seen.at(72 - 3, 36 + 6), seen.at(72 + 6, 36 - 3), seen.at(72 + 75, 36 + 66)]).toEqual([
      WHITE,
      WHITE,
      WHITE,
    ]);
  },
);

it('leaves out streams of no bytes, at which releases of poppler stop reading', async () => {
  const at = workspace();
  const input = rawPdf(at('in.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 400 300] >>',
    '<< /Type /Page /Parent 2 0 R /Contents [4 0 R 5 0 R] >>',
    rawStream('/Filter /FlateDecode', ''),
    rawStream('', '0 0 1 rg 0 0 20 20 re f'),
  ]);
  const output = await chain([input], at('out.pdf'), [stamp({ text: 'COPY' })]);
  const shown = run('qpdf', '--show-pages', output).match(/(?<=^ +)\d+(?= 0 R$)/gm) ?? [];
  expect(shown).toHaveLength(4);
  for (const id of shown)
    expect(run('qpdf', `--show-object=${id}`, '--raw-stream-data', output)).not.toBe('');
});

it('has nine positions, a centimetre from the edges', async () => {
  const at = workspace();
  const image = await square(at('square.png'));
  const input = sheet(at('in.pdf'));
  const edge = 72 / 2.54;
  for (const position of POSITIONS) {
    const seen = await pixels(await chain([input], at('out.pdf'), [stamp({ image, position })]));
    const x = position.endsWith('left') ? edge : position.endsWith('right') ? 400 - edge - 72 : 164;
    const y = position.startsWith('top') ? edge : position.startsWith('bottom') ? 300 - edge - 72 : 114;
    expect([position, seen.at(Math.round(x + 6), Math.round(y + 6))]).toEqual([position, GREEN]);
    expect([position, seen.at(Math.round(x + 66), Math.round(y + 66))]).toEqual([position, RED]);
  }
});

it('is drawn over the content of the page, or under it, with its opacity', async () => {
  const at = workspace();
  const image = await square(at('square.png'));
  // What the page leaves set does not reach the stamp.
  const input = sheet(at('in.pdf'), '', '0 0 1 rg 150 100 100 100 re f 2 0 0 2 50 50 cm 0 0 0 0 re W n');
  const over = await pixels(await chain([input], at('over.pdf'), [stamp({ image })]));
  expect(over.at(200, 160)).toEqual(RED);
  const under = await pixels(
    await chain([input], at('under.pdf'), [{ name: 'watermark', options: { image } }]),
  );
  expect(under.at(200, 160)).toEqual([0, 0, 255]);
  const half = await pixels(await chain([input], at('half.pdf'), [stamp({ image, opacity: 0.5 })]));
  const [red = 0, , blue = 0] = half.at(200, 160);
  expect(Math.abs(red - 128) + Math.abs(blue - 128)).toBeLessThan(6);
  const turned = await pixels(
    await chain([input], at('turned.pdf'), [stamp({ image, angle: 90, scale: 2 })]),
  );
  // Counter-clockwise: what was at the upper left is at the lower left.
  expect(turned.at(200 - 66, 150 + 66)).toEqual(GREEN);
  expect(turned.at(200 - 66, 150 - 66)).toEqual(RED);
});

it.each([
  ['Ärger & Σίσυφος, Жук', undefined],
  ['שלום 123 abc', undefined],
  ['مرحبا بالعالم', undefined],
  ['日本語のテキスト', undefined],
  ['中文 한국어', 'Times New Roman'],
  ['नमस्ते दुनिया', 'Noto Sans Devanagari Bold'],
  ['สวัสดี ∑≈√', undefined],
])('sets %s with fonts that have it, and the text is there to be read', async (text, font) => {
  const at = workspace();
  const output = await chain([sheet(at('in.pdf'))], at('out.pdf'), [
    stamp({ text, font, size: 18, color: '#c00000' }),
  ]);
  expectSound(output);
  const letters = (value: string): string[] =>
    [...value.normalize('NFKC').replace(/[\s\u200e\u200f\u202a-\u202e]/g, '')].sort();
  expect(letters(run('pdftotext', output, '-'))).toEqual(letters(text));
  expect(
    run('pdffonts', output)
      .trim()
      .split('\n')
      .slice(2)
      .every((line) => /yes +yes +yes/.test(line)),
  ).toBe(true);
  const seen = await pixels(output);
  const isRed = (x: number, y: number): boolean =>
    (seen.at(x, y)[0] ?? 0) > 150 && (seen.at(x, y)[1] ?? 255) < 80;
  const columns = Array.from({ length: 400 }, (_, x) => x).filter((x) =>
    Array.from({ length: 300 }, (_, y) => y).some((y) => isRed(x, y)),
  );
  expect(Math.abs(200 - ((columns[0] ?? 0) + (columns.at(-1) ?? 0)) / 2)).toBeLessThan(4);
});

it('names the character without a glyph, and the unknown font family', async () => {
  const at = workspace();
  const input = sheet(at('in.pdf'));
  const attempt = (options: StampStep): Promise<string> => chain([input], at('out.pdf'), [stamp(options)]);
  await expect(attempt({ text: 'a\u{10ffff}' })).rejects.toMatchObject({
    code: 'invalid_field',
    faults: [{ field: 'steps[0].stamp.text', message: expect.stringContaining('U+10FFFF') }],
  });
  await expect(attempt({ text: 'a', font: 'Comic Sans' })).rejects.toMatchObject({
    code: 'invalid_field',
    faults: [{ field: 'steps[0].stamp.font' }],
  });
});

it('html is refused with the reason if there is no browser', async () => {
  const at = workspace();
  const input = richPdf(at('html.pdf'), 'alpha');
  const stamped = chain([input], at('out.pdf'), [{ name: 'stamp', options: { html: '<p>x' } }]);
  await expect(stamped).rejects.toMatchObject({
    code: 'engine_missing',
    faults: [{ field: 'steps[0].stamp.html' }],
  });
});

it('prints no html for a document without pages', async () => {
  const at = workspace();
  const input = rawPdf(at('none.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [] /Count 0 >>',
  ]);
  // Nothing prints html here, which any page would need.
  const output = await chain([input], at('out.pdf'), [stamp({ html: '<p>x' })]);
  expectSound(output);
});

/** On each page, the kinds of artifacts within which forms of stamps are drawn; "none" for one that is in none. */
const ARTIFACTS = `
import sys, json, pikepdf
pdf, found = pikepdf.open(sys.argv[1]), []
for page in pdf.pages:
    open_marks, drawn = [], []
    for operands, operator in pikepdf.parse_content_stream(page):
        if str(operator) == 'BMC': open_marks.append(None)
        if str(operator) == 'BDC':
            is_artifact = operands[0] == '/Artifact' and isinstance(operands[1], pikepdf.Dictionary)
            open_marks.append(str(operands[1].get('/Subtype')) if is_artifact else None)
        if str(operator) == 'EMC': open_marks.pop()
        if str(operator) == 'Do' and str(operands[0]).startswith('/Pl'):
            drawn.append(next((mark for mark in open_marks if mark), 'none'))
    found.append(drawn)
print(json.dumps(found))
`;

it('is an artifact in a tagged file, which keeps its tags, fields, links, layers, labels and attachments', async () => {
  const at = workspace();
  const input = richPdf(at('in.pdf'), 'alpha');
  const before = describePdf(input);
  const output = await chain([input], at('out.pdf'), [
    stamp({ text: 'PAID', pages: '1,3' }),
    { name: 'watermark', options: { text: 'Draft', angle: 45, opacity: 0.2, size: 80 } },
    { name: 'page_numbers', options: { format: '{page:4} of {pages}', first: 7, position: 'bottom-right' } },
    { name: 'letterhead', options: { pdf: sheet(at('letter.pdf'), '', '1 0 0 RG 20 w 0 0 400 300 re S') } },
  ]);
  expectSound(output);
  const after = describePdf(output);
  const { pages: _before, catalog: _catalogBefore, xmp: _xmp, tagged: _tagged, ...kept } = before;
  expect(after).toMatchObject(kept);
  expect(after.tagged.flat()).toHaveLength(before.tagged.flat().length);
  const texts = pageTexts(output);
  expect(texts.map((text) => /\d{4} of \d+/.exec(text)?.[0])).toEqual([
    '0007 of 9',
    '0008 of 9',
    '0009 of 9',
  ]);
  expect(texts.map((text) => text.includes('PAID'))).toEqual([true, false, true]);
  // What is stamped is nothing of the tags' text.
  const structure = run('pdfinfo', '-struct-text', output);
  expect(structure).toContain('alpha page 1');
  expect(structure).not.toMatch(/PAID|Draft|0007/);
  // Content that is in no tag has to be said to be an artifact (ISO 14289-1, 7.1).
  const [first] = JSON.parse(python(ARTIFACTS, output)) as string[][];
  expect(first?.toSorted()).toEqual(['/Header', '/PageNum', '/Watermark', '/Watermark']);
});

it('numbers the pages that are asked for, and those alone, from the first number on', async () => {
  const at = workspace();
  const input = textPages(at('in.pdf'), ['one', 'two', 'three', 'four']);
  const options = { format: 'no. {page} of {pages}', first: 5, pages: '2,4' };
  const output = await chain([input], at('out.pdf'), [{ name: 'page_numbers', options }]);
  const numbers = pageTexts(output).map((text) => /no\. \d+ of \d+/.exec(text)?.[0]);
  expect(numbers).toEqual([undefined, 'no. 5 of 6', undefined, 'no. 6 of 6']);
});

it('puts the letterhead of the first page there, in the size of each page', async () => {
  const at = workspace();
  const input = richPdf(at('in.pdf'), 'alpha');
  const fill = (color: string, name: string): string => sheet(at(name), '', `${color} rg 0 0 400 300 re f`);
  const options = { pdf: fill('0 0 1', 'rest.pdf'), first: fill('1 0 0', 'first.pdf') };
  const output = await chain([input], at('out.pdf'), [{ name: 'letterhead', options }]);
  run('pdftoppm', '-r', '72', '-png', output, at('page'));
  const middle = async (page: number): Promise<number[]> => {
    const { data, info } = await sharp(at(`page-${page}.png`))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [...data.subarray((421 * info.width + 500) * 3).subarray(0, 3)];
  };
  expect([await middle(1), await middle(2)]).toEqual([RED, [0, 0, 255]]);
});

it('names the part that is not a PDF or not an image', async () => {
  const at = workspace();
  const input = sheet(at('in.pdf'));
  writeFileSync(at('text'), 'nothing of the kind');
  await expect(chain([input], at('out.pdf'), [stamp({ pdf: at('text') })])).rejects.toMatchObject({
    faults: [{ field: 'steps[0].stamp.pdf' }],
  });
  await expect(chain([input], at('out.pdf'), [stamp({ image: at('text') })])).rejects.toMatchObject({
    code: 'image_invalid',
    faults: [{ field: 'steps[0].stamp.image' }],
  });
});

describe('a PDF as stamp', () => {
  /** Pages of 100 by 100 points in one colour each. */
  function coloured(path: string, colours: readonly string[]): string {
    const kids = colours.map((_, at) => `${3 + 2 * at} 0 R`).join(' ');
    return rawPdf(path, [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${colours.length} /MediaBox [0 0 100 100] >>`,
      ...colours.flatMap((colour, at) => [
        `<< /Type /Page /Parent 2 0 R /Contents ${4 + 2 * at} 0 R >>`,
        rawStream('', `${colour} rg 0 0 100 100 re f`),
      ]),
    ]);
  }

  it.each([
    [undefined, [RED, RED, RED, RED]],
    ['first', [RED, RED, RED, RED]],
    ['each', [RED, GREEN, [0, 0, 255], [0, 0, 255]]],
  ] as const)('puts its pages on pages: pdfPages %s (I-46)', async (pdfPages, expected) => {
    const at = workspace();
    const input = textPages(at('in.pdf'), ['a', 'b', 'c', 'd']);
    const pdf = coloured(at('stamp.pdf'), ['1 0 0', '0 1 0', '0 0 1']);
    const output = await chain([input], at('out.pdf'), [stamp({ pdf, pdfPages, x: 1, y: 1 })]);
    for (const [index, colour] of expected.entries())
      expect((await pixels(output, index + 1)).at(60, 60)).toEqual(colour);
  });

  const layered = (path: string, config: string): string =>
    rawPdf(path, [
      `<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [5 0 R 6 0 R] /D << ${config} >> >> >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 200 100] >>',
      '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Properties << /a 5 0 R >> /XObject << /X 7 0 R >> >> >>',
      rawStream('', '/OC /a BDC 1 0 0 rg 0 0 100 100 re f EMC /X Do'),
      '<< /Type /OCG /Name (hidden) >>',
      '<< /Type /OCG /Name (form) >>',
      rawStream('/Type /XObject /Subtype /Form /BBox [0 0 200 100] /OC 6 0 R', '0 1 0 rg 100 0 100 100 re f'),
    ]);

  it.each<[string, string, number[], number[]]>([
    ['all on', '', RED, GREEN],
    ['marked content off', '/OFF [5 0 R]', WHITE, GREEN],
    ['a form off', '/OFF [6 0 R]', RED, WHITE],
    ['all off but one', '/BaseState /OFF /ON [5 0 R]', RED, WHITE],
    ['all off', '/BaseState /OFF', WHITE, WHITE],
  ])('keeps its layers as they are: %s', async (_, config, left, right) => {
    const at = workspace();
    for (const [name, own] of [
      ['without layers', textPages(at('a.pdf'), ['a'])],
      ['with layers', layered(at('b.pdf'), '/OFF [5 0 R 6 0 R]')],
      ['with all layers off', layered(at('c.pdf'), '/BaseState /OFF')],
    ] as const) {
      const output = await chain([own], at('out.pdf'), [
        stamp({ pdf: layered(at('stamp.pdf'), config), x: 0, y: 0 }),
      ]);
      expectSound(output);
      const seen = await pixels(output);
      expect([name, seen.at(50, 50), seen.at(150, 50)]).toEqual([name, left, right]);
    }
  });
});
