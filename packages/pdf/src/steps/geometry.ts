import type { PdfFile } from '../model/index.ts';
import type { PdfDict, PdfValue } from '../model/values.ts';
import type { Place, Position } from './types.ts';

/** Positions on a page as displayed: cropped, rotated, in its own unit. */

/** Maps (x, y) to (ax + cy + e, bx + dy + f), as the operator cm does. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The displayed area of a page. Lengths are in points (1/72 inch). */
export interface View {
  width: number;
  height: number;
  /** Maps from the view, whose origin is its lower left corner, to the page's own coordinates. */
  toPage: Matrix;
}

/** Letter, which readers assume for a page without a size. */
const DEFAULT_BOX: Box = { x: 0, y: 0, width: 612, height: 792 };

/** @param page with its inherited entries */
export function viewOf(file: PdfFile, page: PdfDict): View {
  const { x, y, width, height } = visibleBox(file, page);
  const unit = positive(file.resolve(page['/UserUnit'])) ?? 1;
  const scale = 1 / unit;
  switch (rotationOf(file, page)) {
    case 90:
      return turned(height, width, unit, [0, scale, -scale, 0, x + width, y]);
    case 180:
      return turned(width, height, unit, [-scale, 0, 0, -scale, x + width, y + height]);
    case 270:
      return turned(height, width, unit, [0, -scale, scale, 0, x, y + height]);
    default:
      return turned(width, height, unit, [scale, 0, 0, scale, x, y]);
  }
}

function turned(width: number, height: number, unit: number, toPage: Matrix): View {
  return { width: width * unit, height: height * unit, toPage };
}

/** The crop box within the media box, in the page's own coordinates. */
export function visibleBox(file: PdfFile, page: PdfDict): Box {
  const media = boxOf(file, page['/MediaBox']) ?? DEFAULT_BOX;
  const crop = boxOf(file, page['/CropBox']);
  if (crop === undefined) return media;
  const x = Math.max(media.x, crop.x);
  const y = Math.max(media.y, crop.y);
  const width = Math.min(media.x + media.width, crop.x + crop.width) - x;
  const height = Math.min(media.y + media.height, crop.y + crop.height) - y;
  // A crop box outside of the media box is ignored.
  return width > 0 && height > 0 ? { x, y, width, height } : media;
}

/** Returns the clockwise rotation of a page: 0, 90, 180 or 270. */
export function rotationOf(file: PdfFile, page: PdfDict): number {
  const angle = Number(file.resolve(page['/Rotate']));
  return Number.isFinite(angle) ? (((Math.round(angle / 90) * 90) % 360) + 360) % 360 : 0;
}

/** Returns a PDF rectangle, whichever of its corners are given; undefined if it is not one. */
export function boxOf(file: PdfFile, value: PdfValue | undefined): Box | undefined {
  const [a, b, c, d] = file.array(value).map((entry) => file.resolve(entry));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number') {
    return undefined;
  }
  const box = { x: Math.min(a, c), y: Math.min(b, d), width: Math.abs(c - a), height: Math.abs(d - b) };
  return box.width > 0 && box.height > 0 ? box : undefined;
}

function positive(value: PdfValue): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** Applies `first`, then `then`. */
export function product(first: Matrix, then: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [ta, tb, tc, td, te, tf] = then;
  return [
    a * ta + b * tc,
    a * tb + b * td,
    c * ta + d * tc,
    c * tb + d * td,
    e * ta + f * tc + te,
    e * tb + f * td + tf,
  ];
}

/** Returns the inverse of a matrix, which must not be singular. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const determinant = a * d - b * c;
  return [
    d / determinant,
    -b / determinant,
    -c / determinant,
    a / determinant,
    (c * f - d * e) / determinant,
    (b * e - a * f) / determinant,
  ];
}

/** The bounding box of a transformed box. */
export function mappedBox({ x, y, width, height }: Box, [a, b, c, d, e, f]: Matrix): Box {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([px = 0, py = 0]) => [a * px + c * py + e, b * px + d * py + f] as const);
  const [left, bottom] = [Math.min(...corners.map(([px]) => px)), Math.min(...corners.map(([, py]) => py))];
  return {
    x: left,
    y: bottom,
    width: Math.max(...corners.map(([px]) => px)) - left,
    height: Math.max(...corners.map(([, py]) => py)) - bottom,
  };
}

const POINTS_PER_CM = 72 / 2.54;

export function points(centimetres: number): number {
  return centimetres * POINTS_PER_CM;
}

/** Distance of edge-aligned objects from the edge. */
const EDGE = points(1);

/** An object to be placed: its box in its own coordinates, and the transformation before placing. */
export interface Placed {
  box: Box;
  /** Degrees, counter-clockwise as displayed. */
  angle?: number | undefined;
  scale?: number | undefined;
}

/**
 * Returns the matrix from the object's coordinates to the view. The bounding box after its rotation is placed:
 * with its upper left corner at x and y, or at one of the nine positions, a centimetre from the edges.
 */
export function placement(view: Pick<View, 'width' | 'height'>, placed: Placed, place: Place): Matrix {
  const { box, angle = 0, scale = 1 } = placed;
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians) * scale, Math.sin(radians) * scale];
  const turn: Matrix = [cos, sin, -sin, cos, 0, 0];
  const around = mappedBox(box, turn);
  const [vertical, horizontal] = halves(place.position ?? 'center');
  const x = place.x === undefined ? along(horizontal, view.width, around.width) : points(place.x);
  const y =
    place.y === undefined
      ? along(vertical, view.height, around.height)
      : view.height - points(place.y) - around.height;
  return product(turn, [1, 0, 0, 1, x - around.x, y - around.y]);
}

type Along = 'start' | 'middle' | 'end';

function halves(position: Position): [vertical: Along, horizontal: Along] {
  const vertical = position.startsWith('top') ? 'end' : position.startsWith('bottom') ? 'start' : 'middle';
  const horizontal = position.endsWith('left') ? 'start' : position.endsWith('right') ? 'end' : 'middle';
  return [vertical, horizontal];
}

function along(where: Along, whole: number, part: number): number {
  if (where === 'start') return EDGE;
  return where === 'end' ? whole - part - EDGE : (whole - part) / 2;
}

/** Returns whether two boxes have points in common, beyond their edges. */
export function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
