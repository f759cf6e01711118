import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utils, write } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { readRecord } from '../../functions/render/data/record.ts';
import { readRecords } from '../../functions/render/data/records.ts';
import { sample } from '../formats/build.ts';
import { unzip, zip } from '../office/build.ts';
import { xlsx } from '../office/xlsx.ts';

const file = (content: string | Buffer, filename: string | null = null) => ({
  bytes: Buffer.from(content),
  filename,
});
const records = async (content: string | Buffer, filename: string | null = null) =>
  (await readRecords(file(content, filename), 100)).map(
    (text) => JSON.parse(text) as Record<string, unknown>,
  );

describe('render_data of one rendering (I-16)', () => {
  it('keeps the text of the object unchanged', () => {
    const text = '{"b": 1.0, "2": 12345678901234567890, "a": [1]}';
    expect(readRecord({ text })).toBe(text);
    expect(readRecord(file(`\ufeff${text}\n`))).toBe(text);
    expect(readRecord({ bytes: Buffer.from(`\ufeff${text}`, 'utf16le'), filename: 'x.json' })).toBe(text);
  });

  it('is an empty object when nothing was given', () => {
    expect([readRecord(null), readRecord({ text: '' }), readRecord({ text: 'null' })]).toEqual([
      '{}',
      '{}',
      '{}',
    ]);
  });

  it.each([
    ['[1]', 'render_data_invalid', 'render_data is a list, but one document takes a JSON object'],
    ['3', 'render_data_invalid', 'render_data is not a JSON object, but a number.'],
    ['{"a":', 'malformed_json', 'render_data is not valid JSON: '],
    ['{bad', 'malformed_json', 'render_data is not valid JSON: '],
    ['a,b\n1,2', 'malformed_json', 'send it to the batch route'],
  ])(
    'refuses %s: data that cannot be parsed is malformed, other data is not valid (I-4)',
    (text, code, message) => {
      expect(() => readRecord({ text })).toThrow(
        expect.objectContaining({ code, message: expect.stringContaining(message) as string }),
      );
    },
  );

  it.each([
    ['a list', file('[{}]', 'x.json'), 'is a list'],
    ['a CSV file', file('name;city\nAda;London\n', 'people.csv'), 'is a table such as CSV'],
    ['a CSV file without a name', file('name,city\nAda,London\n'), 'is a table such as CSV'],
    ['a workbook', file(sample('sheets.xlsx'), 'x.xlsx'), 'is a workbook or an archive'],
  ])('refuses %s, and refers to the batch', (_, source, message) => {
    const said = new RegExp(`render_data ${message}, but one document takes a JSON object.* batch route`);
    expect(() => readRecord(source)).toThrow(said);
  });

  it('keeps the numbers that Python writes and JSON does not allow', () => {
    const text = '{"a": NaN, "b": [Infinity, -Infinity], "c": "NaN \\" Infinity"}';
    expect(readRecord({ text })).toBe(text);
    expect(() => readRecord({ text: '{"a": NaN, b}' })).toThrow('is not valid JSON');
  });
});

describe('data in no supported format (I-16)', () => {
  it.each([
    ['a picture', sample('rgba.png'), 'render_data is a picture (png), but '],
    ['a PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'), 'render_data is a PDF document, but '],
    ['other bytes', Buffer.from('00ff13378041', 'hex'), 'render_data is binary data, but '],
  ])('%s is named, never quoted', async (_, bytes, message) => {
    const accepted = 'a batch takes a JSON array, or a file that is JSON, JSON Lines, CSV, XLS or XLSX.';
    await expect(readRecords(file(bytes), 10)).rejects.toMatchObject({
      code: 'render_data_invalid',
      message: `${message}${accepted}`,
    });
    expect(() => readRecord(file(bytes))).toThrow(`${message}one document takes a JSON object.`);
  });

  it.each([
    ['as text', { text: '{"a":1}' }],
    ['as text over several lines', { text: '{\n"a":1\n}' }],
    ['as a file', file('{"a":1}', 'data.json')],
    ['as a file without a name', file('{"a":1}')],
  ])('one object %s is no batch of one document', async (_, source) => {
    await expect(readRecords(source, 10)).rejects.toMatchObject({
      code: 'render_data_invalid',
      message: expect.stringContaining('is a JSON object, but a batch takes a list of objects') as string,
    });
  });

  it('one line of JSON Lines is, and so are numbers that Python writes', async () => {
    expect(await readRecords(file('{"a":NaN}\n', 'x.jsonl'), 10)).toEqual(['{"a":NaN}']);
    expect(await readRecords({ text: '[{"a":NaN},{"b":-Infinity}]' }, 10)).toEqual([
      '{"a":NaN}',
      '{"b":-Infinity}',
    ]);
  });
});

describe('render_data of a batch (I-16)', () => {
  it('splits a JSON array without touching its elements', async () => {
    const text = ' [ {"z":1.0,"1":"],"} , {"a":{"b":[{}]}} ] ';
    expect(await readRecords({ text }, 10)).toEqual(['{"z":1.0,"1":"],"}', '{"a":{"b":[{}]}}']);
  });

  it('reads JSON Lines, also with empty lines and CRLF', async () => {
    expect(await records('{"n":1}\r\n\r\n{"n":2}\n', 'data.jsonl')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it.each([
    ['comma', 'name,city\n"Doe, Jane",Köln\n007,"a ""b""\nc"\n'],
    ['semicolon', 'name;city\nDoe, Jane;Köln\n007;"a ""b""\nc"\n'],
    ['tab', 'name\tcity\nDoe, Jane\tKöln\n007\t"a ""b""\nc"\n'],
  ])('reads CSV separated by %s; values stay text', async (_, text) => {
    const expected = [
      { name: 'Doe, Jane', city: 'Köln' },
      { name: '007', city: 'a "b"\nc' },
    ];
    expect(await records(text, 'x.csv')).toEqual(expected);
    expect(await records(Buffer.from(`\ufeff${text}`, 'utf16le'), 'x.csv')).toEqual(expected);
    expect(await records(`\ufeff${text}`)).toEqual(expected);
    expect(await records(Buffer.from(text, 'latin1'))).toEqual(expected);
  });

  it('reads a Windows-1252 file as spreadsheet programs write it', async () => {
    const bytes = Buffer.from('name;price\nM\xfcller;5 \x80\n', 'latin1');
    expect(await records(bytes, 'x.csv')).toEqual([{ name: 'Müller', price: '5 €' }]);
  });

  it('keeps the order of columns, integer-like ones too, and fills short rows with empty text', async () => {
    expect(await readRecords(file('b,2,1\nx\n'), 5)).toEqual(['{"b":"x","2":"","1":""}']);
  });

  it('refuses a column named twice, and a value in a column without a name', async () => {
    await expect(records('a,a\n1,2\n')).rejects.toMatchObject({ code: 'render_data_invalid' });
    await expect(records('a,b\n1,2,3\n')).rejects.toThrow('row 2 of render_data has a value in column 3');
    expect(await records('a,b,\n1,2,\n')).toEqual([{ a: '1', b: '2' }]);
  });

  it.each(['xlsx', 'biff8'] as const)(
    'reads the first sheet of a workbook (%s): types and ISO dates',
    async (bookType) => {
      const rows = [
        ['name', 'count', 'price', 'paid', 'day', 'moment', 'empty', 1],
        [
          'Äpfel',
          3,
          1.5,
          true,
          new Date(Date.UTC(2026, 1, 28)),
          new Date(Date.UTC(2026, 1, 28, 9, 30)),
          null,
          '007',
        ],
        [
          'x',
          -1,
          0,
          false,
          new Date(Date.UTC(1999, 11, 31)),
          new Date(Date.UTC(2000, 0, 1, 23, 59, 59)),
          null,
          'y',
        ],
      ];
      const book = utils.book_new();
      utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { cellDates: true, UTC: true }), 'One');
      utils.book_append_sheet(book, utils.aoa_to_sheet([['other'], [1]]), 'Two');
      const bytes = Buffer.from(write(book, { type: 'buffer', bookType }) as Uint8Array);
      expect(await records(bytes, 'x')).toEqual([
        {
          name: 'Äpfel',
          count: 3,
          price: 1.5,
          paid: true,
          day: '2026-02-28',
          moment: '2026-02-28T09:30:00',
          empty: '',
          1: '007',
        },
        {
          name: 'x',
          count: -1,
          price: 0,
          paid: false,
          day: '1999-12-31',
          moment: '2000-01-01T23:59:59',
          empty: '',
          1: 'y',
        },
      ]);
    },
  );

  it.each([
    ['nothing', null],
    ['an empty list', { text: '[]' }],
    ['an empty file', file('')],
    ['a CSV with a header only', file('a,b\n', 'x.csv')],
  ])('refuses %s as an empty batch', async (_, source) => {
    await expect(readRecords(source, 10)).rejects.toMatchObject({ code: 'batch_empty' });
  });

  it.each([
    [
      'an element that is no object',
      { text: '[{}, 3]' },
      'the 2nd record of render_data is not a JSON object, but a number',
    ],
    ['broken JSON', { text: '[{]' }, 'render_data is not valid JSON: '],
    ['a broken line', file('{"a":1}\n{"a":\n', 'x.jsonl'), 'line 2 of render_data is not valid JSON: '],
    ['a damaged workbook', file(Buffer.from('504b0304deadbeef', 'hex')), 'not a readable XLSX workbook'],
    ['an unclosed quote', file('a,b\n"1,2\n'), 'not a valid CSV file'],
  ])('refuses %s and names the place', async (_, source, message) => {
    await expect(readRecords(source, 10)).rejects.toThrow(message);
  });

  it('refuses a workbook that unpacks to far more than its size', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'platen-bomb-'));
    try {
      writeFileSync(join(directory, 'sheet.xml'), Buffer.alloc(100 * 1024 * 1024));
      execFileSync('zip', ['-q', 'bomb.xlsx', 'sheet.xml'], { cwd: directory });
      const bytes = readFileSync(join(directory, 'bomb.xlsx'));
      await expect(readRecords({ bytes, filename: null }, 10)).rejects.toThrow(
        'unpacks to more than 200 times its size',
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it.each([
    ['a JSON array', '['.concat('{},'.repeat(5_000_000), '{}]'), null],
    ['JSON Lines', '{}\n'.repeat(5_000_000), 'x.jsonl'],
    ['CSV', 'a\n'.concat('1\n'.repeat(5_000_000)), 'x.csv'],
  ])('reads of %s of millions of records one more than is allowed', async (_what, content, filename) => {
    const before = process.memoryUsage().heapUsed;
    await expect(readRecords(file(content, filename), 10)).rejects.toMatchObject({ code: 'batch_too_large' });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('refuses a record that is larger than one may be, before it is parsed', async () => {
    const huge = `{"a":[${'{},'.repeat(6_000_000)}{}]}`;
    const message = expect.stringMatching(/more than 16 million characters/) as string;
    const refusal = expect.objectContaining({ code: 'render_data_invalid', message }) as Error;
    for (const text of [huge, `[{},${huge}]`, `{}\n${huge}`]) {
      await expect(readRecords({ text }, 10)).rejects.toEqual(refusal);
    }
    expect(() => readRecord({ text: huge })).toThrow(refusal);
    const row = `a\n${'x'.repeat(17_000_000)}`;
    await expect(readRecords(file(row, 'x.csv'), 10)).rejects.toMatchObject({ code: 'render_data_invalid' });
  });

  it.each(['[{},]', '[,{}]', '[{} {}]', '[{}', '[{}}', '[{}] x', '[{}]]', '[{}\u00a0]'])(
    'refuses %s, which is not JSON',
    async (text) => {
      await expect(readRecords({ text }, 10)).rejects.toMatchObject({ code: 'malformed_json' });
    },
  );

  it('refuses more records than are allowed and names the limit', async () => {
    await expect(readRecords({ text: `[${Array<string>(11).fill('{}').join()}]` }, 10)).rejects.toMatchObject(
      {
        code: 'batch_too_large',
        message: 'The batch contains more than 10 records, which is the limit.',
      },
    );
  });
});

describe('a table of records', () => {
  it('has no records for rows of empty cells, and reads what comes after them', async () => {
    const text = `a;b\n${';\n'.repeat(500)} ; \n1;2\n;\n"";""\n3;4\n`;
    expect(await records(text, 'x.csv')).toEqual([
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ]);
    const many = `a\n${'1\n'.repeat(300)}`;
    await expect(readRecords(file(many), 100)).rejects.toMatchObject({ code: 'batch_too_large' });
  });

  it.each(['sep=;\r\nn;m\r\n1,5;x\r\n', '\ufeffSEP=;\nn;m\n1,5;x\n', 'sep=|\nn|m\n1,5|x\n'])(
    'may name its delimiter as Excel does: %j',
    async (text) => {
      expect(await records(text, 'x.csv')).toEqual([{ n: '1,5', m: 'x' }]);
    },
  );

  it('nests columns whose names are paths', async () => {
    const header = 'nr,customer.name,items[0].price,customer.address.city,items[1].price,tags[0],Nr. 2,a.1';
    expect(await records(`${header}\n7,Ada,1,Köln,2,x,y,z\n8\n`)).toEqual([
      {
        nr: '7',
        customer: { name: 'Ada', address: { city: 'Köln' } },
        items: [{ price: '1' }, { price: '2' }],
        tags: ['x'],
        'Nr. 2': 'y',
        'a.1': 'z',
      },
      {
        nr: '8',
        customer: { name: '', address: { city: '' } },
        items: [{ price: '' }, { price: '' }],
        tags: [''],
        'Nr. 2': '',
        'a.1': '',
      },
    ]);
  });

  it.each([
    ['a,a.b', '"a.b", which contradicts another column'],
    ['a.b,a', '"a", which contradicts another column'],
    ['a.b,a[0]', '"a[0]", which contradicts another column'],
    ['a[0].b,a[0]', '"a[0]", which contradicts another column'],
    ['a[1]', '"a[1]", but no element 0 before it'],
    ['__proto__.x,__proto__[0]', 'contradicts another column'],
  ])('refuses the header %s', async (header, message) => {
    await expect(records(`${header}\n1,2\n`, 'x.csv')).rejects.toMatchObject({
      code: 'render_data_invalid',
      message: expect.stringContaining(message) as string,
    });
  });

  it('has the texts of numbers with a format of so many digits beside their values', async () => {
    const sheet = utils.aoa_to_sheet([
      ['plz', 'customer.ssn', 'sum'],
      [1067, 12_345_678, 1.5],
    ]);
    for (const [cell, format] of [
      ['A2', '00000'],
      ['B2', '000-00-0000'],
      ['C2', '0.00'],
    ] as const)
      Object.assign(sheet[cell] as object, { z: format });
    const book = utils.book_new();
    utils.book_append_sheet(book, sheet, 'A');
    const bytes = write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
    expect(await records(bytes, 'x.xlsx')).toEqual([
      {
        plz: 1067,
        customer: { ssn: 12_345_678 },
        sum: 1.5,
        shown: { plz: '01067', 'customer.ssn': '012-34-5678' },
      },
    ]);
  });

  it('is refused if a formula has no stored result', async () => {
    const parts = new Map(
      await unzip(
        await xlsx([
          {
            name: 'A',
            rows: [
              ['a', 'b'],
              ['1', '=A2+1'],
            ],
          },
        ]),
      ),
    );
    const path = 'xl/worksheets/sheet1.xml';
    const sheet = parts.get(path)?.toString().replace('<v>99</v>', '') ?? '';
    const bytes = await zip({ ...Object.fromEntries(parts), [path]: sheet });
    await expect(records(bytes, 'x.xlsx')).rejects.toMatchObject({
      code: 'render_data_invalid',
      message: expect.stringContaining(
        'cell B2 of render_data has a formula without a stored result',
      ) as string,
    });
  });
});
