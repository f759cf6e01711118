import type { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import type { XmlDocument } from '../xml/parse.ts';
import { copyElement, type Element } from '../xml/tree.ts';

const STYLES = 'xl/styles.xml';

/**
 * Returns whether a built-in number format shows dates or times (ECMA-376, 18.8.30), including those of East
 * Asian versions.
 */
function isBuiltInDate(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** The cell formats of a workbook. */
export class CellStyles {
  private readonly file: OfficePackage;
  private readonly document: XmlDocument | null;
  private readonly wrapped = new Map<number, number>();
  private readonly dates = new Map<number, boolean>();
  private readonly layouts = new Map<number, { wraps: boolean; fontSize: number }>();

  constructor(file: OfficePackage) {
    this.file = file;
    this.document = file.has(STYLES) ? file.xml(STYLES) : null;
  }

  private formats(): Element | undefined {
    return this.document?.root.first('x:cellXfs');
  }

  /** Returns whether a format shows its number as a date. */
  isDate(style: number): boolean {
    let known = this.dates.get(style);
    if (known === undefined) this.dates.set(style, (known = this.readIsDate(style)));
    return known;
  }

  private readIsDate(style: number): boolean {
    const id = Number(this.formats()?.elements('x:xf')[style]?.get('numFmtId') ?? 0);
    if (isBuiltInDate(id)) return true;
    const code = this.document?.root
      .first('x:numFmts')
      ?.elements('x:numFmt')
      .find((format) => format.get('numFmtId') === String(id))
      ?.get('formatCode');
    if (code === undefined) return false;
    // Literals, colours and conditions do not belong to the pattern.
    return /[dmyhs]/i.test(
      code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\][]*\]/gi, '').replace(/general/gi, ''),
    );
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
    if (this.document && this.wrapped.size > 0) this.file.setXml(STYLES, this.document);
  }
}
