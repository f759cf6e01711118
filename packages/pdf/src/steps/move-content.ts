import { pdfNumbers } from '../content/write.ts';
import type { PdfFile } from '../model/index.ts';
import { isDict, isName, isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import { type Box, boxOf, mappedBox, type Matrix, product } from './geometry.ts';

/** Moves the objects of pages: annotations, and destinations on them. */

/** The transformation of a page's content. */
export interface Move {
  /** The new page. */
  page: Ref;
  /** The transformation from the coordinates of the original page. */
  matrix: Matrix;
  /** The new form XObject; undefined if it is still page content. */
  form?: Ref | undefined;
}

const KINDS = new Set(['/XYZ', '/Fit', '/FitH', '/FitV', '/FitR', '/FitB', '/FitBH', '/FitBV']);

/** Maximum depth of values; destinations are not nested more deeply. */
const MAX_LEVELS = 50;

/**
 * Adapts all destinations and tags to the new places of their pages' content.
 *
 * @param moves by original page
 * @param pages the original pages, for destinations with page numbers
 */
export function followMoves(file: PdfFile, moves: ReadonlyMap<Ref, Move>, pages: readonly Ref[]): void {
  const moveOf = (page: PdfValue | undefined): Move | undefined => {
    const ref = typeof page === 'number' ? pages[page] : page;
    return isRef(ref) ? moves.get(ref) : undefined;
  };
  for (const { id, generation, object } of file.reachable().objects) {
    const moved = movedValue(file, object.value, moveOf, 0);
    if (moved !== object.value) file.set(`${id} ${generation} R`, moved);
  }
}

/** The move of a page, or of the page of that number; undefined if its content has not moved. */
type MoveOf = (page: PdfValue | undefined) => Move | undefined;

/** Actions whose destinations are in other files (12.6.4.3 and 12.6.4.4). */
const REMOTE: ReadonlySet<PdfValue | undefined> = new Set(['/GoToR', '/GoToE']);

/** The same value if it contains no page whose content has moved. */
function movedValue(file: PdfFile, value: PdfValue, moveOf: MoveOf, level: number): PdfValue {
  if (level > MAX_LEVELS || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const isTarget = isName(value[1]) && KINDS.has(value[1]);
    const move = isTarget ? moveOf(value[0]) : undefined;
    if (move !== undefined) return movedTarget(file, value, move);
    const entries = value.map((entry) => movedValue(file, entry, moveOf, level + 1));
    return entries.some((entry, index) => entry !== value[index]) ? entries : value;
  }
  let changed: PdfDict | undefined;
  for (const key in value) {
    const entry = value[key] ?? null;
    if (key === '/D' && REMOTE.has(value['/S'])) continue;
    const moved = movedValue(file, entry, moveOf, level + 1);
    if (moved !== entry) (changed ??= { ...value })[key] = moved;
  }
  // Every tag has a type and kids.
  return isName(value['/S']) && '/K' in value ? movedTag(file, changed ?? value, moveOf) : (changed ?? value);
}

/** A tag with the new place of its content (14.7.2). */
function movedTag(file: PdfFile, tag: PdfDict, moveOf: MoveOf): PdfDict {
  const own = moveOf(tag['/Pg']);
  const moved: PdfDict = { ...tag };
  if (own !== undefined) {
    moved['/Pg'] = own.page;
    if (tag['/A'] !== undefined) moved['/A'] = movedAttributes(file, tag['/A'], own.matrix);
  }
  const kid = (entry: PdfValue): PdfValue => {
    if (typeof entry === 'number') {
      if (own?.form === undefined) return entry;
      return { '/Type': '/MCR', '/Pg': own.page, '/Stm': own.form, '/MCID': entry };
    }
    const dict = file.resolve(entry);
    if (!isDict(dict) || !('/MCID' in dict || '/Obj' in dict)) return entry;
    const there = moveOf(dict['/Pg'] ?? tag['/Pg']);
    if (there === undefined) return entry;
    const isOfPage = '/MCID' in dict && !('/Stm' in dict);
    const moved: PdfDict = { ...dict, '/Pg': there.page };
    if (there.form !== undefined && isOfPage) moved['/Stm'] = there.form;
    return moved;
  };
  const kids = file.resolve(tag['/K']);
  moved['/K'] = Array.isArray(kids) ? kids.map(kid) : kid(tag['/K'] ?? null);
  return moved;
}

/** Attributes of a tag, with its box (ISO 32000-2, 14.8.5.4.3) at the new place of the content. */
function movedAttributes(file: PdfFile, attributes: PdfValue, matrix: Matrix): PdfValue {
  const resolved = file.resolve(attributes);
  if (Array.isArray(resolved)) return resolved.map((entry) => movedAttributes(file, entry, matrix));
  const box = isDict(resolved) ? boxOf(file, resolved['/BBox']) : undefined;
  if (!isDict(resolved) || box === undefined) return attributes;
  return { ...resolved, '/BBox': corners(mappedBox(box, matrix)) };
}

/** A destination (12.3.2.2) on the new page of its content. */
function movedTarget(file: PdfFile, target: readonly PdfValue[], { page, matrix }: Move): PdfValue[] {
  const kind = target[1] ?? null;
  const numbers = target.slice(2).map((entry) => file.resolve(entry));
  const number = (index: number): number | null => {
    const found = numbers[index];
    return typeof found === 'number' ? found : null;
  };
  const isTurned = matrix[1] !== 0 || matrix[2] !== 0;
  const at = (x: number | null, y: number | null): [PdfValue, PdfValue] => {
    const [px, py] = mapped(matrix, x ?? 0, y ?? 0);
    // An unspecified coordinate stays unspecified, unless the axes are swapped.
    return isTurned ? [px, py] : [x === null ? null : px, y === null ? null : py];
  };
  switch (kind) {
    case '/XYZ':
      return [page, kind, ...at(number(0), number(1)), numbers[2] ?? null];
    case '/FitH':
    case '/FitBH':
      return isTurned ? [page, '/XYZ', ...at(null, number(0)), null] : [page, kind, at(null, number(0))[1]];
    case '/FitV':
    case '/FitBV':
      return isTurned ? [page, '/XYZ', ...at(number(0), null), null] : [page, kind, at(number(0), null)[0]];
    case '/FitR': {
      const box = boxOf(file, target.slice(2));
      return box === undefined ? [page, '/Fit'] : [page, kind, ...corners(mappedBox(box, matrix))];
    }
    default:
      return [page, kind];
  }
}

function mapped([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** A rectangle in PDF syntax. */
export function corners({ x, y, width, height }: Box): number[] {
  return [x, y, x + width, y + height].map((value) => Number(pdfNumbers(value)));
}

/** Entries of annotations that are sequences of points (12.5.6). */
const POINTS = ['/QuadPoints', '/L', '/CL', '/Vertices'];

/**
 * Moves the annotations of a page with its content.
 *
 * @param seen annotations that have been moved already
 * @returns the new `/Annots` of the page
 */
export function moveAnnotations(file: PdfFile, page: PdfDict, move: Move, seen: Set<PdfValue>): PdfValue[] {
  return file.array(page['/Annots']).flatMap((entry): PdfValue[] => {
    const annotation = file.resolve(entry);
    if (!isDict(annotation) || (isRef(entry) && seen.has(entry))) return [];
    const moved = movedAnnotation(file, annotation, move);
    if (!isRef(entry)) return [moved];
    seen.add(entry);
    file.set(entry, moved);
    return [entry];
  });
}

/** An annotation at the new place of its page's content. */
function movedAnnotation(file: PdfFile, annotation: PdfDict, { page, matrix }: Move): PdfDict {
  const moved: PdfDict = { ...annotation, '/P': page };
  const box = boxOf(file, annotation['/Rect']);
  // An annotation without an area, such as an invisible signature, also has a place.
  if (box !== undefined) moved['/Rect'] = corners(mappedBox(box, matrix));
  for (const key of POINTS) {
    if (annotation[key] !== undefined) moved[key] = movedPoints(file, annotation[key], matrix);
  }
  const strokes = file.array(annotation['/InkList']);
  if (strokes.length > 0) moved['/InkList'] = strokes.map((stroke) => movedPoints(file, stroke, matrix));
  if (matrix[1] !== 0 || matrix[2] !== 0 || matrix[0] < 0) {
    const appearances = turnedAppearances(file, annotation['/AP'], matrix);
    if (appearances !== undefined) moved['/AP'] = appearances;
  }
  return moved;
}

function movedPoints(file: PdfFile, value: PdfValue, matrix: Matrix): PdfValue[] {
  const numbers = file.array(value).map((entry) => Number(file.resolve(entry)) || 0);
  return numbers.flatMap((x, index) =>
    index % 2 === 0 ? mapped(matrix, x, numbers[index + 1] ?? 0).map((n) => Number(pdfNumbers(n))) : [],
  );
}

/** Appearances of an annotation, rotated with its page: readers fit them upright into its rectangle. */
function turnedAppearances(
  file: PdfFile,
  value: PdfValue | undefined,
  [a, b, c, d]: Matrix,
): PdfDict | undefined {
  const looks = file.resolve(value);
  if (!isDict(looks)) return undefined;
  const scale = Math.hypot(a, b);
  const turn: Matrix = [a / scale, b / scale, c / scale, d / scale, 0, 0];
  const turned = (look: PdfValue, level: number): PdfValue => {
    const stream = isRef(look) ? file.get(look)?.stream : undefined;
    const dict = file.resolve(look);
    if (!isDict(dict)) return look;
    if (stream !== undefined) {
      const before = matrixOf(file, dict['/Matrix']);
      return file.add({ ...dict, '/Matrix': [...product(before, turn)] }, stream.raw);
    }
    // An appearance for each state.
    if (level > 1) return look;
    return Object.fromEntries(Object.entries(dict).map(([key, entry]) => [key, turned(entry, level + 1)]));
  };
  const entries = Object.entries(looks).map(([key, look]) => [key, turned(look, 0)] as const);
  return Object.fromEntries(entries);
}

/** Patterns are relative to the page, and not to its moved content (8.7.2), so they are moved too. */
export class MovedPatterns {
  readonly #file: PdfFile;
  readonly #known = new Map<PdfDict, Map<string, Ref>>();

  constructor(file: PdfFile) {
    this.#file = file;
  }

  /** The resources of a page with its patterns moved. */
  resources(value: PdfValue | undefined, matrix: Matrix): PdfDict {
    const file = this.#file;
    const resources = file.dict(value);
    const patterns = file.resolve(resources['/Pattern']);
    if (!isDict(patterns)) return resources;
    const known = this.#known.get(patterns) ?? new Map<string, Ref>();
    this.#known.set(patterns, known);
    const key = matrix.join(' ');
    const entries = (): [string, PdfValue][] =>
      Object.entries(patterns).map(([name, pattern]) => {
        const dict = file.dict(pattern);
        const stream = isRef(pattern) ? file.get(pattern)?.stream : undefined;
        const moved = { ...dict, '/Matrix': [...product(matrixOf(file, dict['/Matrix']), matrix)] };
        return [name, file.add(moved, stream?.raw)];
      });
    const moved = known.get(key) ?? file.add(Object.fromEntries(entries()));
    known.set(key, moved);
    return { ...resources, '/Pattern': moved };
  }
}

/** A matrix in PDF syntax; by default the identity. */
export function matrixOf(file: PdfFile, value: PdfValue | undefined): Matrix {
  const [a, b, c, d, e, f] = file.array(value).map((entry) => file.resolve(entry));
  const isMatrix = [a, b, c, d, e, f].every((entry) => typeof entry === 'number');
  return isMatrix ? ([a, b, c, d, e, f] as unknown as Matrix) : [1, 0, 0, 1, 0, 0];
}
