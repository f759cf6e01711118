import { formatOfCode, GENERAL, type NumberFormat } from '../calc/typed-text.ts';
import { relatedPart } from '../ooxml/related.ts';
import type { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import type { XmlDocument } from '../xml/parse.ts';
import { copyElement, type Element } from '../xml/tree.ts';

/** Codes of built-in number formats (ECMA-376, 18.8.30), including those of East Asian versions. */
function builtInCode(id: number): string | undefined {
  if (id === 9 || id === 10) return '0%';
  if ((id >= 1 && id <= 13) || (id >= 37 && id <= 44) || id === 48) return '0';
  if (id >= 18 && id <= 21) return 'h:mm';
  if (id >= 45 && id <= 47) return id === 46 ? '[h]:mm:ss' : 'mm:ss';
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'yyyy';
  return id === 49 ? '@' : undefined;
}

/** The cell formats of a workbook. */
export class CellStyles {
  private readonly file: OfficePackage;
  private readonly document: XmlDocument | null;
  private readonly path: string;
  private readonly wrapped = new Map<number, number>();
  private readonly numbers = new Map<number, NumberFormat>();
  /** Days between 1899-12-30 and the day 0 of the workbook. */
  private readonly firstDay: number;
  private readonly layouts = new Map<number, { wraps: boolean; fontSize: number }>();

  /** @param is1904 whether the days of the workbook begin in 1904 (ECMA-376, 18.2.28) */
  constructor(file: OfficePackage, is1904: boolean) {
    this.firstDay = is1904 ? 1462 : 0;
    this.file = file;
    this.path = relatedPart(file, 'styles') ?? '';
    this.document = this.path === '' ? null : file.xml(this.path);
  }

  /**
   * Returns the number of a day in the workbook.
   *
   * @param day counted from 1899-12-30
   */
  serial(day: number): number {
    // Excel counts 29 February 1900, which was no day.
    return this.firstDay === 0 && day < 61 ? day - 1 : day - this.firstDay;
  }

  private formats(): Element | undefined {
    return this.document?.root.first('x:cellXfs');
  }

  /** Returns the number format of a cell's format. */
  numberFormat(style: number): NumberFormat {
    let known = this.numbers.get(style);
    if (known === undefined) this.numbers.set(style, (known = this.readNumberFormat(style)));
    return known;
  }

  private readNumberFormat(style: number): NumberFormat {
    const id = Number(this.formats()?.elements('x:xf')[style]?.get('numFmtId') ?? 0);
    const code = this.document?.root
      .first('x:numFmts')
      ?.elements('x:numFmt')
      .find((format) => format.get('numFmtId') === String(id))
      ?.get('formatCode');
    const known = code ?? builtInCode(id);
    return known === undefined ? GENERAL : formatOfCode(known);
  }

  /** Returns whether a format wraps lines, and its font size in points. */
  lines(style: number): { wraps: boolean; fontSize: number } {
    let known = this.layouts.get(style);
    if (known === undefined) this.layouts.set(style, (known = this.readLines(style)));
    return known;
  }

  private readLines(style: number): { wraps: boolean; fontSize: number } {
    const format = this.formats()?.elements('x:xf')[style];
    const font = this.document?.root.first('x:fonts')?.elements('x:font')[Number(format?.get('fontId') ?? 0)];
    const wraps = ['1', 'true'].includes(format?.first('x:alignment')?.get('wrapText') ?? '');
    return { wraps, fontSize: Number(font?.first('x:sz')?.get('val') ?? 11) };
  }

  /** Returns the same format with wrapped lines. */
  wrapping(style: number): number {
    const known = this.wrapped.get(style);
    if (known !== undefined) return known;
    const formats = this.formats();
    const model = formats?.elements('x:xf')[style];
    if (!formats || !model || this.lines(style).wraps) return style;
    const copy = copyElement(model);
    let alignment = copy.first('x:alignment');
    if (!alignment) {
      alignment = make(formats, 'x:alignment');
      copy.insertBefore(copy.children[0] ?? null, alignment);
    }
    alignment.set('wrapText', '1');
    copy.set('applyAlignment', '1');
    formats.append(copy);
    const index = formats.elements('x:xf').length - 1;
    formats.set('count', String(index + 1));
    this.wrapped.set(style, index);
    return index;
  }

  save(): void {
    if (this.document && this.wrapped.size > 0) this.file.setXml(this.path, this.document);
  }
}
