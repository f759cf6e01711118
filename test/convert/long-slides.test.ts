import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfWords } from '../chrome/pdf.ts';
import { unzip, zip } from '../office/build.ts';
import { ap, atable, pptx, type Slide } from '../office/pptx.ts';
import { startOffice, type TestOffice } from './support.ts';

/** Tables and texts that are longer than their slide, whose lines below its edge LibreOffice leaves out; places of text. */

let started: TestOffice;
beforeAll(() => {
  started = startOffice();
});
afterAll(() => started.close());

const lines = (count: number, text = 'Line'): string =>
  Array.from({ length: count }, (_, i) => ap(`${text} ${i + 1}`)).join('');
const rows = (count: number, text = 'Row'): string =>
  atable(...Array.from({ length: count }, (_, i) => [`${text} ${i + 1}`, 'x']));

const converted = async (
  document: Uint8Array,
  from: 'pptx' | 'odp',
  to: 'pdf' | 'odp',
): Promise<{ bytes: Buffer; warnings: string[] }> => {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const bytes = await started.office.convert({ document, from, to, title: null, warn, timeout: 120_000 });
  return { bytes, warnings };
};

describe.each(['pptx', 'odp'] as const)('in %s', (format) => {
  const warnings = async (
    slides: readonly Slide[],
    change = (xml: string): string => xml,
    height?: RegExp,
  ): Promise<string[]> => {
    const parts = Object.fromEntries(await unzip(await pptx(slides)));
    const slide = change(parts['ppt/slides/slide1.xml']?.toString() ?? '');
    const document = await zip({ ...parts, 'ppt/slides/slide1.xml': slide });
    if (format === 'pptx') return (await converted(document, 'pptx', 'pdf')).warnings;
    const odp = Object.fromEntries(await unzip((await converted(document, 'pptx', 'odp')).bytes));
    const content = odp['content.xml']?.toString() ?? '';
    if (height !== undefined) expect(content).toMatch(height);
    const source = await zip({ ...odp, 'content.xml': height ? content.replace(height, '$11cm') : content });
    return (await converted(source, 'odp', 'pdf')).warnings;
  };

  it.each([
    ['what fits', [lines(20), rows(3), 'short'], []],
    ['a text box', [lines(40)], ['Text is longer than its slide, and cut off: slide 1, "Line 1".']],
    [
      'a line that wraps',
      [ap('word '.repeat(400))],
      [`Text is longer than its slide, and cut off: slide 1, ${JSON.stringify('word '.repeat(6))}.`],
    ],
    ['a table that fits', [rows(18)], []],
    ['a table', [rows(30)], ['Tables are longer than their slide, and cut off: slide 1 from row 19 of 30.']],
    [
      'a table whose cells wrap',
      [rows(8, 'word '.repeat(30))],
      ['Tables are longer than their slide, and cut off: slide 1.'],
    ],
  ])('%s', async (_, shapes, expected) => {
    expect(await warnings([{ shapes }])).toEqual(expected);
  });

  it('a table whose frame in the file is lower than its rows', async () => {
    const lower = (xml: string): string => xml.replace(/(<p:xfrm>.*?cy=")\d+/, '$1360000');
    const expected = ['Tables are longer than their slide, and cut off: slide 1 from row 19 of 30.'];
    expect(
      await warnings(
        [{ shapes: [rows(30)] }],
        lower,
        /(<draw:frame [^>]*svg:height=")[^"]*(?="[^>]*><table:table)/,
      ),
    ).toEqual(expected);
  });

  it('slides are named', async () => {
    expect(await warnings([{ shapes: ['a'] }, { shapes: [lines(40)] }, { shapes: [rows(30)] }])).toEqual([
      'Tables are longer than their slide, and cut off: slide 3 from row 19 of 30.',
      'Text is longer than its slide, and cut off: slide 2, "Line 1".',
    ]);
  });

  it('text that PowerPoint shrinks, and a shape that reaches beyond the slide by itself, are not named', async () => {
    const shrunk = (xml: string): string =>
      xml.replace('<a:bodyPr/>', '<a:bodyPr><a:normAutofit/></a:bodyPr>');
    expect(await warnings([{ shapes: [lines(40)] }], shrunk)).toEqual([]);
    const beyond = (xml: string): string => xml.replace('cy="1080000"', 'cy="9080000"');
    expect(await warnings([{ shapes: [lines(40)] }], beyond)).toEqual([]);
  });
});

describe('text without line breaks in a box that follows its size (wrap none, spAutoFit)', () => {
  /** Returns the left and right edge of the text in points, in a box from 283.5 to 425.2 points. */
  const edges = async (alignment: string, text: string): Promise<[number, number]> => {
    const paragraph = `<a:p><a:pPr algn="${alignment}"/><a:r><a:rPr lang="en-GB"/><a:t>${text}</a:t></a:r></a:p>`;
    const parts = Object.fromEntries(await unzip(await pptx([{ shapes: [paragraph] }])));
    const slide = (parts['ppt/slides/slide1.xml']?.toString() ?? '')
      .replace('<a:off x="720000"', '<a:off x="3600000"')
      .replace('<a:ext cx="7200000"', '<a:ext cx="1800000"')
      .replace('<a:bodyPr/>', '<a:bodyPr wrap="none" lIns="0" rIns="0"><a:spAutoFit/></a:bodyPr>');
    const { bytes } = await converted(await zip({ ...parts, 'ppt/slides/slide1.xml': slide }), 'pptx', 'pdf');
    const words = pdfWords(bytes);
    return [Math.min(...words.map(({ left }) => left)), Math.max(...words.map(({ right }) => right))];
  };

  it.each([
    ['l', 'short'],
    ['l', 'a longer text than what the box has room for'],
    ['r', 'a longer text than what the box has room for'],
    ['ctr', 'a longer text than what the box has room for'],
  ])('aligned %s begins at its box: %s', async (alignment, text) => {
    const [left, right] = await edges(alignment, text);
    if (alignment === 'l') expect(left).toBeCloseTo(283.5, -1);
    else if (alignment === 'r') expect(right).toBeCloseTo(425.2, -1);
    else expect((left + right) / 2).toBeCloseTo(354.3, -1);
  });
});
