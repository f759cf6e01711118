import type { PdfFile } from './index.ts';
import { isDict } from './values.ts';
import type { PdfDict, PdfValue, Ref } from './values.ts';

/** Pages as displayed: cropped, rotated, lengths in cm from the top left corner. */

/** Maximum number of levels from a page to the root of its tree. */
const MAX_LEVELS = 100;

export interface PageGeometry {
  /** Size of the crop box, in units of the page. */
  left: number;
  bottom: number;
  right: number;
  top: number;
  /** 0, 90, 180 or 270 degrees clockwise. */
  rotation: number;
  /** Size of one unit of the page, in points. */
  unit: number;
}

/** A place on a page as displayed. */
export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

/** The page size that readers assume if a page declares none. */
export const LETTER: Box = [0, 0, 612, 792];

/** An attribute that a page may inherit (ISO 32000-1, 7.7.3.4). */
export function inherited(objects: Pick<PdfFile, 'resolve'>, page: Ref, key: string): PdfValue {
  let node: PdfValue = page;
  for (let level = 0; level < MAX_LEVELS && node !== null; level++) {
    const dict: PdfValue = objects.resolve(node);
    if (!isDict(dict)) break;
    if (dict[key] !== undefined) return dict[key];
    node = dict['/Parent'] ?? null;
  }
  return null;
}

/** The crop box of a page, within its media box, and its rotation. */
export function pageGeometry(objects: PdfFile, page: Ref): PageGeometry {
  const media = boxOf(objects, inherited(objects, page, '/MediaBox')) ?? LETTER;
  const crop = boxOf(objects, inherited(objects, page, '/CropBox')) ?? media;
  const cut: Box = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  const [left, bottom, right, top] = cut[0] < cut[2] && cut[1] < cut[3] ? cut : media;
  const turned = objects.resolve(inherited(objects, page, '/Rotate'));
  const unit = objects.resolve(objects.dict(page)['/UserUnit']);
  return {
    left,
    bottom,
    right,
    top,
    rotation: typeof turned === 'number' ? (((Math.round(turned / 90) * 90) % 360) + 360) % 360 : 0,
    unit: typeof unit === 'number' && unit > 0 ? unit : 1,
  };
}

/** Width and height of a page as displayed, in cm. */
export function pageSize({ left, bottom, right, top, rotation, unit }: PageGeometry): {
  width: number;
  height: number;
} {
  const [width, height] = [centimetres((right - left) * unit), centimetres((top - bottom) * unit)];
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** Returns the displayed place of a rectangle of a page. */
export function placeOf(geometry: PageGeometry, rectangle: Box): Place {
  const { left, bottom, right, top, rotation, unit } = geometry;
  const [x1, y1, x2, y2] = rectangle;
  const places: Readonly<Record<number, readonly [x: number, y: number]>> = {
    0: [x1 - left, top - y2],
    90: [y1 - bottom, x1 - left],
    180: [right - x2, y1 - bottom],
    270: [top - y2, right - x2],
  };
  const [x, y] = places[rotation] ?? [0, 0];
  const [w, h] = rotation % 180 === 0 ? [x2 - x1, y2 - y1] : [y2 - y1, x2 - x1];
  return {
    x: centimetres(x * unit),
    y: centimetres(y * unit),
    w: centimetres(w * unit),
    h: centimetres(h * unit),
  };
}

/** Returns four numbers in order, or undefined if they are not a rectangle with an area. */
export function boxOf(
  objects: Pick<PdfFile, 'array' | 'resolve'>,
  value: PdfValue | undefined,
): Box | undefined {
  const numbers = objects.array(value).map((entry) => objects.resolve(entry));
  const [a, b, c, d] = numbers;
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number') {
    return undefined;
  }
  const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[0] < box[2] && box[1] < box[3] ? box : undefined;
}

/** Converts points to cm, rounded to a thousandth of a millimetre. */
export function centimetres(points: number): number {
  return Math.round((points / 72) * 2.54 * 10_000) / 10_000 || 0;
}

/** References of the annotations of a page. */
export function annotationsOf(objects: Pick<PdfFile, 'array'>, page: PdfDict): PdfValue[] {
  return objects.array(page['/Annots']);
}
