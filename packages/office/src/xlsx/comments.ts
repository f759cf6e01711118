import { isPlatenError } from '@platen/core/errors';
import { columnName } from '../calc/formula.ts';
import type { OfficePackage } from '../package.ts';
import type { XmlDocument } from '../xml/parse.ts';
import { all, copyElement, type Element, remove } from '../xml/tree.ts';
import { moveVml, shiftedAnchor } from './controls.ts';
import { setText } from './sheet-parts.ts';
import type { Rewriting, Sheet } from './sheet.ts';

/**
 * Comments of cells (ECMA-376, 18.7). Each is stored twice: its text in a list, and its box in a drawing
 * (VML, part 4 of the standard) that refers to the cell by numbers. When the two differ, Excel repairs the
 * file.
 */

/** Shape ids come in blocks of 1024, one block per drawing. */
const BLOCK = 1024;

/** Moves comments with their cells; those of a repeated row occur in each pass. Form controls in their drawing move, too. */
export function moveComments(file: OfficePackage, path: string, sheet: Sheet, rewriting: Rewriting): void {
  const relations = file.relationships(path).list();
  const part = (type: string): string | null => relations.find((one) => one.type === type)?.path ?? null;
  const comments = readPart(file, part('comments'));
  const drawing = readPart(file, part('vmlDrawing'));
  const threads = readPart(file, part('threadedComment'));
  const moves = new Moves(sheet);
  const authors = comments === null ? [] : all(comments.root, 'x:author').map((one) => one.textContent());
  const entries = comments === null ? [] : all(comments.root, 'x:comment');
  for (const entry of entries) {
    // A comment in a conversation has an identity, which must be unique.
    if (authors[Number(entry.get('authorId'))]?.startsWith('tc=')) moves.single.add(entry.get('ref') ?? '');
  }
  const boxes = drawing === null ? [] : all(drawing.root, 'v:shape').filter((shape) => dataOf(shape));
  const last = Math.max(
    BLOCK,
    ...boxes.map((box) => Number(/(?<!\d)\d+$/.exec(box.get('id') ?? '')?.[0] ?? 0)),
  );
  const copies = boxes.reduce((sum, box) => sum + Math.max(0, moves.of(cellOf(box)).length - 1), 0);
  if ((last % BLOCK) + copies >= BLOCK) moves.onlyFirst = true;
  for (const entry of entries) moveEntry(entry, moves);
  let id = last;
  for (const box of boxes) moveBox(box, moves, () => `_x0000_s${++id}`);
  if (drawing !== null) moveVml(drawing.root, sheet, rewriting);
  for (const entry of threads?.root.elements() ?? []) {
    const [to] = moves.of(entry.get('ref') ?? '');
    if (to === undefined) remove(entry);
    else entry.set('ref', to);
  }
  for (const document of [comments, drawing, threads])
    if (document !== null) file.setXml(document.path, document);
}

/** The new cells of comments. */
class Moves {
  /** Cells whose comment stays with the first copy of the row. */
  readonly single = new Set<string>();
  onlyFirst = false;
  private readonly sheet: Sheet;

  constructor(sheet: Sheet) {
    this.sheet = sheet;
  }

  of(cell: string): string[] {
    const cells = this.sheet.everyArea(cell);
    return this.onlyFirst || this.single.has(cell) ? cells.slice(0, 1) : cells;
  }
}

function moveEntry(entry: Element, moves: Moves): void {
  const [first, ...more] = moves.of(entry.get('ref') ?? '');
  if (first === undefined) {
    remove(entry);
    return;
  }
  entry.set('ref', first);
  for (const cell of more.toReversed()) {
    const copy = copyElement(entry);
    copy.set('ref', cell);
    copy.unset('xr:uid');
    entry.parent?.insertAfter(entry, copy);
  }
}

function moveBox(box: Element, moves: Moves, nextId: () => string): void {
  const cell = cellOf(box);
  const [first, ...more] = moves.of(cell);
  if (first === undefined) {
    remove(box);
    return;
  }
  const place = (one: Element, to: string): void => {
    const data = dataOf(one);
    const shift = rowOf(to) - rowOf(cell);
    const row = data?.first('xvml:Row');
    const anchor = data?.first('xvml:Anchor');
    if (row) setText(row, String(rowOf(to) - 1));
    if (anchor) setText(anchor, shiftedAnchor(anchor.textContent(), shift));
  };
  for (const to of more) {
    const copy = copyElement(box);
    copy.set('id', nextId());
    place(copy, to);
    box.parent?.append(copy);
  }
  place(box, first);
}

function dataOf(shape: Element): Element | undefined {
  return shape.elements('xvml:ClientData').find((data) => data.get('ObjectType') === 'Note');
}

/** Returns the template's cell to which a box belongs. */
function cellOf(box: Element): string {
  const data = dataOf(box);
  const number = (tag: string): number => Number(data?.first(tag)?.textContent() ?? 0) + 1;
  return `${columnName(number('xvml:Column'))}${number('xvml:Row')}`;
}

function rowOf(cell: string): number {
  return Number(/(?<!\d)\d+$/.exec(cell)?.[0] ?? 1);
}

/**
 * Reads a part that may not be well-formed, which programs accept in drawings; such a part stays unchanged.
 */
function readPart(file: OfficePackage, path: string | null): (XmlDocument & { path: string }) | null {
  if (path === null || !file.has(path)) return null;
  try {
    return { ...file.xml(path), path };
  } catch (error) {
    if (!isPlatenError(error)) throw error;
    return null;
  }
}
