import { escaped, odf, tp } from './odf.ts';
import { type Cell, xlsx } from './xlsx.ts';

/** The same sheets as a workbook of Excel and as one of OpenDocument. */

export type Rows = readonly (readonly Cell[])[];

export const SPREADSHEETS = ['xlsx', 'ods'] as const;
export type Spreadsheet = (typeof SPREADSHEETS)[number];

/** Styles of OpenDocument with the formats of `xlsx.ts`. */
const number = (name: string, kind: string, content: string): string =>
  `<number:${kind}-style style:name="N${name}">${content}</number:${kind}-style><style:style style:name="F${name}" style:family="table-cell" style:data-style-name="N${name}"/>`;
const DATE =
  '<number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/>';
const TIME =
  '<number:hours number:style="long"/><number:text>:</number:text><number:minutes number:style="long"/>';
const STYLES =
  number('1', 'date', DATE) +
  number(
    '2',
    'number',
    '<number:number number:decimal-places="2" number:min-integer-digits="1" number:grouping="true"/>',
  ) +
  number('3', 'time', TIME) +
  number('4', 'time', TIME).replace(
    '<number:time-style',
    '<number:time-style number:truncate-on-overflow="false"',
  ) +
  number(
    '5',
    'percentage',
    '<number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text>',
  ) +
  number('6', 'number', '<number:number number:decimal-places="0" number:min-integer-digits="5"/>') +
  number('7', 'text', '<number:text-content/>');

/** `SUM(B$4:B4,C2)` → `of:=SUM([.B$4:.B4];[.C2])`. */
function openFormula(formula: string): string {
  const references = /"[^"]*"|(?:(\w+)(?::(\w+))?!)?(\$?[A-Z]{1,2}\$?\d+)(?::(\$?[A-Z]{1,2}\$?\d+))?|,/g;
  const text = formula.replace(
    references,
    (token, sheet?: string, end?: string, from?: string, to?: string) => {
      if (token === ',') return ';';
      if (from === undefined) return token;
      const name = sheet === undefined ? '' : `$${sheet}`;
      if (end !== undefined) return `[${name}.${from}:$${end}.${to ?? from}]`;
      return `[${name}.${from}${to === undefined ? '' : `:.${to}`}]`;
    },
  );
  return `of:=${text}`;
}

function odsCell(value: Cell): string {
  const [, style, text = ''] = /^(?:@(\d) )?([^]*)$/.exec(String(value ?? '')) ?? [];
  const name = style === undefined || style === '0' ? '' : ` table:style-name="F${style}"`;
  if (value === null || text === '') return `<table:table-cell${name}/>`;
  if (typeof value === 'number')
    return `<table:table-cell office:value-type="float" office:value="${value}">${tp(text)}</table:table-cell>`;
  if (text.startsWith('='))
    return `<table:table-cell${name} table:formula="${escaped(openFormula(text.slice(1)))}" office:value-type="float" office:value="99">${tp('99')}</table:table-cell>`;
  return `<table:table-cell${name} office:value-type="string">${tp(text)}</table:table-cell>`;
}

/** Returns a workbook with these sheets. Formulas begin with `=`; `@n ` in front gives a format of `xlsx.ts`. */
export async function spreadsheet(
  format: Spreadsheet,
  sheets: Readonly<Record<string, Rows>>,
): Promise<Uint8Array> {
  if (format === 'xlsx') return await xlsx(Object.entries(sheets).map(([name, rows]) => ({ name, rows })));
  const tables = Object.entries(sheets).map(
    ([name, rows]) =>
      `<table:table table:name="${escaped(name)}"><table:table-column table:number-columns-repeated="16"/>${rows
        .map(
          (row) => `<table:table-row>${row.map(odsCell).join('') || '<table:table-cell/>'}</table:table-row>`,
        )
        .join('')}</table:table>`,
  );
  return await odf('ods', tables.join(''), { styles: STYLES });
}
