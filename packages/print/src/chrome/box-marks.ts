import { randomInt } from 'node:crypto';
import { ContentOperations, type Matrix, product, contentOf } from '@platen/pdf/content';
import type { PdfFile, PdfDict } from '@platen/pdf/model';
import type { MarkColour } from '../contents/running.ts';

/** Locates the margin boxes of a printed page that were filled with colours (contents/running.ts). */

/** The colours of a rendering: no other content has both by chance. */
export interface MarkColours {
  room: MarkColour;
  content: MarkColour;
}

/** A box on a page, in points from the lower left corner. */
export interface FoundBox {
  /** Its number. */
  box: number;
  left: number;
  top: number;
  width: number;
  height: number;
  /** Points of a CSS pixel. */
  pixel: number;
  /** Share of the free space above its content: 0, ½ or 1. */
  above: number;
  /** Share of the free space to the left of its content: 0, ½ or 1. */
  before: number;
}

/** Returns colours that no other rendering has. */
export function newMarkColours(): MarkColours {
  const green = randomInt(1, 255);
  const red = randomInt(1, 254);
  return { room: [red, green], content: [red + 1, green] };
}

interface Filled {
  left: number;
  bottom: number;
  right: number;
  top: number;
  pixel: number;
}

/** The marked boxes of a page. */
export function markedBoxes(file: PdfFile, page: PdfDict, { room, content }: MarkColours): FoundBox[] {
  const rooms = new Map<number, Filled>();
  const contents = new Map<number, Filled>();
  for (const { colour, filled } of fillsOf(contentOf(file, page))) {
    const [red = 0, green = 0, box = 0] = colour;
    if (red === room[0] && green === room[1]) rooms.set(box, filled);
    if (red === content[0] && green === content[1]) contents.set(box, filled);
  }
  return Array.from(rooms).flatMap(([box, { left, bottom, right, top, pixel }]) => {
    const inside = contents.get(box);
    // The content comes from another rule.
    if (inside === undefined) return [];
    const [width, height] = [right - left, top - bottom];
    const above = halves(top - inside.top, height - (inside.top - inside.bottom));
    const before = halves(inside.left - left, width - (inside.right - inside.left));
    return [{ box, left, top, width, height, pixel, above, before }];
  });
}

/** Returns a part as a share of the free space: 0, ½ or 1. */
function halves(part: number, free: number): number {
  return free <= 0 ? 0 : Math.min(1, Math.max(0, Math.round((part / free) * 2) / 2));
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Filled rectangles with their colours, 0 to 255. */
function* fillsOf(content: Uint8Array): Generator<{ colour: number[]; filled: Filled }> {
  const operations = new ContentOperations(content);
  const stack: { matrix: Matrix; colour: number[] }[] = [];
  let state = { matrix: IDENTITY, colour: [0, 0, 0] };
  let rectangle: number[] | null = null;
  while (operations.next()) {
    const { operator, start, operatorStart, bytes } = operations;
    const operands = (): number[] =>
      bytes.toString('latin1', start, operatorStart).trim().split(/\s+/).map(Number);
    if (operator === 'q') stack.push(state);
    else if (operator === 'Q') state = stack.pop() ?? state;
    else if (operator === 'cm') {
      const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = operands();
      state = { ...state, matrix: product([a, b, c, d, e, f], state.matrix) };
    } else if (operator === 'rg')
      state = { ...state, colour: operands().map((channel) => Math.round(channel * 255)) };
    else if (operator === 're') rectangle = operands();
    else if (operator === 'f' && rectangle !== null) {
      yield { colour: state.colour, filled: placed(rectangle, state.matrix) };
      rectangle = null;
    } else if (operator === 'n') rectangle = null;
  }
}

function placed([x = 0, y = 0, width = 0, height = 0]: readonly number[], matrix: Matrix): Filled {
  const [a, b, c, d, e, f] = matrix;
  const xs = [x, x + width].map((at) => at * a + y * c + e);
  const ys = [y, y + height].map((at) => x * b + at * d + f);
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    bottom: Math.min(...ys),
    top: Math.max(...ys),
    pixel: Math.abs(a),
  };
}
