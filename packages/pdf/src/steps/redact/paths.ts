import { pdfNumbers } from '../../content/write.ts';
import { type Box, inverse, type Matrix, meet } from '../geometry.ts';

/** Removes the parts of paths that lie in areas. All coordinates are those of the page. */

export type Point = readonly [x: number, y: number];

interface Subpath {
  points: Point[];
  isClosed: boolean;
}

/** Number of line segments that replace a curve. */
const CURVE_LINES = 16;

/** A path under construction (ISO 32000-2, 8.5.2). */
export class Path {
  readonly subpaths: Subpath[] = [];
  #current: Point = [0, 0];

  move(to: Point): void {
    this.subpaths.push({ points: [to], isClosed: false });
    this.#current = to;
  }

  line(to: Point): void {
    const last = this.subpaths.at(-1);
    if (last === undefined || last.isClosed) this.move(this.#current);
    this.subpaths.at(-1)?.points.push(to);
    this.#current = to;
  }

  curve(a: Point, b: Point, to: Point): void {
    const from = this.#current;
    for (let step = 1; step <= CURVE_LINES; step++) {
      const t = step / CURVE_LINES;
      const u = 1 - t;
      const [p, q, r, s] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      this.line([
        p * from[0] + q * a[0] + r * b[0] + s * to[0],
        p * from[1] + q * a[1] + r * b[1] + s * to[1],
      ]);
    }
  }

  close(): void {
    const last = this.subpaths.at(-1);
    if (last === undefined) return;
    last.isClosed = true;
    this.#current = last.points[0] ?? this.#current;
  }

  get current(): Point {
    return this.#current;
  }
}

/** The bounding box of points; undefined for none. */
export function around(points: Iterable<Point>): Box | undefined {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [bottom, top] = [Math.min(bottom, y), Math.max(top, y)];
  }
  return right >= left && top >= bottom
    ? { x: left, y: bottom, width: right - left, height: top - bottom }
    : undefined;
}

export function boxOfPath({ subpaths }: Path): Box | undefined {
  return around(subpaths.flatMap(({ points }) => points));
}

export function isWithin(inner: Box, outer: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

export function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** Returns operators for the outline of a filled path, without its parts in the areas. */
export function cutFill({ subpaths }: Path, areas: readonly Box[], toUser: Matrix): string {
  let polygons = subpaths.map(({ points }) => points);
  for (const area of areas) {
    const [right, top] = [area.x + area.width, area.y + area.height];
    polygons = polygons.flatMap((polygon) => {
      const box = around(polygon);
      if (box === undefined || !meet(box, area)) return [polygon];
      const middle = half(half(polygon, 0, area.x, 1), 0, right, -1);
      return [
        half(polygon, 0, area.x, -1),
        half(polygon, 0, right, 1),
        half(middle, 1, area.y, -1),
        half(middle, 1, top, 1),
      ];
    });
  }
  return polygons
    .filter(({ length }) => length > 2)
    .map((polygon) => `${lines(polygon, toUser)} h`)
    .join('\n');
}

/**
 * The part of a polygon on one side of a line (Sutherland and Hodgman).
 *
 * @param side 1: above it, -1: below it
 */
function half(polygon: readonly Point[], axis: 0 | 1, at: number, side: 1 | -1): Point[] {
  const kept: Point[] = [];
  for (const [index, point] of polygon.entries()) {
    const before = polygon.at(index - 1) ?? point;
    const [from, to] = [side * (before[axis] - at), side * (point[axis] - at)];
    if (from >= 0 !== to >= 0) kept.push(between(before, point, from / (from - to)));
    if (to >= 0) kept.push(point);
  }
  return kept;
}

function between(a: Point, b: Point, t: number): Point {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
}

/** Operators for the stroked lines, without the parts in the areas. */
export function cutStroke({ subpaths }: Path, areas: readonly Box[], toUser: Matrix): string {
  const rows: string[] = [];
  for (const { points, isClosed } of subpaths) {
    const ring = isClosed && points[0] !== undefined ? [...points, points[0]] : points;
    let row: Point[] = [];
    const finish = (): void => {
      if (row.length > 1) rows.push(lines(row, toUser));
      row = [];
    };
    for (const [index, to] of ring.entries()) {
      const from = ring[index - 1];
      if (from === undefined) continue;
      for (const [start, end] of outside(from, to, areas)) {
        const [a, b] = [between(from, to, start), between(from, to, end)];
        if (start > 0 || row.length === 0) {
          finish();
          row.push(a);
        }
        row.push(b);
        if (end < 1) finish();
      }
    }
    finish();
  }
  return rows.join('\n');
}

/** The parts of a line outside of all areas, from 0 to 1. */
function outside(from: Point, to: Point, areas: readonly Box[]): [number, number][] {
  let parts: [number, number][] = [[0, 1]];
  for (const area of areas) {
    const inside = within(from, to, area);
    if (inside === undefined) continue;
    const [enter, leave] = inside;
    parts = parts.flatMap(([start, end]) => {
      const left: [number, number][] = [];
      if (start < Math.min(end, enter)) left.push([start, Math.min(end, enter)]);
      if (Math.max(start, leave) < end) left.push([Math.max(start, leave), end]);
      return left;
    });
  }
  return parts;
}

/** The part of a line that lies in a box (Liang and Barsky). */
function within(from: Point, to: Point, { x, y, width, height }: Box): [number, number] | undefined {
  let [enter, leave] = [0, 1];
  const sides: [number, number][] = [
    [from[0] - to[0], from[0] - x],
    [to[0] - from[0], x + width - from[0]],
    [from[1] - to[1], from[1] - y],
    [to[1] - from[1], y + height - from[1]],
  ];
  for (const [step, room] of sides) {
    if (step === 0) {
      if (room <= 0) return undefined;
    } else if (step < 0) enter = Math.max(enter, room / step);
    else leave = Math.min(leave, room / step);
  }
  return enter < leave ? [enter, leave] : undefined;
}

function lines(points: readonly Point[], [a, b, c, d, e, f]: Matrix): string {
  return points
    .map(([x, y], index) => `${pdfNumbers(a * x + c * y + e, b * x + d * y + f)} ${index === 0 ? 'm' : 'l'}`)
    .join(' ');
}

/** Returns the inverse of a matrix; undefined for a singular one. */
export function invertedMatrix(matrix: Matrix): Matrix | undefined {
  const [a, b, c, d] = matrix;
  return Math.abs(a * d - b * c) > 1e-12 ? inverse(matrix) : undefined;
}
