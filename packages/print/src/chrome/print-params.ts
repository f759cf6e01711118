import type { Protocol } from 'devtools-protocol';
import { type PageRules, PIXELS_OF_INCH } from '../page-rules.ts';
import { furnitureVariables, type Sheet, sideMargins } from '../sheet.ts';
import { inches, paperInches, type PaperSize } from '../paper.ts';
import type { PrintOptions } from '../print.ts';

/** Replaces an absent header or footer, because Chromium replaces an empty one by its own. */
const NOTHING = '<span></span>';

/** The sheet of a loaded document. */
export interface PrintedSheet {
  /** For pages without their own rule. */
  sheet: Sheet;
  rules: PageRules | null;
  /** Whether pages follow rules of the document; these need not be known. */
  followsRules: boolean;
}

/** Returns the print parameters; the sheet applies unless the document has page rules. */
export function printParams(
  options: PrintOptions,
  pageRange: string,
  { sheet, rules, followsRules }: PrintedSheet,
): Protocol.Page.PrintToPDFRequest {
  const { margins } = sheet;
  // Lengths in `vw` and `vh` of page rules are measured against this sheet, not against that of the rules.
  const size = rules?.usesViewport === true ? paperInches(options.paper, options.landscape) : sheet.size;
  const variables = furnitureVariables(sheet, rules);
  const furniture = (html: string | null): string => {
    if (html === null) return NOTHING;
    return variables === '' ? html : `<style>body{${variables}}</style>${html}`;
  };
  return {
    paperWidth: size.width,
    paperHeight: size.height,
    marginTop: inches(margins.top),
    marginRight: inches(margins.right),
    marginBottom: inches(margins.bottom),
    marginLeft: inches(margins.left),
    scale: options.scale,
    printBackground: options.printBackground,
    pageRanges: pageRange,
    displayHeaderFooter: options.header !== null || options.footer !== null,
    headerTemplate: furniture(options.header),
    footerTemplate: furniture(options.footer),
    generateTaggedPDF: options.tagged,
    // It is generated from the tags.
    generateDocumentOutline: options.tagged && options.outline,
    // Without rules it has no effect.
    preferCSSPageSize: followsRules,
    transferMode: 'ReturnAsBase64',
  };
}

/** Points per inch. */
const POINTS = 72;

/**
 * The width in CSS pixels that Chromium gives a document on paper: it rounds its own sheets and margins to whole
 * points, uses those of `@page` rules unchanged, and rounds up.
 */
export function printedWidth(sheet: Sheet, rules: PageRules | null, scale: number): number {
  const { size } = sheet;
  const { left, right } = sideMargins(sheet, rules);
  const sides = [left, right].map((length) => inches(length) * POINTS);
  const own = Math.ceil(size.width * POINTS - 0.001);
  const points =
    rules === null
      ? own - sides.reduce((sum, length) => sum + Math.floor(length), 0) + 0.01
      : (rules.size === null ? own : size.width * POINTS) - sides.reduce((sum, length) => sum + length, 0);
  return Math.ceil((points * PIXELS_OF_INCH) / POINTS / scale);
}

/**
 * Arrow function of a script: the width that Chromium compares with media queries, from sheet and margins in whole
 * points.
 */
export const QUERIED_WIDTH = `(width, ...margins) =>
  margins.reduce((points, margin) => points - Math.floor(margin * ${POINTS / PIXELS_OF_INCH}), Math.ceil(width * ${POINTS / PIXELS_OF_INCH} - 0.001)) * ${PIXELS_OF_INCH / POINTS}`;

/** Possible page sizes of a document, in points. */
export function sheetSizes({ size }: Sheet, rules: PageRules | null): PaperSize[] {
  const points = (lengths: PaperSize, unit: number): PaperSize => ({
    width: (lengths.width * POINTS) / unit,
    height: (lengths.height * POINTS) / unit,
  });
  const others = rules?.sizes ?? [];
  const sizes = [points(size, 1), ...others.map((lengths) => points(lengths, PIXELS_OF_INCH))];
  // `page-orientation` turns pages of any of them.
  return [...sizes, ...sizes.map(({ width, height }) => ({ width: height, height: width }))];
}
