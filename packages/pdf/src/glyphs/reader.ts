import { PlatenError } from '@platen/core/errors';
import { ContentOperations } from '../content/operations.ts';
import type { PdfFile } from '../model/index.ts';
import { type Matrix, product } from '../steps/geometry.ts';
import { matrixOf } from '../steps/move-content.ts';
import {
  isDict,
  isName,
  isRef,
  isString,
  type PdfDict,
  type PdfValue,
  type Ref,
  stringText,
} from '../model/values.ts';
import { Cursor, Fonts, type GraphicsState, IDENTITY, initialState } from './cursor.ts';
import { nameOf, operandsOf } from './operands.ts';
import { layOut, type Quad, quadOf } from './shown.ts';

/** Reads the glyphs of content in the order in which it shows them. */

/** A replacement text (ISO 32000-2, 14.9.4), which belongs to all glyphs within its marked content. */
export interface Replacement {
  text: string;
}

export interface Glyph {
  /** Undefined if the document does not tell its characters. */
  text: string | undefined;
  /** Its number among all glyphs that the content shows, those of forms included. */
  index: number;
  /** Its area in the coordinates of the content. */
  quad: Quad;
  /** The direction of the line: the unit vector from its start to its end. */
  direction: readonly [x: number, y: number];
  isVertical: boolean;
  /** The size of the font in the coordinates of the content. */
  size: number;
  /** The marked-content identifier on the page (14.7.5.2); -1 for none. */
  mark: number;
  replacement: Replacement | undefined;
}

export interface Shown {
  glyphs: Glyph[];
  /** Whether the content shows pictures, or is drawn with more lines than tables have. */
  hasPictures: boolean;
}

/** Content with its resources. */
export interface Content {
  data: Buffer;
  resources: PdfDict;
  matrix?: Matrix;
}

/** Maximum depth of nested forms. */
export const MAX_LEVELS = 28;
/** Maximum number of operations of all content: nested forms may have any number of them. */
export const MAX_OPERATIONS = 50e6;
/** Number of curves from which a page may show outlines of letters. */
const MANY_CURVES = 400;

export class GlyphReader {
  readonly file: PdfFile;
  readonly fonts: Fonts;
  #left = MAX_OPERATIONS;

  constructor(file: PdfFile) {
    this.file = file;
    this.fonts = new Fonts(file);
  }

  /** @throws PlatenError `pdf_too_complex` */
  read({ data, resources, matrix = IDENTITY }: Content): Shown {
    const run = new Reading(this, () => this.#spend());
    run.stream(data, resources, initialState(matrix), []);
    return { glyphs: run.glyphs, hasPictures: run.images > 0 || run.curves >= MANY_CURVES };
  }

  #spend(): void {
    if (--this.#left < 0)
      throw new PlatenError('pdf_too_complex', 'The PDF has too much content to be read.');
  }
}

interface Mark {
  mark: number;
  replacement: Replacement | undefined;
}

/** Returns whether an object is a form that content may show; `within` are the forms around it. */
export function isShownForm(dict: PdfDict, ref: Ref, within: readonly Ref[]): boolean {
  return dict['/Subtype'] === '/Form' && !within.includes(ref) && within.length < MAX_LEVELS;
}

class Reading {
  readonly glyphs: Glyph[] = [];
  images = 0;
  curves = 0;
  readonly #reader: GlyphReader;
  readonly #spend: () => void;
  #mark: Mark = { mark: -1, replacement: undefined };
  #index = 0;

  constructor(reader: GlyphReader, spend: () => void) {
    this.#reader = reader;
    this.#spend = spend;
  }

  stream(data: Buffer, resources: PdfDict, state: GraphicsState, within: readonly Ref[]): void {
    const { file, fonts } = this.#reader;
    const cursor = new Cursor(file, fonts, resources, state);
    const outer = this.#mark;
    const marks: Mark[] = [];
    const operations = new ContentOperations(data);
    while (operations.next()) {
      this.#spend();
      const { operator } = operations;
      if (operator === 'c' || operator === 'v' || operator === 'y') this.curves++;
      if (operator === 'BI' || operator === 'sh') this.images++;
      if (!isRelevant(operator)) continue;
      const values = operandsOf(operations);
      const n = (index: number): number => {
        const value = values[index];
        return typeof value === 'number' ? value : 0;
      };
      if (operator === 'Do') this.#object(values[0], resources, cursor.state, within);
      else if (operator === 'BDC' || operator === 'BMC') {
        marks.push(this.#mark);
        this.#begin(values, resources, within.length === 0);
      } else if (operator === 'EMC') this.#mark = marks.pop() ?? this.#mark;
      else {
        const showing = cursor.operation(operator, values, n);
        if (typeof showing === 'object') this.#show(cursor, showing.operand);
      }
    }
    this.#mark = outer;
  }

  #show(cursor: Cursor, operand: readonly PdfValue[]): void {
    const { text } = cursor.state;
    const matrix = cursor.textMatrix;
    const isVertical = text.font?.isVertical === true;
    const [a, b, c, d] = matrix;
    const [dx, dy] = isVertical ? [-c, -d] : [a, b];
    const long = Math.hypot(dx, dy) || 1;
    const sign = isVertical || text.size * text.stretch >= 0 ? 1 : -1;
    const direction = [(sign * dx) / long, (sign * dy) / long] as const;
    const size = Math.abs(text.size) * Math.hypot(c, d);
    const end = layOut(operand, text, (piece) => {
      if (piece.code === undefined) return;
      const quad = quadOf(piece, text, matrix);
      this.glyphs.push({
        text: piece.code.text,
        index: this.#index++,
        quad,
        direction,
        isVertical,
        size,
        ...this.#mark,
      });
    });
    cursor.move(end);
  }

  #begin([, given]: readonly PdfValue[], resources: PdfDict, isPage: boolean): void {
    const { file } = this.#reader;
    const named = isName(given) ? file.dict(resources['/Properties'])[nameOf(given)] : given;
    const properties = file.dict(named);
    const number = file.resolve(properties['/MCID']);
    const actual = file.resolve(properties['/ActualText']);
    this.#mark = {
      mark: isPage && typeof number === 'number' ? number : this.#mark.mark,
      // The outermost text replaces everything within.
      replacement: this.#mark.replacement ?? (isString(actual) ? { text: stringText(actual) } : undefined),
    };
  }

  #object(
    name: PdfValue | undefined,
    resources: PdfDict,
    state: GraphicsState,
    within: readonly Ref[],
  ): void {
    const { file } = this.#reader;
    const ref = file.dict(resources['/XObject'])[nameOf(name)];
    if (!isRef(ref)) return;
    const dict = file.dict(ref);
    if (dict['/Subtype'] === '/Image') this.images++;
    if (!isShownForm(dict, ref, within)) return;
    const stream = file.streamData(ref);
    if (stream === undefined || stream.filters.length > 0) return;
    const own = file.resolve(dict['/Resources']);
    const matrix = product(matrixOf(file, dict['/Matrix']), state.matrix);
    const inner = isDict(own) ? own : resources;
    this.stream(Buffer.from(stream.data), inner, { ...state, matrix }, [...within, ref]);
  }
}

const RELEVANT = new Set('q Q cm w gs BT Td TD Tm T* Tf Tc Tw Tz TL Ts Tj TJ \' " Do BDC BMC EMC'.split(' '));

function isRelevant(operator: string): boolean {
  return RELEVANT.has(operator);
}
