import { PlatenError } from '@platen/core/errors';
import { pdfNumbers } from '../content/write.ts';
import type { PdfFile } from '../model/index.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import { inverse, type Matrix, points, product, viewOf } from './geometry.ts';
import { formOfPage } from './import-page.ts';
import { corners, followMoves, type Move, moveAnnotations } from './move-content.ts';
import { type OpenPage, pagesFor } from './page-spans.ts';
import type { Form } from './paint.ts';
import type { ImposeStep, Paper } from './types.ts';

/** Minimum width and height of a page on a sheet, in points. */
const MIN_CELL = 1;

/** Positions of pages on sheets, in points from the lower left corner. */
interface Layout {
  width: number;
  height: number;
  cell: { width: number; height: number };
  /** Lower left corners, in filling order. */
  places: readonly (readonly [x: number, y: number])[];
}

/**
 * Puts several pages on each sheet: in columns and rows, as labels, or as a booklet. A page becomes a form XObject
 * of its sheet; its links, fields, tags and destinations move with it. Page labels are removed.
 *
 * @throws PlatenError `invalid_field` if margins and gaps leave no space
 */
export function imposePages(file: PdfFile, options: ImposeStep, place: string): void {
  const pages = pagesFor(file, undefined, place);
  const layout = layoutFor(file, pages[0], options, place);
  const sequence = options.booklet === true ? bookletOrder(pages) : pages;
  const root = file.allocate();
  const placed: Placed = { forms: new Map(), moves: new Map(), annotations: new Set() };
  const sheets: Ref[] = [];
  for (let at = 0; at < sequence.length; at += layout.places.length) {
    const sheet = file.allocate();
    const dict = sheetOf(file, sheet, sequence.slice(at, at + layout.places.length), layout, placed);
    file.set(sheet, { ...dict, '/Parent': root });
    sheets.push(sheet);
  }
  const catalog: PdfDict = { ...file.catalog, '/Pages': root };
  // Page labels and article threads refer to the original pages.
  delete catalog['/PageLabels'];
  delete catalog['/Threads'];
  file.set(file.catalogRef, catalog);
  file.set(root, { '/Type': '/Pages', '/Kids': sheets, '/Count': sheets.length });
  followMoves(
    file,
    placed.moves,
    pages.map(({ ref }) => ref),
  );
}

/** The pages on sheets so far. */
interface Placed {
  /** By original page. */
  forms: Map<Ref, Form>;
  moves: Map<Ref, Move>;
  annotations: Set<PdfValue>;
}

function sheetOf(
  file: PdfFile,
  sheet: Ref,
  pages: readonly (OpenPage | null)[],
  { width, height, cell, places }: Layout,
  { forms, moves, annotations }: Placed,
): PdfDict {
  const operators: string[] = [];
  const objects: PdfDict = {};
  const links: PdfValue[] = [];
  for (const [index, page] of pages.entries()) {
    const [x, y] = places[index] ?? [0, 0];
    if (page === null) continue;
    const form = forms.get(page.ref) ?? formOf(file, page);
    forms.set(page.ref, form);
    const scale = Math.min(cell.width / form.box.width, cell.height / form.box.height);
    const matrix: Matrix = [
      ...([scale, 0, 0, scale] as const),
      x + (cell.width - form.box.width * scale) / 2,
      y + (cell.height - form.box.height * scale) / 2,
    ];
    objects[`/Pl${index}`] = form.ref;
    operators.push(`q ${pdfNumbers(...matrix)} cm /Pl${index} Do Q`);
    // For a repeated page, destinations and fields refer to its first copy.
    if (moves.has(page.ref)) continue;
    const toSheet = product(inverse(viewOf(file, page.dict).toPage), matrix);
    const move = { page: sheet, matrix: toSheet, form: form.ref };
    moves.set(page.ref, move);
    for (const link of moveAnnotations(file, page.dict, move, annotations)) links.push(link);
  }
  return {
    '/Type': '/Page',
    '/MediaBox': corners({ x: 0, y: 0, width, height }),
    '/Resources': { '/XObject': objects },
    '/Contents': file.add({}, Buffer.from(`${operators.join('\n')}\n`)),
    ...(links.length > 0 ? { '/Annots': links } : {}),
  };
}

/** A page as a form XObject, whose marked content keeps its tags. */
function formOf(file: PdfFile, { dict }: OpenPage): Form {
  const form = formOfPage(file, file, dict);
  const key = file.resolve(dict['/StructParents']);
  if (typeof key === 'number') file.set(form.ref, { ...file.dict(form.ref), '/StructParents': key });
  return form;
}

/**
 * The order of pages on sheets with two pages per side, which are printed on both sides and folded; null is empty.
 */
function bookletOrder(pages: readonly OpenPage[]): (OpenPage | null)[] {
  const count = Math.ceil(pages.length / 4) * 4;
  const order: (OpenPage | null)[] = [];
  for (let at = 0; at < count / 2; at += 2) {
    for (const index of [count - 1 - at, at, at + 1, count - 2 - at]) order.push(pages[index] ?? null);
  }
  return order;
}

function layoutFor(
  file: PdfFile,
  first: OpenPage | undefined,
  { columns, rows, paper, margin = 0, gap = 0, order, booklet = false }: ImposeStep,
  place: string,
): Layout {
  const { width, height } = viewOf(file, first?.dict ?? {});
  const grid = { columns: columns ?? (booklet ? 2 : 1), rows: rows ?? 1, margin, gap, order };
  const given: Paper = paper ?? { width, height, follows: true };
  const upright = layoutOf(given.width, given.height, grid);
  const turned = layoutOf(given.height, given.width, grid);
  const roomFor = ({ cell }: Layout): number => Math.min(cell.width / width, cell.height / height);
  const layout = given.follows && roomFor(turned) > roomFor(upright) ? turned : upright;
  if (layout.cell.width >= MIN_CELL && layout.cell.height >= MIN_CELL) return layout;
  const field = `${place}.margin`;
  const message = 'and the gaps leave no room for pages on this paper';
  throw new PlatenError('invalid_field', `\`${field}\` ${message}.`, { faults: [{ field, message }] });
}

function layoutOf(
  width: number,
  height: number,
  {
    columns,
    rows,
    order = 'rows',
    ...lengths
  }: Pick<ImposeStep, 'order'> & { columns: number; rows: number; margin: number; gap: number },
): Layout {
  const [margin, gap] = [points(lengths.margin), points(lengths.gap)];
  const cell = {
    width: (width - 2 * margin - (columns - 1) * gap) / columns,
    height: (height - 2 * margin - (rows - 1) * gap) / rows,
  };
  const places = Array.from({ length: columns * rows }, (_, index): [number, number] => {
    const column = order === 'rows' ? index % columns : Math.floor(index / rows);
    const row = order === 'rows' ? Math.floor(index / columns) : index % rows;
    return [margin + column * (cell.width + gap), height - margin - (row + 1) * cell.height - row * gap];
  });
  return { width, height, cell, places };
}
