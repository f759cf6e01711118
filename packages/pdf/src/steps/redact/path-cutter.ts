import type { ContentOperations, Edit } from '../../content/operations.ts';
import { type Box, type Matrix, meet } from '../geometry.ts';
import { boxOfPath, cutFill, cutStroke, grown, isWithin, Path, type Point, invertedMatrix } from './paths.ts';

/** The part of the graphics state that concerns paths. */
interface PathState {
  matrix: Matrix;
  lineWidth: number;
}

const BUILDING = /^(?:[mlcvy]|re)$/;
const PAINTING = /^(?:[fFSsnbB]|[fbB]\*)$/;

/** Reads the paths of a stream (ISO 32000-2, 8.5), and removes the parts in the redacted areas. */
export class PathCutter {
  readonly #areas: readonly Box[];
  readonly #spend: (operations: number) => void;
  #path: Path | undefined;
  #start = 0;
  #clips = '';

  /** @param spend is called with the amount of work, which grows with areas and points */
  constructor(areas: readonly Box[], spend: (operations: number) => void) {
    this.#areas = areas;
    this.#spend = spend;
  }

  /**
   * Processes an operation.
   *
   * @param n its operands, by index
   * @returns the replacement of a path that ends with it; undefined if nothing changes
   */
  operation(operation: ContentOperations, n: (index: number) => number, state: PathState): Edit | undefined {
    const { operator, start } = operation;
    if (BUILDING.test(operator) && this.#path === undefined) {
      this.#path = new Path();
      this.#start = start;
    }
    const path = this.#path;
    if (path === undefined) return undefined;
    if (PAINTING.test(operator)) return this.#paint(path, operation, state);
    const [a, b, c, d, e, f] = state.matrix;
    const at = (x: number, y: number): Point => [a * x + c * y + e, b * x + d * y + f];
    const point = (index: number): Point => at(n(index), n(index + 1));
    switch (operator) {
      case 'm':
        path.move(point(0));
        break;
      case 'l':
        path.line(point(0));
        break;
      case 'c':
        path.curve(point(0), point(2), point(4));
        break;
      case 'v':
        path.curve(path.current, point(0), point(2));
        break;
      case 'y':
        path.curve(point(0), point(2), point(2));
        break;
      case 're': {
        const [x, y, width, height] = [n(0), n(1), n(2), n(3)];
        path.move(at(x, y));
        path.line(at(x + width, y));
        path.line(at(x + width, y + height));
        path.line(at(x, y + height));
        path.close();
        break;
      }
      case 'h':
        path.close();
        break;
      case 'W':
      case 'W*':
        this.#clips = operator;
        break;
      default:
    }
    return undefined;
  }

  #paint(path: Path, { operator, end, bytes }: ContentOperations, state: PathState): Edit | undefined {
    const [clips, start] = [this.#clips, this.#start];
    this.#path = undefined;
    this.#clips = '';
    if (/^(?:s|b\*?)$/.test(operator)) path.close();
    const box = boxOfPath(path);
    const toUser = invertedMatrix(state.matrix);
    if (box === undefined || toUser === undefined) return undefined;
    const strokes = /^[sSbB]/.test(operator);
    const [a, b, c, d] = state.matrix;
    const reach = strokes ? (state.lineWidth * Math.max(Math.hypot(a, b), Math.hypot(c, d))) / 2 : 0;
    // A horizontal or vertical line has no height or width.
    const areas = this.#areas.filter((area) => meet(grown(box, Math.max(reach, 1e-6)), area));
    if (areas.length === 0) return undefined;
    this.#spend(areas.length * path.subpaths.reduce((sum, { points }) => sum + points.length, 0));
    const isInside = areas.some((area) => isWithin(box, area));
    if (operator === 'n' && !isInside) return undefined;
    const parts: string[] = [];
    if (!isInside && /^[fFbB]/.test(operator)) {
      parts.push(cutFill(path, areas, toUser), operator.endsWith('*') ? 'f*' : 'f');
    }
    if (!isInside && strokes) {
      const around = areas.map((area) => grown(area, reach));
      parts.push(cutStroke(path, around, toUser), 'S');
    }
    // If the clip is inside a redacted area, nothing is shown through it.
    if (clips !== '') parts.push(isInside ? `0 0 0 0 re ${clips} n` : `${outlineOf(bytes, start, end)} n`);
    return { start, end, by: parts.join('\n') };
  }
}

/** The operators of a path before the one that paints it, including `W`. */
function outlineOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end).replace(/(?:[fbB]\*|[fFSsnbB])$/, '');
}
