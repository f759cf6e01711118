import { utils, write } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { readRecords } from '../../functions/render/data/records.ts';
import { tableRecords } from '../../functions/render/data/table.ts';

/** A workbook of one row under its header: each cell with its number format. */
function workbook(
  cells: readonly { t: 'n' | 'b' | 'e' | 's'; v: unknown; z?: string }[],
  bookType: 'xlsx' | 'biff8',
  date1904 = false,
): Buffer {
  const sheet: Record<string, unknown> = {
    '!ref': utils.encode_range({ s: { r: 0, c: 0 }, e: { r: 1, c: cells.length - 1 } }),
  };
  cells.forEach((cell, c) => {
    sheet[utils.encode_cell({ r: 0, c })] = { t: 's', v: `c${c}` };
    sheet[utils.encode_cell({ r: 1, c })] = cell;
  });
  const book = { SheetNames: ['One'], Sheets: { One: sheet }, Workbook: { WBProps: { date1904 } } };
  return Buffer.from(write(book as Parameters<typeof write>[0], { type: 'buffer', bookType }) as Uint8Array);
}

async function values(bytes: Buffer): Promise<unknown[]> {
  const [record = '{}'] = await readRecords({ bytes, filename: null }, 10);
  return Object.values(JSON.parse(record) as object);
}

describe.each(['xlsx', 'biff8'] as const)('cells of a workbook (%s, I-16)', (bookType) => {
  it('times are times, hours beyond a day are durations, and moments have a date', async () => {
    const cells = [
      { t: 'n', v: 9.5 / 24, z: 'hh:mm' },
      { t: 'n', v: 9.5 / 24, z: 'h:mm AM/PM' },
      { t: 'n', v: 9.5 / 24, z: 'yyyy-mm-dd hh:mm' },
      { t: 'n', v: 1.5 + 20.5 / 86_400, z: '[h]:mm:ss' },
      { t: 'n', v: 0, z: 'hh:mm:ss' },
      { t: 'n', v: 45_000.4, z: 'dd/mm/yyyy hh:mm' },
      { t: 'n', v: 45_000, z: 'd. mmmm yyyy' },
      { t: 'n', v: -0.25, z: '[hh]:mm' },
    ] as const;
    expect(await values(workbook(cells, bookType))).toEqual([
      '09:30:00',
      '09:30:00',
      '09:30:00',
      '36:00:21',
      '00:00:00',
      '2023-03-15T09:36:00',
      '2023-03-15',
      '-06:00:00',
    ]);
  });

  it('days before March 1900 are those that Excel shows', async () => {
    const cells = [1, 59, 60, 61].map((v) => ({ t: 'n', v, z: 'yyyy-mm-dd' }) as const);
    const days = ['1900-01-01', '1900-02-28', '1900-02-29', '1900-03-01'];
    expect(await values(workbook(cells, bookType))).toEqual(days);
  });

  it('days are counted from 1904 if the workbook says so', async () => {
    const cells = [
      { t: 'n', v: 0, z: 'yyyy-mm-dd' },
      { t: 'n', v: 43_538.5, z: 'yyyy-mm-dd hh:mm' },
      { t: 'n', v: 0.5, z: 'hh:mm' },
    ] as const;
    const expected = ['1904-01-01', '2023-03-15T12:00:00', '12:00:00'];
    expect(await values(workbook(cells, bookType, true))).toEqual(expected);
  });

  it('booleans, percentages and numbers keep their types, errors become the text in the sheet', async () => {
    const cells = [
      { t: 'b', v: false },
      { t: 'n', v: 0.15, z: '0%' },
      { t: 'n', v: 1234.5, z: '#,##0.00 "days"' },
      { t: 'n', v: 12, z: '[Red]0.00;[h]' },
      { t: 'e', v: 42 },
      { t: 'e', v: 7 },
      { t: 's', v: '2026-02-28' },
    ] as const;
    const expected = [false, 0.15, 1234.5, 12, '#N/A', '#DIV/0!', '2026-02-28'];
    expect(await values(workbook(cells, bookType))).toEqual(expected);
  });
});

describe('tables are read in time that grows with their size', () => {
  /** Milliseconds of the processor. */
  async function cost(columns: number): Promise<number> {
    const header = Array.from({ length: columns }, (_, i) => `column${i}`).join(',');
    const bytes = Buffer.from(`${header}\n${'1,'.repeat(columns - 1)}1\n`);
    const before = process.cpuUsage();
    for (let i = 0; i < 10; i += 1) await readRecords({ bytes, filename: 'x.csv' }, 10);
    return process.cpuUsage(before).user / 1000;
  }

  it('four times the columns take about four times as long', async () => {
    await cost(1_000);
    const [few, many] = [await cost(4_000), await cost(16_000)];
    expect(many).toBeLessThan(Math.max(few, 5) * 9);
  });

  it('more columns than a sheet has are refused, with their number', async () => {
    const bytes = Buffer.from(`${'a,'.repeat(79_999)}a\n1\n`);
    await expect(readRecords({ bytes, filename: 'x.csv' }, 10)).rejects.toMatchObject({
      code: 'render_data_invalid',
      message: 'render_data has 80000 columns, but a table has 16384 at most.',
    });
  });

  it('short rows under many columns have a limit in all, since each record names all of them', () => {
    const header = Array.from({ length: 100 }, (_, i) => `column${i}`);
    const rows = Array.from({ length: 100 }, () => ['1']);
    expect(() => tableRecords(header, rows, 100_000)).toThrow('million characters in all');
    expect(tableRecords(header, rows)).toHaveLength(100);
  });

  it('a short row is empty text where it has no cells, in the order of the columns', () => {
    expect(tableRecords(['b', '', '2', 'a'], [['x'], ['x', null, 'y', 'z', ''], []])).toEqual([
      '{"b":"x","2":"","a":""}',
      '{"b":"x","2":"y","a":"z"}',
      '{"b":"","2":"","a":""}',
    ]);
    expect(tableRecords(['', 'a'], [['', 1]])).toEqual(['{"a":1}']);
    expect(tableRecords([''], [['']])).toEqual(['{}']);
  });

  it('more cells than ten million are refused before they are read', async () => {
    const bytes = Buffer.from(`a,b\n${`${','.repeat(16_000)}\n`.repeat(700)}`);
    await expect(readRecords({ bytes, filename: 'x.csv' }, 1_000)).rejects.toThrow(
      'render_data has more than 10 million cells',
    );
  });

  it.each([
    ['a header that ends in CRLF', 'name,b\r\nAda,1\nEve,2\n', { name: 'Ada', b: '1' }],
    ['one column', 'name\r\nAda\nEve\n', { name: 'Ada' }],
    ['rows that end in CRLF', 'name,b\nAda,1\r\nEve,2\r\n', { name: 'Ada', b: '1' }],
    ['rows that end in CR', 'name,b\rAda,1\rEve,2\r', { name: 'Ada', b: '1' }],
    ['a value of two lines', 'name,b\n"Ada\r\nB",1\r\nEve,2', { name: 'Ada\r\nB', b: '1' }],
    ['as many commas as semicolons', 'name;b, EUR\nAda;1,5\nEve;2,5\n', { name: 'Ada', 'b, EUR': '1,5' }],
    [
      'more commas than semicolons',
      'name;b, EUR, net\nAda;1,5\nEve;2\n',
      { name: 'Ada', 'b, EUR, net': '1,5' },
    ],
    [
      'a semicolon in a name',
      'name,"b; c",d;e\nAda,1,x\nEve,2,y\n',
      { name: 'Ada', 'b; c': '1', 'd;e': 'x' },
    ],
    ['tabs', 'name\tb, c\n\nAda\t1,5\nEve\t2\n', { name: 'Ada', 'b, c': '1,5' }],
  ])('rows and cells are found as they are meant: %s', async (_, text, first) => {
    const records = await readRecords({ bytes: Buffer.from(text), filename: 'x.csv' }, 10);
    expect(records.map((record) => JSON.parse(record) as unknown)).toEqual([first, expect.anything()]);
  });

  it('delimiters beyond the header are dropped, values there refused', async () => {
    const csv = (text: string) => readRecords({ bytes: Buffer.from(text), filename: 'x.csv' }, 10);
    expect(await csv(`a,b\n1,2${','.repeat(10_000)}\n`)).toEqual(['{"a":"1","b":"2"}']);
    await expect(csv(`a,b\n${','.repeat(20_000)}\n`)).rejects.toThrow('render_data has 20001 columns');
    await expect(csv('a,b\n1,2,,3\n')).rejects.toThrow('row 2 of render_data has a value in column 4');
  });
});
