import type { PaperFormat } from './paper-names.ts';

/** Width and height in portrait, in millimetres. ISO 216 for the A series, ANSI/ASME Y14.1 for the others. */
const SIZES_MM = {
  Letter: [215.9, 279.4],
  Legal: [215.9, 355.6],
  Tabloid: [279.4, 431.8],
  // Ledger is Tabloid rotated: its own portrait is wider than high.
  Ledger: [431.8, 279.4],
  A0: [841, 1189],
  A1: [594, 841],
  A2: [420, 594],
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  A6: [105, 148],
} as const satisfies Record<PaperFormat, readonly [number, number]>;

/** Width and height of a sheet. */
export interface PaperSize {
  width: number;
  height: number;
}

/** A sheet by its name, or its lengths in inches. */
export type Paper = PaperFormat | PaperSize;

/** The sheet in inches; when landscape, a named one is rotated, and a custom one lies on its long side. */
export function paperInches(paper: Paper, landscape: boolean): PaperSize {
  if (typeof paper === 'object') {
    const { width, height } = paper;
    return landscape ? { width: Math.max(width, height), height: Math.min(width, height) } : paper;
  }
  const [width, height] = SIZES_MM[paper].map((millimetres) => millimetres / 25.4) as [number, number];
  return landscape ? { width: height, height: width } : { width, height };
}

/** The sheet in PDF points (1/72 inch), rotated when landscape. */
export function paperPoints(paper: Paper, landscape: boolean): PaperSize {
  const { width, height } = paperInches(paper, landscape);
  return { width: width * 72, height: height * 72 };
}

/** Centimetres to inches. */
export function inches(centimetres: number): number {
  return centimetres / 2.54;
}
