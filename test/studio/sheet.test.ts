import { deflateRawSync } from 'node:zlib';
import { type CellObject, utils, write } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { readRecords } from '../../functions/render/data/records.ts';
import { withColumns, withRows } from '../../packages/studio/src/screens/batch-rows.ts';
import { readFile } from '../../packages/studio/src/screens/records.ts';
import { entryText, openZip, withEntry } from '../../packages/studio/src/sheet/zip.ts';

/** XLSX workbooks that are dropped for a batch: read as the service reads them, and sent with other names and rows. */

type Value = string | number | boolean | null | { v: number; z: string };

/** A workbook whose second sheet is never to be seen. */
function workbook(
  rows: readonly (readonly Value[])[],
  options: { shared?: boolean; is1904?: boolean } = {},
): File {
  const { shared = true, is1904 = false } = options;
  const book = utils.book_new();
  const cells = rows.map((row) =>
    row.map((value): CellObject | null =>
      value === null
        ? null
        : typeof value === 'object'
          ? { t: 'n', ...value }
          : { t: typeof value === 'number' ? 'n' : typeof value === 'boolean' ? 'b' : 's', v: value },
    ),
  );
  utils.book_append_sheet(book, utils.aoa_to_sheet(cells), 'People & places');
  utils.book_append_sheet(book, utils.aoa_to_sheet([['other'], [1]]), 'Other');
  book.Workbook = { ...book.Workbook, WBProps: { date1904: is1904 } };
  const bytes = write(book, {
    type: 'buffer',
    bookType: 'xlsx',
    bookSST: shared,
    compression: true,
  }) as Buffer;
  return new File([new Uint8Array(bytes)], 'people.xlsx');
}

async function asServed(file: File): Promise<unknown[]> {
  const bytes = Buffer.from(await file.arrayBuffer());
  return (await readRecords({ bytes, filename: file.name }, 1_000)).map(
    (text) => JSON.parse(text) as unknown,
  );
}

const PEOPLE: readonly (readonly Value[])[] = [
  ['Person', 'born', 'paid', 'at', 'share', 'nothing'],
  [
    'Ada <&> "C" _x0041_',
    { v: 45_000, z: 'd. mmmm yyyy' },
    true,
    { v: 0.5, z: 'hh:mm' },
    { v: 0.15, z: '0%' },
    null,
  ],
  [
    'Grace\nHopper',
    { v: 45_000.25, z: 'yyyy-mm-dd hh:mm' },
    false,
    { v: 1.5, z: '[h]:mm' },
    { v: 1e10, z: '0.00E+00' },
    null,
  ],
  [null, null, null, null, null, null],
  [
    'Joan',
    { v: 14, z: '[Red]0.0 "days"' },
    true,
    { v: 60, z: 'm/d/yy' },
    { v: 3, z: '#,##0.00;[Red]-#,##0.00' },
    null,
  ],
];

describe.each([
  ['texts shared', { shared: true }],
  ['texts in the cells', { shared: false }],
  ['days from 1904', { is1904: true }],
])('a workbook, %s', (_, options) => {
  it('shows its first rows as the service reads them', async () => {
    const file = workbook(PEOPLE, options);
    const { columns, rows } = await readFile(file);
    expect(columns).toEqual(PEOPLE[0]);
    expect(rows).toEqual(await asServed(file));
    expect((await readFile(workbook([...PEOPLE, ...PEOPLE.slice(1)], options))).rows).toHaveLength(5);
  });

  it('is sent with other names of columns, and otherwise unchanged', async () => {
    const file = workbook(PEOPLE, options);
    const renamed = await withColumns(
      file,
      new Map([
        ['Person', 'name <&> _x0042_'],
        ['share', 'rate'],
      ]),
    );
    const expected = (await asServed(file)).map((record) => {
      const { Person: name, share: rate, ...rest } = record as Record<string, unknown>;
      return { 'name <&> _x0042_': name, ...rest, rate };
    });
    expect(await asServed(renamed)).toEqual(expected);
    expect((await readFile(renamed)).columns).toEqual([
      'name <&> _x0042_',
      'born',
      'paid',
      'at',
      'rate',
      'nothing',
    ]);
  });

  it('is sent again with only the rows that failed', async () => {
    const file = workbook(PEOPLE, options);
    const all = await asServed(file);
    expect(await asServed(await withRows(file, [0, 2]))).toEqual([all[0], all[2]]);
    expect((await readFile(await withRows(file, [1]))).rows).toEqual([all[1]]);
  });
});

it('reads the markup of other programs: prefixes, cells without places, rich and spoken texts', async () => {
  const file = workbook([
    ['a', 'b'],
    ['x', 1],
  ]);
  const sheet = `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>
    <x:row/><x:row><x:c t="inlineStr"><x:is><x:r><x:t>na</x:t></x:r><x:r><x:t>me</x:t></x:r><x:rPh><x:t>no</x:t></x:rPh></x:is></x:c>
    <x:c t="str"><x:f>"n"&amp;"o"</x:f><x:v>no</x:v></x:c></x:row>
    <x:row><x:c/><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
  const zip = await openZip(file);
  const other = new File([await withEntry(zip, 'xl/worksheets/sheet1.xml', sheet)], 'other.xlsx');
  expect(await readFile(other)).toMatchObject({ columns: ['name', 'no'], rows: [{ name: '', no: 7 }] });
  const renamed = await withColumns(other, new Map([['no', 'number']]));
  expect(await readFile(renamed)).toMatchObject({ columns: ['name', 'number'] });
  expect(await asServed(renamed)).toEqual([{ name: '', number: 7 }]);
});

it('counts the rows that the service counts: those with empty texts, and not those with empty cells', async () => {
  const rows = [
    '<c t="inlineStr"><is><t>a</t></is></c>',
    '<c t="str"><f>""</f><v></v></c>',
    '<c s="0"/>',
    '<c><v></v></c>',
    '<c t="inlineStr"><is><t/></is></c>',
    '<c t="str"><f>""</f></c>',
    '<c><v>7</v></c>',
  ].map((cell) => `<row>${cell}</row>`);
  const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows.join('')}</sheetData></worksheet>`;
  const zip = await openZip(workbook([['a'], [1]]));
  const file = new File([await withEntry(zip, 'xl/worksheets/sheet1.xml', sheet)], 'x.xlsx');
  const served = await asServed(file);
  expect(served).toEqual([{ a: '' }, { a: '' }, { a: '' }, { a: 7 }]);
  expect((await readFile(file)).rows).toEqual(served);
  expect(await asServed(await withRows(file, [3]))).toEqual([{ a: 7 }]);
});

it('unpacks no more than its limit, even if the directory has a wrong size', async () => {
  const zip = await openZip(workbook([['a'], [1]]));
  const bomb = deflateRawSync(Buffer.alloc(30_000_000, 'x'));
  const [first] = zip.entries;
  if (first === undefined) throw new Error('an empty ZIP');
  const head = new Uint8Array(await zip.file.slice(first.offset, first.offset + 30).arrayBuffer());
  const name = head[26] ?? 0;
  const entry = { ...first, packed: bomb.length, size: 10, offset: 0 };
  head.set([0, 0], 28);
  const file = new Blob([head, new Uint8Array(name), new Uint8Array(bomb)]);
  await expect(entryText({ file, entries: [entry] }, entry.name, 1_000_000)).rejects.toThrow('too large');
  expect((await entryText({ file, entries: [entry] }, entry.name, 1_000_000, true)).length).toBeLessThan(
    2_000_000,
  );
});

it.each([
  ['no ZIP', 'words'],
  ['a ZIP that is cut off', null],
])('refuses %s', async (_, content) => {
  const whole = workbook([['a'], [1]]);
  const file = new File([content ?? whole.slice(40)], 'x.xlsx');
  await expect(readFile(file)).rejects.toThrow(/ZIP/);
});
