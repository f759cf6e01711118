import { describe, expect, it } from 'vitest';
import { momentOf, shownFormat } from '../../packages/core/src/sheet-moment.ts';
import { fill } from './fill.ts';
import { cells, xlsx } from './xlsx.ts';

/** Values that Excel stores in another form, or not at all. */

describe('a value in a cell of Excel', () => {
  const filled = async (rows: Parameters<typeof xlsx>[0][number]['rows'], data: unknown) => {
    const warnings: string[] = [];
    const template = await xlsx([{ name: 'S', rows }]);
    const bytes = await fill(template, data, { format: 'xlsx', warn: (text) => warnings.push(text) });
    return { values: await cells(bytes), warnings };
  };

  it('is escaped where Excel would read it as the code of a character', async () => {
    const rows = [['{{ a }}', 'is _x005F_x0041_ {{ a }}', 'kept _x0041_'], ['{{ b }}']];
    const { values } = await filled(rows, { a: 'Order_x0020_Date', b: '_x00_ _x_ x0041' });
    expect(values).toEqual({
      A1: 'Order_x005F_x0020_Date',
      B1: 'is _x005F_x0041_ Order_x005F_x0020_Date',
      C1: 'kept _x0041_',
      A2: '_x00_ _x_ x0041',
    });
  });

  it('is cut where it is longer than Excel allows, with a warning that names the cell', async () => {
    const rows = [['{{ a }}', '{{ a }}b'], ['b{{ a }}c']];
    const { values, warnings } = await filled(rows, { a: 'x'.repeat(32_767) });
    expect(Object.values(values).map((value) => String(value).length)).toEqual([32_767, 32_767, 32_767]);
    expect(String(values['A2']).slice(0, 2)).toBe('bx');
    expect(warnings).toEqual([expect.stringMatching(/32,767 characters.*: S!B1, S!A2\.$/)]);
  });

  it('is a day of its calendar before and after 29 February 1900', async () => {
    const rows = [['@1 {{ d[0] }}', '@1 {{ d[1] }}', '@1 {{ d[2] }}']];
    const { values } = await filled(rows, { d: ['1900-01-01', '1900-02-28', '1900-03-01'] });
    expect(values).toEqual({ A1: 1, B1: 59, C1: 61 });
  });
});

it.each([
  [45_351, 'yyyy-mm-dd hh:mm', '2024-02-29T00:00:00'],
  [45_351.395_833_333, 'yyyy-mm-dd', '2024-02-29T09:30:00'],
  [45_351, 'yyyy-mm-dd', '2024-02-29'],
  [45_351.395_833_333, 'd/m/yy h:mm', '2024-02-29T09:30:00'],
  [0.5, 'hh:mm', '12:00:00'],
  [45_351, 'mmmm', '2024-02-29'],
])('%d with the format %s is %s', (serial, format, moment) =>
  expect(momentOf(serial, shownFormat(format), false)).toBe(moment),
);
