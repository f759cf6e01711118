import { pdfNumbers } from '../content/write.ts';
import type { PdfFile } from '../model/index.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import { type Box, type Matrix, rotationOf, viewOf, visibleBox } from './geometry.ts';
import { corners, followMoves, type Move, moveAnnotations, MovedPatterns } from './move-content.ts';
import { type OpenPage, pagesFor } from './page-spans.ts';
import { enclosed } from './paint.ts';
import type { Paper, ScaleStep } from './types.ts';

/** Boxes of a page besides its media box, which a new sheet does not have (ISO 32000-2, 14.11.2). */
const INNER_BOXES = ['/BleedBox', '/TrimBox', '/ArtBox', '/UserUnit'];

/**
 * Puts all pages on sheets of another size, with their content, links, fields and destinations. A page keeps
 * its rotation.
 */
export function scalePages(file: PdfFile, { paper, fit = 'contain' }: ScaleStep): void {
  const moves = new Map<Ref, Move>();
  const shared = { patterns: new MovedPatterns(file), seen: new Set<PdfValue>() };
  // A page that occurs twice in the document is one object.
  const pages = new Map(pagesFor(file, undefined, '').map((page) => [page.ref, page]));
  for (const page of pages.values()) {
    const box = visibleBox(file, page.dict);
    const sheet = sheetOf(file, page.dict, paper);
    const matrix = fitting(box, sheet, fit, viewOf(file, page.dict).toPage);
    moves.set(page.ref, { page: page.ref, matrix });
    scalePage(file, page, { sheet, box, matrix }, shared);
  }
  followMoves(file, moves, file.pages());
}

/** The sheet in the page's own coordinates, rotated with the page. */
function sheetOf(file: PdfFile, page: PdfDict, { width, height, follows }: Paper): Box {
  const view = viewOf(file, page);
  const isSideways = rotationOf(file, page) % 180 !== 0;
  const isOther = follows && view.width > view.height !== width > height && view.width !== view.height;
  const seen = isOther ? { width: height, height: width } : { width, height };
  return isSideways
    ? { x: 0, y: 0, width: seen.height, height: seen.width }
    : { x: 0, y: 0, width: seen.width, height: seen.height };
}

/** Maps the displayed part of a page to the centre of its sheet. */
function fitting(box: Box, sheet: Box, fit: NonNullable<ScaleStep['fit']>, toPage: Matrix): Matrix {
  const [x, y] = [sheet.width / box.width, sheet.height / box.height];
  // Size of one unit of the page in points, which preserves the original size.
  const unit = 1 / Math.hypot(toPage[0], toPage[1]);
  const scales = {
    contain: [Math.min(x, y), Math.min(x, y)],
    cover: [Math.max(x, y), Math.max(x, y)],
    fill: [x, y],
    none: [unit, unit],
  } as const;
  const [sx, sy] = scales[fit];
  const left = (sheet.width - box.width * sx) / 2 - box.x * sx;
  const bottom = (sheet.height - box.height * sy) / 2 - box.y * sy;
  return [sx, 0, 0, sy, left, bottom];
}

function scalePage(
  file: PdfFile,
  page: OpenPage,
  { sheet, box, matrix }: { sheet: Box; box: Box; matrix: Matrix },
  { patterns, seen }: { patterns: MovedPatterns; seen: Set<PdfValue> },
): void {
  const before = file.dict(page.ref);
  // Ancestors may have a crop box too, so it must be set explicitly.
  const dict: PdfDict = { ...before, '/MediaBox': corners(sheet), '/CropBox': corners(sheet) };
  for (const key of INNER_BOXES) delete dict[key];
  dict['/Resources'] = patterns.resources(page.dict['/Resources'], matrix);
  const { x, y, width, height } = box;
  // Content beyond the displayed part of the page must stay invisible.
  const clipped = `q ${pdfNumbers(...matrix)} cm ${pdfNumbers(x, y, width, height)} re W n`;
  dict['/Contents'] = enclosed(file, before['/Contents'], clipped, 'Q');
  const annotations = moveAnnotations(file, page.dict, { page: page.ref, matrix }, seen);
  if (annotations.length > 0) dict['/Annots'] = annotations;
  file.set(page.ref, dict);
}
