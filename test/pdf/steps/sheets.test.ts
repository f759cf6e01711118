import { expect, it } from 'vitest';
import type { ImposeStep, Paper, ScaleStep } from '../../../packages/pdf/src/steps/types.ts';
import { describePdf } from '../describe.ts';
import { expectSound, rawPdf, rawStream, run, workspace } from '../fixtures.ts';
import { richPdf } from '../rich.ts';
import { chain } from './chain.ts';
import { pixels } from './pixels.ts';

/** Pages on sheets of another size, and several on one (I-46), as poppler and qpdf see them. */

const A4: Paper = { width: 595.28, height: 841.89, follows: true };
const exact = (width: number, height: number): Paper => ({ width, height, follows: false });

const scaled = async (input: string, output: string, options: ScaleStep): Promise<string> => {
  await chain([input], output, [{ name: 'scale', options }]);
  expectSound(output);
  return output;
};
const imposed = async (input: string, output: string, options: ImposeStep): Promise<string> => {
  await chain([input], output, [{ name: 'impose', options }]);
  expectSound(output);
  return output;
};

const COLOURS = ['1 0 0', '0 1 0', '0 0 1', '1 1 0', '0 1 1'];
const RGB = COLOURS.map((colour) => colour.split(' ').map((part) => Number(part) * 255));
const WHITE = [255, 255, 255];

/** Pages 200 points high, each in a colour of its own. */
function coloured(path: string, count: number, width = 100): string {
  const kids = Array.from({ length: count }, (_, index) => 3 + 2 * index);
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.map((id) => `${id} 0 R`).join(' ')}] /Count ${count} /MediaBox [0 0 ${width} 200] >>`,
    ...kids.flatMap((id, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${id + 1} 0 R >>`,
      rawStream('', `${COLOURS[index]} rg 0 0 ${width} 200 re f`),
    ]),
  ]);
}

/** Which of the colours stands where, from 1; 0 is paper. */
async function seen(path: string, places: [x: number, y: number][], page = 1): Promise<number[]> {
  const { at } = await pixels(path, page);
  return places.map(([x, y]) => RGB.findIndex((rgb) => String(rgb) === String(at(x, y))) + 1);
}

it.each([
  ['contain', [[150, 10], [55, 10], [150, 190], [245, 190]], [1, 0, 1, 0]],
  ['cover', [[5, 5], [295, 195]], [1, 1]],
  ['fill', [[2, 2], [298, 198]], [1, 1]],
  ['none', [[150, 10], [90, 100], [205, 100]], [1, 0, 0]],
] as const)('fits a page onto a sheet: %s', async (fit, places, colours) => {
  const at = workspace();
  const output = await scaled(coloured(at('in.pdf'), 1), at('out.pdf'), { paper: exact(300, 200), fit });
  const { width, height } = await pixels(output);
  expect([width, height]).toEqual([300, 200]);
  expect(await seen(output, places.map(([x, y]) => [x, y]))).toEqual(colours);
}); // prettier-ignore

it.each([0, 90, 180, 270])('scales the visible part of a page turned by %i, and hides the rest', async (rotate) => {
  const at = workspace();
  // Of the sheet a square is seen: red, with a pattern in its middle, a link over its lower left quarter, blue around.
  const input = rawPdf(at('in.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction [3 0 R /XYZ 50 150 0] >>',
    `<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 300 300] /CropBox [50 50 150 150] /Rotate ${rotate} /UserUnit 1 >>`,
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [6 0 R] /Resources << /Pattern << /P 5 0 R >> >> >>',
    rawStream('', '0 0 1 rg 0 0 300 300 re f 1 0 0 rg 50 50 100 100 re f /Pattern cs /P scn 90 90 20 20 re f'),
    rawStream(
      '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 300 300] /XStep 300 /YStep 300 /Resources << >>',
      '0 1 0 rg 95 95 10 10 re f',
    ),
    '<< /Type /Annot /Subtype /Link /Rect [50 50 100 100] /QuadPoints [50 50 100 50 50 100 100 100] /Border [0 0 0] /Dest [3 0 R /FitH 100] >>',
  ]);
  const output = await scaled(input, at('out.pdf'), { paper: exact(400, 200) });
  const { at: pixel, width, height } = await pixels(output);
  expect([width, height]).toEqual([400, 200]);
  expect([pixel(105, 5), pixel(295, 195), pixel(95, 100), pixel(305, 100)]).toEqual([RGB[0], RGB[0], WHITE, WHITE]);
  expect([pixel(200, 100), pixel(192, 100), pixel(188, 100)]).toEqual([RGB[1], RGB[1], RGB[0]]);
  const found = run('qpdf', '--qdf', '--object-streams=disable', output, '-');
  // The quarter of the square that its own lower left is, in the middle of a sheet that is turned with the page.
  const [x, y] = rotate % 180 === 0 ? [100, 0] : [0, 100];
  expect(found.replace(/\s+/g, ' ')).toContain(`/Rect [ ${x} ${y} ${x + 100} ${y + 100} ]`);
  expect(found.replace(/\s+/g, ' ')).toMatch(/\/OpenAction \[ \d+ 0 R \/XYZ \d+ \d+ 0 \]/);
  expect(found.replace(/\s+/g, ' ')).toContain(`/FitH ${y + 100} ]`);
}); // prettier-ignore

it('keeps everything a page has when it is scaled', async () => {
  const at = workspace();
  const before = describePdf(richPdf(at('in.pdf'), 'alpha'));
  const after = describePdf(await scaled(at('in.pdf'), at('out.pdf'), { paper: exact(300, 300) }));
  expect(after.faults).toEqual([]);
  for (const key of ['pages', 'labels', 'outline', 'destinations', 'fields', 'attachments', 'tagged'] as const) {
    expect(after[key], key).toEqual(before[key]);
  }
  expect(run('pdfinfo', '-f', '1', '-l', '3', at('out.pdf')).match(/size: +300 x 300/g)).toHaveLength(3);
}); // prettier-ignore

it.each(['scale', 'impose'] as const)(
  'takes along annotations that are no objects of their own: %s',
  async (name) => {
    const at = workspace();
    const input = rawPdf(at('in.pdf'), [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 100 100] >>',
      '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [<< /Type /Annot /Subtype /Link /Rect [10 20 30 40] /Border [0 0 0] /A << /S /URI /URI (https://example.org/) >> >>] >>',
      rawStream('', '0 0 100 100 re f'),
    ]);
    const paper = exact(300, 300);
    const output =
      name === 'scale'
        ? await scaled(input, at('out.pdf'), { paper })
        : await imposed(input, at('out.pdf'), { columns: 1, rows: 1, paper });
    const found = run('qpdf', '--qdf', '--object-streams=disable', output, '-').replace(/\s+/g, ' ');
    expect(found).toContain('/Rect [ 30 60 90 120 ]');
    expect(found).not.toContain('/Rect [ 10 20 30 40 ]');
  },
);

it.each([
  ['rows', [1, 2, 3, 4]],
  ['columns', [1, 3, 2, 4]],
] as const)('puts pages into columns and rows: %s', async (order, colours) => {
  const at = workspace();
  const options = { columns: 2, rows: 2, paper: exact(300, 500), margin: 1, gap: 1, order };
  const output = await imposed(coloured(at('in.pdf'), 5), at('out.pdf'), options);
  const places: [number, number][] = [[90, 140], [210, 140], [90, 360], [210, 360]]; // prettier-ignore
  expect(await seen(output, places)).toEqual(colours);
  // Margins and gaps of a centimetre, 28 points, are free.
  expect(await seen(output, [[14, 140], [150, 140], [90, 250], [90, 490]])).toEqual([0, 0, 0, 0]); // prettier-ignore
  expect(await seen(output, places, 2)).toEqual([5, 0, 0, 0]);
});

it('turns the sheet where the pages are larger so, and folds a booklet', async () => {
  const at = workspace();
  const output = await imposed(coloured(at('in.pdf'), 5, 140), at('out.pdf'), { booklet: true, paper: A4 });
  expect(run('pdfinfo', output)).toMatch(/Pages: +4\n[\s\S]*size: +841.89 x 595.28/);
  const halves: [number, number][] = [[210, 297], [631, 297]]; // prettier-ignore
  const sides = [];
  for (const page of [1, 2, 3, 4]) sides.push(await seen(output, halves, page));
  expect(sides).toEqual([[0, 1], [2, 0], [0, 3], [4, 5]]); // prettier-ignore
});

it('takes links, fields, destinations and tags along', async () => {
  const at = workspace();
  const before = describePdf(richPdf(at('in.pdf'), 'alpha', 3));
  const tags = run('pdfinfo', '-struct-text', at('in.pdf'));
  const after = describePdf(await imposed(at('in.pdf'), at('out.pdf'), { columns: 2, paper: A4 }));
  const sheetOf = (page: number | null): number | null => (page === null ? null : Math.ceil(page / 2));
  expect(after.pages.map(({ links }) => links)).toEqual([
    [...(before.pages[0]?.links ?? []), ...(before.pages[1]?.links ?? [])].map(sheetOf),
    (before.pages[2]?.links ?? []).map(sheetOf),
  ]);
  expect(after.outline.map(({ page }) => page)).toEqual(before.outline.map(({ page }) => sheetOf(page)));
  expect(Object.keys(after.fields)).toEqual(Object.keys(before.fields));
  expect(after.attachments).toEqual(before.attachments);
  expect(after.faults).toEqual([]);
  expect(run('pdfinfo', '-struct-text', at('out.pdf'))).toBe(tags);
  const text = run('pdftotext', '-layout', at('out.pdf'), '-');
  expect(text).toMatch(/alpha page 1 +alpha page 2/);
});

it('rotates the appearances of annotations with their page', async () => {
  const at = workspace();
  const input = rawPdf(at('in.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 100 200] /Rotate 90 >>',
    '<< /Type /Page /Parent 2 0 R /Annots [4 0 R] >>',
    '<< /Type /Annot /Subtype /Stamp /Rect [20 20 80 180] /F 4 /AP << /N 5 0 R >> >>',
    rawStream(
      '/Type /XObject /Subtype /Form /BBox [0 0 60 160]',
      '1 0 0 rg 0 0 60 80 re f 0 1 0 rg 0 80 60 80 re f',
    ),
  ]);
  const output = await imposed(input, at('out.pdf'), { columns: 1, paper: exact(200, 100) });
  // The lower half of the upright page is seen on the left.
  expect(await seen(output, [[40, 50], [160, 50], [10, 50]])).toEqual([1, 2, 0]); // prettier-ignore
  expect(await seen(input, [[40, 50], [160, 50], [10, 50]])).toEqual([1, 2, 0]); // prettier-ignore
});

it('refuses margins that fill the sheet', async () => {
  const at = workspace();
  const options = { columns: 3, paper: exact(200, 200), margin: 3, gap: 2 };
  await expect(imposed(coloured(at('in.pdf'), 1), at('out.pdf'), options)).rejects.toMatchObject({
    code: 'invalid_field',
    faults: [{ field: 'steps[0].impose.margin' }],
  });
});
