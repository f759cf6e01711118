import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfWords } from '../chrome/pdf.ts';
import { unzip, zip } from '../office/build.ts';
import { type Cell, xlsx } from '../office/xlsx.ts';
import { startOffice, type TestOffice } from './support.ts';

/** Numbers in columns that are too narrow for them, in place of which LibreOffice prints ###. */

let started: TestOffice;
beforeAll(() => {
  started = startOffice();
});
afterAll(() => started.close());

interface Column {
  /** In characters. */
  width: number;
  cells: readonly Cell[];
  hidden?: boolean;
}

/** A sheet with these columns; formulas and texts as in xlsx.ts. */
async function sheet(columns: readonly Column[], after = ''): Promise<Buffer> {
  const rows = Array.from({ length: Math.max(...columns.map(({ cells }) => cells.length)) }, (_, row) =>
    columns.map(({ cells }) => cells[row] ?? null),
  );
  const cols = columns.map(
    ({ width, hidden }, i) =>
      `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"${hidden === true ? ' hidden="1"' : ''}/>`,
  );
  const before = `<cols>${cols.join('')}</cols>`;
  const parts = Object.fromEntries(await unzip(await xlsx([{ name: 'Offer', rows, before, after }])));
  const path = 'xl/worksheets/sheet1.xml';
  // LibreOffice calculates what has no value.
  return await zip({ ...parts, [path]: (parts[path]?.toString() ?? '').replaceAll('<v>99</v>', '') });
}

async function printed(
  columns: readonly Column[],
  from: 'xlsx' | 'ods',
  after = '',
): Promise<{ words: string[]; warnings: string[] }> {
  const document = await sheet(columns, after);
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const convert = async (bytes: Uint8Array, source: 'xlsx' | 'ods', to: 'pdf' | 'ods'): Promise<Buffer> =>
    await started.office.convert({ document: bytes, from: source, to, title: null, warn, timeout: 120_000 });
  const source = from === 'xlsx' ? document : await convert(document, 'xlsx', 'ods');
  const words = pdfWords(await convert(source, from, 'pdf')).map(({ text }) => text);
  return { words, warnings };
}

const TOLD = 'Numbers are wider than their columns, and printed as ###: ';

describe.each(['xlsx', 'ods'] as const)('numbers in %s', (format) => {
  it.each<[string, Column[], string[]]>([
    ['that fit', [{ width: 12, cells: [1234, '=A1*2', '@2 99.5'] }], []],
    [
      'with a format, in the row of the longest one',
      [
        { width: 9, cells: ['Sum', '=1+1', '@2 =A2*61728394'] },
        { width: 9, cells: ['text that is longer than its column'] },
      ],
      ['Offer!A3'],
    ],
    ['without a format, which are shortened', [{ width: 7, cells: ['=1/3', '=12345678.123'] }], []],
    ['without a format, which cannot be shortened', [{ width: 3, cells: ['=12345678'] }], ['Offer!A1']],
    ['in dates', [{ width: 4, cells: ['@1 =46000'] }], ['Offer!A1']],
    [
      'in hidden columns',
      [
        { width: 3, cells: ['@2 =12345678'], hidden: true },
        { width: 9, cells: ['a'] },
      ],
      [],
    ],
  ])('%s', async (_, columns, cells) => {
    const { words, warnings } = await printed(columns, format);
    expect(words.includes('###')).toBe(cells.length > 0);
    expect(warnings).toEqual(cells.length > 0 ? [`${TOLD}${cells.join(', ')}.`] : []);
  });

  it('across merged cells have the width of all of them', async () => {
    const columns = [
      { width: 3, cells: ['@2 =12345678'] },
      { width: 20, cells: [null] },
    ];
    const { words, warnings } = await printed(
      columns,
      format,
      '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>',
    );
    expect([words.includes('###'), warnings]).toEqual([false, []]);
  });
});

it('of any width are told exactly if they are printed as ###', async () => {
  for (let width = 2; width <= 14; width += 1) {
    for (const text of ['@2 =1234567.5', '=98765432', '@5 =0.25']) {
      const { words, warnings } = await printed([{ width, cells: [text] }], 'xlsx');
      expect([width, text, warnings.length > 0]).toEqual([width, text, words.includes('###')]);
    }
  }
});
