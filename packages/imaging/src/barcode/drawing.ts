import bwip, { render } from 'bwip-js/generic';

/** A barcode as shapes, independent of the output format. */

/** A point: x to the right, y downwards, from the top left corner. */
type Point = readonly [number, number];

export type PathStep =
  { move: Point } | { line: Point } | { curve: readonly [Point, Point, Point] } | { close: true };

export interface BarcodeDrawing {
  /**
   * Width in modules: a module is the width of the narrowest bar, or half the side of a square in symbologies
   * whose squares are two modules wide.
   */
  width: number;
  height: number;
  /** Paths to fill with the colour of the bars, by the even-odd rule. */
  paths: readonly (readonly PathStep[])[];
}

/** Light margins that a reader needs around the symbol, in modules. */
export interface QuietZone {
  x: number;
  y: number;
}

/** Units of the encoder per module. Text is laid out in whole units, so a module needs several. */
const UNITS = 4;

/**
 * Draws a symbol.
 *
 * @param symbology the encoder's name of the symbology
 * @throws Error of the encoder, when the data does not fit the symbology
 */
export function drawSymbol(
  symbology: string,
  text: string,
  options: Readonly<Record<string, unknown>>,
  quietZone: QuietZone,
): BarcodeDrawing {
  const shapes = render({ ...options, bcid: symbology, text, scale: UNITS }, new Canvas());
  const move = ([x, y]: Point): Point => [x / UNITS + quietZone.x, y / UNITS + quietZone.y];
  return {
    width: shapes.width / UNITS + 2 * quietZone.x,
    height: shapes.height / UNITS + 2 * quietZone.y,
    paths: shapes.paths.map((path) => path.map((step) => moved(step, move))),
  };
}

function moved(step: PathStep, move: (point: Point) => Point): PathStep {
  if ('move' in step) return { move: move(step.move) };
  if ('line' in step) return { line: move(step.line) };
  if ('curve' in step) {
    const [first, second, end] = step.curve;
    return { curve: [move(first), move(second), move(end)] };
  }
  return step;
}

interface Shapes {
  width: number;
  height: number;
  paths: PathStep[][];
}

interface Font {
  name: string;
  width: number;
  height: number;
  dx: number;
}

/** The canvas that the encoder draws on, with y downwards. */
class Canvas {
  private width = 0;
  private height = 0;
  private readonly paths: PathStep[][] = [];
  private current: PathStep[] = [];

  /** The encoder may ask for another scale; the canvas never needs one. */
  scale(): null {
    return null;
  }

  measure(text: string, font: string, width: number, height: number) {
    const id = bwip.FontLib.lookup(font);
    const measure = { width: 0, ascent: 0, descent: 0 };
    for (let i = 0; i < text.length; i += 1) {
      const glyph = bwip.FontLib.getglyph(id, text.charCodeAt(i), Math.trunc(width), Math.trunc(height));
      measure.ascent = Math.max(measure.ascent, glyph.top);
      measure.descent = Math.max(measure.descent, glyph.height - glyph.top);
      measure.width += i === text.length - 1 ? glyph.left + glyph.width : glyph.advance;
    }
    return measure;
  }

  init(width: number, height: number): void {
    this.width = width;
    this.height = height;
  }

  /** Draws a bar: a vertical or horizontal stroke without caps, as a filled rectangle. */
  line(x0: number, y0: number, x1: number, y1: number, width: number): void {
    const half = width / 2;
    const [left, right] = x0 === x1 ? [x0 - half, x0 + half] : [Math.min(x0, x1), Math.max(x0, x1)];
    const [top, bottom] = y0 === y1 ? [y0 - half, y0 + half] : [Math.min(y0, y1), Math.max(y0, y1)];
    this.paths.push(
      outline([
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ]),
    );
  }

  polygon(points: Point[]): void {
    this.current.push(...outline(points));
  }

  hexagon(points: Point[]): void {
    this.polygon(points);
  }

  /**
   * Draws an ellipse as four Bézier curves: none of the symbologies here has circles, but the encoder's
   * interface requires it.
   */
  ellipse(x: number, y: number, rx: number, ry: number): void {
    const [kx, ky] = [rx * CIRCLE, ry * CIRCLE];
    this.current.push(
      { move: [x - rx, y] },
      {
        curve: [
          [x - rx, y - ky],
          [x - kx, y - ry],
          [x, y - ry],
        ],
      },
      {
        curve: [
          [x + kx, y - ry],
          [x + rx, y - ky],
          [x + rx, y],
        ],
      },
      {
        curve: [
          [x + rx, y + ky],
          [x + kx, y + ry],
          [x, y + ry],
        ],
      },
      {
        curve: [
          [x - kx, y + ry],
          [x - rx, y + ky],
          [x - rx, y],
        ],
      },
      { close: true },
    );
  }

  fill(): void {
    if (this.current.length > 0) this.paths.push(this.current);
    this.current = [];
  }

  /** Draws the outlines of characters, so that showing the barcode needs no font. `y` is the baseline. */
  text(x: number, y: number, text: string, _colour: string, font: Font): void {
    const id = bwip.FontLib.lookup(font.name);
    const [width, height] = [Math.trunc(font.width), Math.trunc(font.height)];
    let pen = x;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      const path = glyphPath(bwip.FontLib.getpaths(id, code, width, height), pen, y);
      if (path.length > 0) this.paths.push(path);
      pen += bwip.FontLib.getglyph(id, code, width, height).advance + font.dx;
    }
  }

  end(): Shapes {
    return { width: this.width, height: this.height, paths: this.paths };
  }
}

/** Length of a quarter circle's control handles, relative to its radius. */
const CIRCLE = 0.5523;

function outline(points: readonly Point[]): PathStep[] {
  const [first, ...others] = points;
  if (first === undefined) return [];
  return [{ move: first }, ...others.map((line) => ({ line })), { close: true }];
}

type GlyphSteps = Exclude<ReturnType<typeof bwip.FontLib.getpaths>, undefined>;

/** Returns the path of a glyph, whose y goes upwards and whose contours end where the next one begins. */
function glyphPath(steps: GlyphSteps | undefined, x: number, y: number): PathStep[] {
  const path: PathStep[] = [];
  let at: Point = [x, y];
  for (const step of steps ?? []) {
    const end: Point = [x + step.x, y - step.y];
    if (step.type === 'M') {
      if (path.length > 0) path.push({ close: true });
      path.push({ move: end });
    } else if (step.type === 'L') path.push({ line: end });
    else if (step.type === 'C') {
      path.push({ curve: [[x + step.cx1, y - step.cy1], [x + step.cx2, y - step.cy2], end] });
    } else path.push({ curve: [...cubicHandles(at, [x + step.cx, y - step.cy], end), end] });
    at = end;
  }
  if (path.length > 0) path.push({ close: true });
  return path;
}

/** Returns the control points of the cubic curve that equals a quadratic one: PDF only has cubic curves. */
function cubicHandles([x0, y0]: Point, [cx, cy]: Point, [x1, y1]: Point): [Point, Point] {
  return [
    [x0 + (2 / 3) * (cx - x0), y0 + (2 / 3) * (cy - y0)],
    [x1 + (2 / 3) * (cx - x1), y1 + (2 / 3) * (cy - y1)],
  ];
}
