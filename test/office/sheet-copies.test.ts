import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { unzip, XML, zip } from './build.ts';
import { fill, part } from './fill.ts';
import { recalculated } from './recalculated.ts';
import { cells, sheetList, type SheetSource, xlsx } from './xlsx.ts';

/** Sheets that `{%sheet for %}` repeats. */

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

describe('a table on a repeated sheet', () => {
  const table = (name: string, id: number, columns: readonly string[]): string =>
    `${XML}<table xmlns="${MAIN}" id="${id}" name="${name}" displayName="${name}" ref="A2:B3"><autoFilter ref="A2:B3"/><tableColumns count="2">${columns.map((column, i) => `<tableColumn id="${i + 1}" name="${column}"/>`).join('')}</tableColumns></table>`;
  const relation = (n: number) => [{ id: 'rId1', type: 'table', target: `../tables/table${n}.xml` }];
  const sheets: readonly SheetSource[] = [
    {
      name: '{{ g.n }}',
      rows: [
        ['{%sheet for g in gs %}'],
        ['Item', '{{ g.n }} costs', null, '=SUM(Costs[{{ g.n }} costs])'],
        ['{{ g.n }}', '{{ g.v }}', '=2*Costs[[#This Row],[{{ g.n }} costs]]', '="Costs["&SUM(costs[#Data])'],
        ['{%sheet endfor %}'],
      ],
      after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
      relations: relation(1),
    },
    {
      name: 'Other',
      rows: [['=SUM(Costs_2[Sum])'], ['Item', 'Sum'], ['x', 7]],
      after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
      relations: relation(2),
    },
  ];
  const filled = async (): Promise<Uint8Array> =>
    await fill(
      await xlsx(sheets, {
        parts: {
          'xl/tables/table1.xml': table('Costs', 1, ['Item', '{{ g.n }} costs']),
          'xl/tables/table2.xml': table('Costs_2', 2, ['Item', 'Sum']),
        },
        types: {
          'xl/tables/table1.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml',
          'xl/tables/table2.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml',
        },
        names: '<definedName name="costs_3">Other!$B$3</definedName>',
      }),
      { gs: ['K', 'L', 'M', 'N'].map((n, i) => ({ n, v: i + 1 })) },
      { format: 'xlsx' },
    );

  it('has an id and a name of its own, which the formulas of its sheet follow', async () => {
    const bytes = await filled();
    const tables = await Promise.all([1, 2, 3, 4, 5].map((n) => part(bytes, `xl/tables/table${n}.xml`)));
    const values = (name: string) => tables.map((root) => root.get(name));
    expect(new Set(values('id')).size).toBe(5);
    expect(values('displayName').toSorted()).toEqual(['Costs', 'Costs_2', 'Costs_4', 'Costs_5', 'Costs_6']);
    expect(values('name')).toEqual(values('displayName'));
    const [, second] = await sheetList(bytes);
    const found = await cells(bytes, second?.path);
    expect([found['D2'], found['C3'], found['D3']]).toEqual([
      '=SUM(Costs_4[L costs])',
      '=2*Costs_4[[#This Row],[L costs]]',
      '="Costs["&SUM(Costs_4[#Data])',
    ]);
  });

  it('is the one that its sheet adds up', async () => {
    const shown = await recalculated({ 'a.xlsx': await filled() });
    expect(['K', 'L', 'M', 'N'].map((name) => shown[`a.xlsx/${name}`]?.[1]?.[3])).toEqual(['1', '2', '3', '4']); // prettier-ignore
    expect(shown['a.xlsx/Other']?.[0]).toEqual(['7']);
  });
});

it('a reference to several sheets leads to all copies of its last one, whatever their names', async () => {
  const total: SheetSource['rows'] = [['{% for v in vs %}'], ['{{ v }}'], ['{% endfor %}'], ['=SUM(A3)']];
  const bytes = await fill(
    await xlsx([
      { name: 'Apr 24', rows: [['Apr'], ...total] },
      { name: 'May 24', rows: [['{%sheet for n in names %}'], ...total, ['{%sheet endfor %}']] },
      { name: 'Sum', rows: [["=SUM('Apr 24:May 24'!A3)"], ["=SUM('Apr 24:May 24'!A5)"]] },
    ]),
    { vs: [1, 2], names: [1, 2, 3] },
    { format: 'xlsx' },
  );
  const sum = (await sheetList(bytes)).at(-1)?.path;
  expect(await cells(bytes, sum)).toEqual({
    A1: "=SUM('Apr 24'!A2:A3,'May 24'!A2:A3,'May 24 (2)'!A2:A3,'May 24 (3)'!A2:A3)",
    A2: "=SUM('Apr 24'!A4,'May 24'!A4,'May 24 (2)'!A4,'May 24 (3)'!A4)",
  });
  expect((await recalculated({ 'a.xlsx': bytes }))['a.xlsx/Sum']).toEqual([['12'], ['12']]);
});

it('one sheet is selected: the first copy of the selected one, or the first that is visible', async () => {
  const view = (isSelected: boolean): string =>
    `<sheetViews><sheetView${isSelected ? ' tabSelected="1"' : ''} workbookViewId="0"/></sheetViews>`;
  const selected = async (active: number, states: readonly string[], names: readonly string[]) => {
    const template = new Map(
      await unzip(
        await xlsx([
          { name: 'A', rows: [['{%sheet for n in names %}']], after: view(active === 0) },
          { name: 'B', rows: [['end']], after: view(active === 1) },
        ]),
      ),
    );
    let workbook = String(template.get('xl/workbook.xml'));
    workbook = workbook.replace(
      '<sheets>',
      `<bookViews><workbookView activeTab="${active}"/></bookViews><sheets>`,
    );
    states.forEach((state, i) => (workbook = workbook.replace(`sheetId="${i + 1}"`, `$& state="${state}"`)));
    template.set('xl/workbook.xml', Buffer.from(workbook));
    const bytes = await fill(await zip(Object.fromEntries(template)), { names }, { format: 'xlsx' });
    const sheets = await sheetList(bytes);
    const isSelected = await Promise.all(
      sheets.map(async ({ path }) => all(await part(bytes, path), 'x:sheetView')[0]?.get('tabSelected')),
    );
    const [window] = all(await part(bytes, 'xl/workbook.xml'), 'x:workbookView');
    const chosen = sheets.filter((_, i) => isSelected[i] === '1').map(({ name }) => name);
    return [Number(window?.get('activeTab') ?? 0), ...chosen];
  };
  expect(await selected(0, [], ['x', 'y', 'z'])).toEqual([0, 'A']);
  expect(await selected(1, [], ['x', 'y', 'z'])).toEqual([3, 'B']);
  expect(await selected(1, ['hidden'], ['x', 'y'])).toEqual([2, 'B']);
});
