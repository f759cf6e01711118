import { pdfNumber, pdfNumbers } from '../content/write.ts';
import type { PdfFile } from '../model/index.ts';
import { isDict, isString, textOf } from '../model/values.ts';
import type { PdfDict } from '../model/values.ts';
import type { Field, Widget } from './fields.ts';
import { buttonStates, type ButtonState, kindOf, onState } from './read.ts';
import { addAppearance, edit, type FieldStyle, frameOf, styleOf } from './style.ts';

/** Check boxes and radio buttons (ISO 32000-2, 12.7.5.2). */

/** Sets the boxes of a field: one of them is on, or none. */
export function switchButtons(file: PdfFile, field: Field, on: ButtonState | null): void {
  for (const { widget, state } of buttonStates(file, field)) {
    if (onState(file, { dict: file.dict(widget.ref) }) === undefined) drawStates(file, field, widget, state);
    // Boxes with the same state switch together (radios in unison, and check boxes of one name).
    edit(file, widget.ref, { '/AS': on?.state === state ? state : '/Off' });
  }
  edit(file, field.ref, { '/V': on?.state ?? '/Off' });
}

/** Draws the appearances of a box's states, if the form has none. */
export function drawStates(file: PdfFile, field: Field, widget: Widget, state: string): void {
  const style = styleOf(file, field, widget);
  if (style === undefined) return;
  const dict = file.dict(widget.ref);
  const said = file.resolve(file.dict(dict['/MK'])['/CA']);
  const sign = isString(said) && textOf(said) !== '' ? textOf(said) : kindOf(field) === 'radio' ? 'l' : '4';
  const isRound = kindOf(field) === 'radio' && sign === 'l';
  const frame = ['q', ...(isRound ? roundFrameOf(style) : frameOf(style)), 'Q'];
  const normal: PdfDict = {
    [state]: addAppearance(
      file,
      style,
      [...frame, 'q', style.text.colour, ...drawSign(sign, style), 'Q'],
      {},
    ),
    '/Off': addAppearance(file, style, frame, {}),
  };
  const before = file.resolve(dict['/AP']);
  edit(file, widget.ref, { '/AP': { ...(isDict(before) ? before : {}), '/N': normal } });
}

/** Outlines of the marks in a unit square. */
const SIGNS: Readonly<Record<string, readonly (readonly [x: number, y: number])[]>> = {
  // Characters of ZapfDingbats, which forms use to select a mark: a check mark, a diamond, a square.
  '4': [
    [0.12, 0.5],
    [0.24, 0.58],
    [0.38, 0.32],
    [0.78, 0.88],
    [0.9, 0.82],
    [0.42, 0.08],
    [0.34, 0.08],
  ],
  u: [
    [0.5, 0.9],
    [0.9, 0.5],
    [0.5, 0.1],
    [0.1, 0.5],
  ],
  n: [
    [0.18, 0.18],
    [0.82, 0.18],
    [0.82, 0.82],
    [0.18, 0.82],
  ],
  H: star(),
  '8': [
    [0.2, 0.1],
    [0.5, 0.4],
    [0.8, 0.1],
    [0.9, 0.2],
    [0.6, 0.5],
    [0.9, 0.8],
    [0.8, 0.9],
    [0.5, 0.6],
    [0.2, 0.9],
    [0.1, 0.8],
    [0.4, 0.5],
    [0.1, 0.2],
  ],
};

/** Distance of the control points of a Bézier curve that approximates a quarter of a circle. */
const ARC = 0.5523;

/** A circle with the border and background of a widget, as readers draw a radio button with a disc. */
function roundFrameOf({ width, height, border, background }: FieldStyle): string[] {
  const around = (inset: number): string[] =>
    circle(width / 2, height / 2, Math.min(width, height) / 2 - inset);
  const operators = background === null ? [] : [background, ...around(0), 'f'];
  if (border.colour === null || border.width === 0) return operators;
  return [...operators, `${border.colour} ${pdfNumbers(border.width)} w`, ...around(border.width / 2), 's'];
}

function drawSign(sign: string, { width, height }: FieldStyle): string[] {
  const size = Math.min(width, height) * 0.8;
  const [left, bottom] = [(width - size) / 2, (height - size) / 2];
  if (sign === 'l') return [...circle(width / 2, height / 2, size * 0.32), 'f'];
  const points = SIGNS[sign] ?? SIGNS['4'] ?? [];
  return [
    ...points.map(
      ([x, y], index) => `${pdfNumbers(left + x * size, bottom + y * size)} ${index === 0 ? 'm' : 'l'}`,
    ),
    'f',
  ];
}

function circle(x: number, y: number, radius: number): string[] {
  const arc = radius * ARC;
  const curve = (...numbers: number[]): string => `${pdfNumbers(...numbers)} c`;
  return [
    `${pdfNumber(x + radius)} ${pdfNumber(y)} m`,
    curve(x + radius, y + arc, x + arc, y + radius, x, y + radius),
    curve(x - arc, y + radius, x - radius, y + arc, x - radius, y),
    curve(x - radius, y - arc, x - arc, y - radius, x, y - radius),
    curve(x + arc, y - radius, x + radius, y - arc, x + radius, y),
  ];
}

function star(): [number, number][] {
  return Array.from({ length: 10 }, (_, index) => {
    const radius = index % 2 === 0 ? 0.46 : 0.19;
    const angle = Math.PI / 2 + (index * Math.PI) / 5;
    return [0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle)];
  });
}
