import { describe, expect, it } from 'vitest';
import { fill } from './fill.ts';
import { type Rows, spreadsheet, SPREADSHEETS } from './sheets.ts';

/** Loops over columns, to which references are not adjusted. */

describe('a loop over columns', () => {
  const rows: Rows = [
    ['Name', '{% for m in ms %}', '{{ m }}', '{% endfor %}', 'Sum', 'Twice'],
    ['a', '{% for m in ms %}', '{{ loop.index }}', '{% endfor %}', '=SUM(C2:C2)', '=E2*2', '=A2'],
    ['b', 1, 2, 3, '=SUM(B3:D3)', '=SUM(A2:Z2)'],
  ];
  const warningsFor = async (format: (typeof SPREADSHEETS)[number], ms: unknown): Promise<string> => {
    const found: string[] = [];
    const template = await spreadsheet(format, { S: rows });
    await fill(template, { ms }, { format, warn: (text) => found.push(text) });
    return found.join(' ');
  };

  it.each(SPREADSHEETS)('has a warning that names formulas with cells that it moves (%s)', async (format) => {
    const text = await warningsFor(format, [1, 2, 3, 4, 5]);
    expect(text).toContain('cells to which S!E2, S!F2 refer');
    expect(await warningsFor(format, [1])).toContain('S!E2, S!F2 refer');
  });

  it.each(SPREADSHEETS)(
    'with as many columns as before has none for cells that stay (%s)',
    async (format) => {
      expect(await warningsFor(format, [1, 2, 3])).toContain('cells to which S!E2 refer');
    },
  );
});
