import { countOf } from '../odf/counts.ts';
import type { OfficePackage } from '../package.ts';
import { all, closest, type Element } from '../xml/tree.ts';
import { columnsIn } from './ods-sheet.ts';
import { GENERAL, type NumberFormat } from './typed-text.ts';

/** The number formats of the cells of an OpenDocument spreadsheet (ODF 1.3 part 3, 16.29). */

const KINDS: Readonly<Record<string, NumberFormat['kind']>> = {
  'number:date-style': 'date',
  'number:time-style': 'time',
  'number:number-style': 'number',
  'number:currency-style': 'number',
  'number:percentage-style': 'percent',
  'number:text-style': 'text',
};
const TABLE: ReadonlySet<string> = new Set(['table:table']);

export class OdsFormats {
  private readonly formats = new Map<string, NumberFormat>();
  private readonly styles = new Map<string, Element>();
  /** The last column of each `table:table-column` of a template's table, and its default style. */
  private readonly columns = new Map<
    Element,
    readonly (readonly [last: number, style: string | undefined])[]
  >();

  constructor(root: Element, file: OfficePackage) {
    for (const one of [...(file.has('styles.xml') ? [file.xml('styles.xml').root] : []), root]) {
      for (const style of all(one, ...Object.keys(KINDS)))
        this.formats.set(style.get('style:name') ?? '', formatOf(style));
      for (const style of all(one, 'style:style'))
        if (style.get('style:family') === 'table-cell') this.styles.set(style.get('style:name') ?? '', style);
    }
  }

  /** Returns the number format of a cell: that of its style, or of the default of its row or column. */
  of(cell: Element): NumberFormat {
    const name =
      cell.get('table:style-name') ??
      cell.parent?.get('table:default-cell-style-name') ??
      this.columnStyle(cell.source ?? cell);
    let style = name === undefined ? undefined : this.styles.get(name);
    // A style inherits from others; more than these are a circle.
    for (let depth = 0; style !== undefined && depth < 20; depth += 1) {
      const format = style.get('style:data-style-name');
      if (format !== undefined) return this.formats.get(format) ?? GENERAL;
      style = this.styles.get(style.get('style:parent-style-name') ?? '');
    }
    return GENERAL;
  }

  /** Returns the default style of the column of a template's cell. */
  private columnStyle(cell: Element): string | undefined {
    const table = closest(cell, TABLE);
    const at = cell.parent === null ? undefined : columnsIn(cell.parent).find(([one]) => one === cell)?.[1];
    if (table === null || at === undefined) return undefined;
    const known = this.columns.get(table) ?? columnStyles(table);
    this.columns.set(table, known);
    return known.find(([last]) => at <= last)?.[1];
  }
}

function columnStyles(table: Element): [last: number, style: string | undefined][] {
  let last = 0;
  return all(table, 'table:table-column').map((column) => {
    last += countOf(column, 'table:number-columns-repeated');
    return [last, column.get('table:default-cell-style-name')];
  });
}

function formatOf(style: Element): NumberFormat {
  const kind = KINDS[style.tag] ?? 'general';
  const number = style.first('number:number');
  // `General` of a spreadsheet is a number style without a number of digits after the decimal point.
  if (style.tag === 'number:number-style' && number?.get('number:decimal-places') === undefined)
    return number === undefined ? { ...GENERAL, kind } : plain(number);
  return {
    kind,
    digits: Number(number?.get('number:min-integer-digits') ?? 0) || 0,
    isElapsed: style.get('number:truncate-on-overflow') === 'false',
    isShort: kind === 'time' && style.first('number:hours') === undefined,
  };
}

function plain(number: Element): NumberFormat {
  const digits = Number(number.get('number:min-integer-digits') ?? 0) || 0;
  return digits > 1 ? { ...GENERAL, kind: 'number', digits } : GENERAL;
}
