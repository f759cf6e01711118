import { deflateSync } from 'node:zlib';
import { ContentOperations, type Edit, spliced, type Matrix, product, contentOf } from '@platen/pdf/content';
import { type PdfFile, isRef, type PdfDict, type Ref } from '@platen/pdf/model';
import { OUTLINE } from '../form-controls.ts';

/** The outlines of controls in the content of printed pages, and of the forms on them that Chromium makes of layers. */

/** The outline of a control on a page. */
export interface ControlMark {
  control: number;
  /** Its border box in points, from the lower left corner; null if it is turned or mirrored. */
  box: { left: number; bottom: number; right: number; top: number } | null;
  /** The marked content that it belongs to: its identifier, and the page or the form with it; null for none. */
  content: { holder: Ref; mcid: number } | null;
}

/** Returns the control with an outline in a colour, whose channels are from 0 to 255; undefined for none. */
export type ControlOf = (colour: readonly number[]) => number | undefined;

/** What a stream draws, in its own coordinates. */
interface Drawn {
  outlines: { control: number; path: Path; beyond: number; matrix: Matrix; mcid: number | null }[];
  /** Names of the forms, with the matrices that apply to them. */
  forms: { name: string; matrix: Matrix }[];
  edits: Edit[];
}

const FLATE = { '/Filter': '/FlateDecode' };

/** Maximum levels of forms. */
const MAX_LEVELS = 10;

/** Finds the outlines on the pages of a document, and removes them. */
export class ControlMarks {
  readonly #file: PdfFile;
  readonly #controlOf: ControlOf;
  /** By the references of streams, of which a document may show one several times. */
  readonly #drawn = new Map<Ref, Drawn>();

  constructor(file: PdfFile, controlOf: ControlOf) {
    this.#file = file;
    this.#controlOf = controlOf;
  }

  /** Returns the outlines of a page, in the order they are drawn. */
  page(ref: Ref): ControlMark[] {
    const file = this.#file;
    const dict = file.dict(ref);
    const content = contentOf(file, dict);
    const drawn = drawnBy(content, this.#controlOf);
    const marks = this.#placed(drawn, ref, dict, [1, 0, 0, 1, 0, 0], 0);
    if (drawn.edits.length > 0)
      file.set(ref, { ...dict, '/Contents': file.add(FLATE, deflateSync(spliced(content, drawn.edits))) });
    return marks;
  }

  #placed(
    { outlines, forms }: Drawn,
    holder: Ref,
    dict: PdfDict,
    matrix: Matrix,
    level: number,
  ): ControlMark[] {
    const file = this.#file;
    const own = outlines.map(({ control, path, beyond, matrix: inner, mcid }) => ({
      control,
      box: boxOf(path, beyond, product(inner, matrix)),
      content: mcid === null ? null : { holder, mcid },
    }));
    const objects = file.dict(file.dict(dict['/Resources'])['/XObject']);
    const inForms = forms.flatMap(({ name, matrix: inner }) => {
      const form = objects[name];
      const formDict = file.dict(form);
      if (!isRef(form) || formDict['/Subtype'] !== '/Form' || level >= MAX_LEVELS) return [];
      const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = file.array(formDict['/Matrix']).map(Number);
      const whole = product(product([a, b, c, d, e, f], inner), matrix);
      return this.#placed(this.#form(form, formDict), form, formDict, whole, level + 1);
    });
    return [...own, ...inForms];
  }

  #form(ref: Ref, dict: PdfDict): Drawn {
    const known = this.#drawn.get(ref);
    if (known !== undefined) return known;
    const content = Buffer.from(this.#file.streamData(ref)?.data ?? []);
    const drawn = drawnBy(content, this.#controlOf);
    this.#drawn.set(ref, drawn);
    if (drawn.edits.length > 0) {
      const { '/DecodeParms': _parameters, ...rest } = dict;
      this.#file.set(ref, { ...rest, ...FLATE }, deflateSync(spliced(content, drawn.edits)));
    }
    return drawn;
  }
}

/** Numbers of the operands that are coordinates, of the operators that make paths (ISO 32000-1, 8.5.2). */
const PATHS: Readonly<Record<string, number>> = { m: 2, l: 2, c: 6, v: 4, y: 4, h: 0, re: 4 };
const STROKES = new Set(['S', 's']);
const FILLS = new Set(['f', 'F', 'f*']);
const ENDS = new Set(['n', 'B', 'B*', 'b', 'b*', ...STROKES, ...FILLS]);

interface Path {
  start: number;
  xs: number[];
  ys: number[];
}

interface State {
  matrix: Matrix;
  fill: readonly number[];
  stroke: readonly number[];
}

function drawnBy(content: Uint8Array, controlOf: ControlOf): Drawn {
  const outlines: Drawn['outlines'] = [];
  const forms: Drawn['forms'] = [];
  const edits: Edit[] = [];
  const operations = new ContentOperations(content);
  const stack: State[] = [];
  let state: State = { matrix: [1, 0, 0, 1, 0, 0], fill: [], stroke: [] };
  let path: Path | null = null;
  const sequences: (number | null)[] = [];
  while (operations.next()) {
    const { operator, start, operatorStart, end, bytes } = operations;
    const said = (): string => bytes.toString('latin1', start, operatorStart);
    const operands = (): number[] => said().trim().split(/\s+/).map(Number);
    if (operator === 'q') stack.push(state);
    else if (operator === 'Q') state = stack.pop() ?? state;
    else if (operator === 'cm') {
      const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = operands();
      state = { ...state, matrix: product([a, b, c, d, e, f], state.matrix) };
    } else if (operator === 'rg') state = { ...state, fill: channels(operands()) };
    else if (operator === 'RG') state = { ...state, stroke: channels(operands()) };
    else if (operator === 'BDC' || operator === 'BMC') {
      const mcid = /\/MCID (\d+)/.exec(said())?.[1];
      sequences.push(mcid === undefined ? null : Number(mcid));
    } else if (operator === 'EMC') sequences.pop();
    else if (operator === 'Do') forms.push({ name: said().trim(), matrix: state.matrix });
    else if (Object.hasOwn(PATHS, operator)) {
      path ??= { start, xs: [], ys: [] };
      if (operator !== 'h') extend(path, operator, operands());
    } else if (ENDS.has(operator)) {
      const isStroke = STROKES.has(operator);
      const colour = isStroke ? state.stroke : FILLS.has(operator) ? state.fill : [];
      const control = path === null ? undefined : controlOf(colour);
      if (path !== null && control !== undefined) {
        const beyond = isStroke ? OUTLINE / 2 : OUTLINE;
        outlines.push({ control, path, beyond, matrix: state.matrix, mcid: sequences.at(-1) ?? null });
        edits.push({ start: path.start, end, by: '' });
      }
      path = null;
    }
  }
  return { outlines, forms, edits };
}

function channels(operands: readonly number[]): number[] {
  return operands.map((channel) => Math.round(channel * 255));
}

function extend({ xs, ys }: Path, operator: string, numbers: readonly number[]): void {
  const [x = 0, y = 0, width = 0, height = 0] = numbers;
  const points = operator === 're' ? [x, y, x + width, y + height] : numbers;
  for (const [index, number] of points.entries()) (index % 2 === 0 ? xs : ys).push(number);
}

/** Chromium draws downwards, from the upper edge of a page. */
function boxOf({ xs, ys }: Path, beyond: number, [a, b, c, d, e, f]: Matrix): ControlMark['box'] {
  const isUpright = a > 0 && d < 0 && Math.abs(b) < a * 1e-3 && Math.abs(c) < -d * 1e-3;
  if (!isUpright) return null;
  return {
    left: (Math.min(...xs) + beyond) * a + e,
    right: (Math.max(...xs) - beyond) * a + e,
    top: (Math.min(...ys) + beyond) * d + f,
    bottom: (Math.max(...ys) - beyond) * d + f,
  };
}
