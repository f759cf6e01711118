import { crc32, deflateSync } from 'node:zlib';
import type { BarcodeDrawing, PathStep } from './drawing.ts';

/** A barcode as pixels, for readers without vector drawings, such as those of office documents. */

type Point = readonly [number, number];
interface Edge {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Pixels per module: bars stay sharp at any printed size. */
const SCALE = 12;
/** Line segments that approximate a curve of a letter. */
const PIECES = 8;

/**
 * Draws the barcode black on white.
 *
 * @param millimetres width of a module, which sets the PNG's resolution
 */
export function barcodePng(drawing: BarcodeDrawing, millimetres: number): Buffer {
  const width = Math.ceil(drawing.width * SCALE);
  const height = Math.ceil(drawing.height * SCALE);
  const stride = Math.ceil(width / 8) + 1;
  // Every row begins with PNG's filter byte 0 (none). A 1 bit is white.
  const rows = Buffer.alloc(stride * height, 0xff);
  for (let y = 0; y < height; y += 1) rows[y * stride] = 0;
  for (const path of drawing.paths) fill(edgesOf(path), { rows, stride, width, height });

  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const resolution = Buffer.alloc(9);
  const perMetre = Math.round((SCALE / millimetres) * 1000);
  resolution.writeUInt32BE(perMetre, 0);
  resolution.writeUInt32BE(perMetre, 4);
  resolution.writeUInt8(1, 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('pHYs', resolution),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Returns the outline as straight edges, in pixels. */
function edgesOf(path: readonly PathStep[]): Edge[] {
  const edges: Edge[] = [];
  let start: Point = [0, 0];
  let at: Point = [0, 0];
  const to = (end: Point): void => {
    edges.push({ x0: at[0] * SCALE, y0: at[1] * SCALE, x1: end[0] * SCALE, y1: end[1] * SCALE });
    at = end;
  };
  for (const step of path) {
    if ('move' in step) [start, at] = [step.move, step.move];
    else if ('line' in step) to(step.line);
    else if ('curve' in step) {
      const from = at;
      for (let piece = 1; piece <= PIECES; piece += 1) to(pointOfCurve(from, step.curve, piece / PIECES));
    } else to(start);
  }
  return edges;
}

function pointOfCurve(from: Point, [first, second, end]: readonly [Point, Point, Point], t: number): Point {
  const u = 1 - t;
  const at = (i: 0 | 1): number =>
    u ** 3 * from[i] + 3 * u * u * t * first[i] + 3 * u * t * t * second[i] + t ** 3 * end[i];
  return [at(0), at(1)];
}

interface Bitmap {
  rows: Buffer;
  stride: number;
  width: number;
  height: number;
}

/** Fills the edges by the even-odd rule, row by row: a pixel is inside when its centre is. */
function fill(edges: readonly Edge[], { rows, stride, width, height }: Bitmap): void {
  const top = Math.max(0, Math.floor(Math.min(...edges.map(({ y0, y1 }) => Math.min(y0, y1)))));
  const bottom = Math.min(height, Math.ceil(Math.max(...edges.map(({ y0, y1 }) => Math.max(y0, y1)))));
  for (let y = top; y < bottom; y += 1) {
    const middle = y + 0.5;
    const crossings = edges
      .filter(({ y0, y1 }) => y0 <= middle !== y1 <= middle)
      .map(({ x0, y0, x1, y1 }) => x0 + ((middle - y0) / (y1 - y0)) * (x1 - x0))
      .sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(0, Math.ceil((crossings[i] ?? 0) - 0.5));
      const to = Math.min(width, Math.ceil((crossings[i + 1] ?? 0) - 0.5));
      for (let x = from; x < to; x += 1) {
        const byte = y * stride + 1 + (x >> 3);
        rows[byte] = (rows[byte] ?? 0) & ~(0x80 >> (x & 7));
      }
    }
  }
}
