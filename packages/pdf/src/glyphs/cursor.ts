import { pdfNumbers } from '../content/write.ts';
import type { PdfFile } from '../model/index.ts';
import { type Matrix, product } from '../steps/geometry.ts';
import type { PdfDict, PdfValue } from '../model/values.ts';
import { type ShownFont, shownFont } from './font.ts';
import { nameOf } from './operands.ts';
import { INITIAL_TEXT, type TextState } from './shown.ts';

/** The graphics state of a content stream as far as it determines the places of text (ISO 32000-2, 8.4 and 9.3). */

export interface GraphicsState {
  matrix: Matrix;
  lineWidth: number;
  text: TextState;
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** The state at the beginning of a page. */
export function initialState(matrix: Matrix): GraphicsState {
  return { matrix, lineWidth: 1, text: INITIAL_TEXT };
}

/** An operation that shows text. */
export interface Showing {
  /** The operand of an equivalent `TJ`. */
  operand: readonly PdfValue[];
  /** The operators that have to precede that `TJ`. */
  before: string;
}

/** The fonts of a document, each read once. */
export class Fonts {
  readonly #file: PdfFile;
  readonly #known = new Map<PdfValue, ShownFont>();

  constructor(file: PdfFile) {
    this.#file = file;
  }

  of(value: PdfValue): ShownFont {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const font = shownFont(this.#file, value);
    this.#known.set(value, font);
    return font;
  }
}

/** Follows the operations of a content stream. */
export class Cursor {
  state: GraphicsState;
  readonly #file: PdfFile;
  readonly #fonts: Fonts;
  readonly #resources: PdfDict;
  readonly #stack: GraphicsState[] = [];
  #line = IDENTITY;
  #text = IDENTITY;

  constructor(file: PdfFile, fonts: Fonts, resources: PdfDict, state: GraphicsState) {
    this.#file = file;
    this.#fonts = fonts;
    this.#resources = resources;
    this.state = state;
  }

  /** From the coordinates of the next text to those of the page. */
  get textMatrix(): Matrix {
    return product(this.#text, this.state.matrix);
  }

  /** Moves to the end of a shown text, in text coordinates. */
  move([x, y]: readonly [x: number, y: number]): void {
    this.#text = product([1, 0, 0, 1, x, y], this.#text);
  }

  /**
   * @param n returns a numeric operand
   * @returns the text that the operation shows; otherwise whether it concerns the state
   */
  operation(operator: string, values: readonly PdfValue[], n: (index: number) => number): Showing | boolean {
    const { state } = this;
    switch (operator) {
      case 'q':
        this.#stack.push(state);
        return true;
      case 'Q':
        this.state = this.#stack.pop() ?? state;
        return true;
      case 'cm':
        this.state = { ...state, matrix: product([n(0), n(1), n(2), n(3), n(4), n(5)], state.matrix) };
        return true;
      case 'w':
        this.state = { ...state, lineWidth: n(0) };
        return true;
      case 'gs':
        this.#graphicsState(values[0]);
        return true;
      case 'BT':
        this.#text = this.#line = IDENTITY;
        return true;
      case 'Td':
        this.#nextLine(n(0), n(1));
        return true;
      case 'TD':
        this.#set({ leading: -n(1) });
        this.#nextLine(n(0), n(1));
        return true;
      case 'Tm':
        this.#text = this.#line = [n(0), n(1), n(2), n(3), n(4), n(5)];
        return true;
      case 'T*':
        this.#nextLine(0, -state.text.leading);
        return true;
      default:
        return this.#parameter(operator, values, n) || this.#showing(operator, values, n);
    }
  }

  #parameter(operator: string, values: readonly PdfValue[], n: (index: number) => number): boolean {
    switch (operator) {
      case 'Tf': {
        const fonts = this.#file.dict(this.#resources['/Font']);
        this.#set({ font: this.#fonts.of(fonts[nameOf(values[0])] ?? null), size: n(1) });
        return true;
      }
      case 'Tc':
        this.#set({ charSpace: n(0) });
        return true;
      case 'Tw':
        this.#set({ wordSpace: n(0) });
        return true;
      case 'Tz':
        this.#set({ stretch: n(0) / 100 });
        return true;
      case 'TL':
        this.#set({ leading: n(0) });
        return true;
      case 'Ts':
        this.#set({ rise: n(0) });
        return true;
      default:
        return false;
    }
  }

  #showing(operator: string, values: readonly PdfValue[], n: (index: number) => number): Showing | boolean {
    switch (operator) {
      case 'Tj':
        return { operand: values.slice(0, 1), before: '' };
      case 'TJ':
        return { operand: Array.isArray(values[0]) ? values[0] : [], before: '' };
      case "'":
        this.#nextLine(0, -this.state.text.leading);
        return { operand: values.slice(0, 1), before: 'T* ' };
      case '"':
        this.#set({ wordSpace: n(0), charSpace: n(1) });
        this.#nextLine(0, -this.state.text.leading);
        return {
          operand: values.slice(2, 3),
          before: `${pdfNumbers(n(0))} Tw ${pdfNumbers(n(1))} Tc T* `,
        };
      default:
        return false;
    }
  }

  #graphicsState(name: PdfValue | undefined): void {
    const file = this.#file;
    const given = file.dict(file.dict(this.#resources['/ExtGState'])[nameOf(name)]);
    const width = file.resolve(given['/LW']);
    if (typeof width === 'number') this.state = { ...this.state, lineWidth: width };
    const [font, size] = file.array(given['/Font']);
    if (font !== undefined) this.#set({ font: this.#fonts.of(font), size: Number(file.resolve(size)) || 0 });
  }

  #set(changes: Partial<TextState>): void {
    this.state = { ...this.state, text: { ...this.state.text, ...changes } };
  }

  #nextLine(x: number, y: number): void {
    this.#text = this.#line = product([1, 0, 0, 1, x, y], this.#line);
  }
}
