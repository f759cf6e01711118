import { columnName } from '../../packages/office/src/calc/formula.ts';
import { all, type Element } from '../../packages/office/src/xml/tree.ts';
import { contentTypes, type Parts, type Relation, relationships, XML, zip } from './build.ts';
import { part } from './fill.ts';

/** Workbooks of Excel, written by hand. */

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const NAMES = `xmlns="${MAIN}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`;
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.';

/** A number, a text, or a formula that begins with `=`; `@n ` in front gives the format of number n. */
export type Cell = string | number | null;

export interface SheetSource {
  name: string;
  rows: readonly (readonly Cell[])[];
  /** Elements before `sheetData`. */
  before?: string;
  /** Elements after `sheetData`. */
  after?: string;
  relations?: readonly Relation[];
}

/** Formats: 0 as it is, 1 a date, 2 with two digits, 3 a time, 4 hours, 5 a percentage, 6 five digits, 7 text. */
const FORMATS = [0, 164, 4, 165, 166, 167, 168, 49];
const CODES = { 164: 'yyyy\\-mm\\-dd', 165: 'hh:mm', 166: '[h]:mm', 167: '0.0%', 168: '00000' };
const STYLES = `${XML}<styleSheet ${NAMES}><numFmts count="5">${Object.entries(CODES)
  .map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`)
  .join(
    '',
  )}</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${FORMATS.length}">${FORMATS.map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export async function xlsx(
  sheets: readonly SheetSource[],
  {
    names = '',
    parts = {},
    types = {},
    relations = [],
  }: {
    names?: string;
    parts?: Parts;
    types?: Record<string, string>;
    /** Relationships of the workbook. */
    relations?: readonly Relation[];
  } = {},
): Promise<Buffer> {
  const strings: string[] = [];
  const cell = (value: Cell, at: string): string => {
    const [, style, text] = /^(?:@(\d) )?([^]*)$/.exec(String(value)) ?? [];
    const s = style === undefined ? '' : ` s="${style}"`;
    if (value === null) return '';
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
    if (text?.startsWith('=')) return `<c r="${at}"${s}><f>${escaped(text.slice(1))}</f><v>99</v></c>`;
    strings.push(escaped(text ?? ''));
    return `<c r="${at}"${s} t="s"><v>${strings.length - 1}</v></c>`;
  };
  const sheetXml = ({ rows, before = '', after = '' }: SheetSource): string =>
    `${XML}<worksheet ${NAMES}><dimension ref="A1:Z9"/>${before}<sheetData>${rows
      .map((row, i) =>
        row.length === 0
          ? ''
          : `<row r="${i + 1}">${row.map((value, j) => cell(value, `${columnName(j + 1)}${i + 1}`)).join('')}</row>`,
      )
      .join('')}</sheetData>${after}</worksheet>`;
  const bodies = sheets.map(sheetXml);
  const paths = sheets.map((_, i) => `xl/worksheets/sheet${i + 1}.xml`);
  return await zip({
    '[Content_Types].xml': contentTypes({
      'xl/workbook.xml': `${TYPE}sheet.main+xml`,
      'xl/styles.xml': `${TYPE}styles+xml`,
      'xl/sharedStrings.xml': `${TYPE}sharedStrings+xml`,
      ...Object.fromEntries(paths.map((path) => [path, `${TYPE}worksheet+xml`])),
      ...types,
    }),
    '_rels/.rels': relationships([{ id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' }]),
    'xl/workbook.xml': `${XML}<workbook ${NAMES}><sheets>${sheets.map(({ name }, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets>${names === '' ? '' : `<definedNames>${names}</definedNames>`}</workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...sheets.map((_, i) => ({
        id: `rId${i + 1}`,
        type: 'worksheet',
        target: `worksheets/sheet${i + 1}.xml`,
      })),
      { id: 'rId90', type: 'styles', target: 'styles.xml' },
      { id: 'rId91', type: 'sharedStrings', target: 'sharedStrings.xml' },
      ...relations,
    ]),
    'xl/styles.xml': STYLES,
    'xl/sharedStrings.xml': `${XML}<sst ${NAMES} count="${strings.length}" uniqueCount="${strings.length}">${strings.map((text) => `<si><t xml:space="preserve">${text}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(paths.map((path, i) => [path, bodies[i] ?? ''])),
    ...Object.fromEntries(
      sheets.flatMap(({ relations }, i) =>
        relations ? [[`xl/worksheets/_rels/sheet${i + 1}.xml.rels`, relationships(relations)]] : [],
      ),
    ),
    ...parts,
  });
}

/** What is in the cells: `=formula`, numbers, texts; booleans as `TRUE`. */
export async function cells(
  bytes: Uint8Array,
  path = 'xl/worksheets/sheet1.xml',
): Promise<Record<string, string | number>> {
  const strings = all(await part(bytes, 'xl/sharedStrings.xml'), 'x:si').map((item) => item.textContent());
  const values: Record<string, string | number> = {};
  for (const cell of all(await part(bytes, path), 'x:c')) {
    const value = cellValue(cell, strings);
    if (value !== null) values[cell.get('r') ?? ''] = value;
  }
  return values;
}

function cellValue(cell: Element, strings: readonly string[]): string | number | null {
  const formula = cell.first('x:f');
  if (formula) return `=${formula.textContent()}`;
  const value = cell.first('x:v')?.textContent();
  if (cell.get('t') === 's') return strings[Number(value)] ?? '';
  if (cell.get('t') === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (value !== undefined) return Number(value);
  return cell.first('x:is')?.textContent() ?? null;
}

/** Name and path of each sheet. */
export async function sheetList(bytes: Uint8Array): Promise<{ name: string; path: string }[]> {
  const relations = all(await part(bytes, 'xl/_rels/workbook.xml.rels'), 'rel:Relationship');
  return all(await part(bytes, 'xl/workbook.xml'), 'x:sheet').map((sheet) => ({
    name: sheet.get('name') ?? '',
    path: `xl/${relations.find((one) => one.get('Id') === sheet.get('r:id'))?.get('Target') ?? ''}`,
  }));
}
