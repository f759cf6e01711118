import type { PdfFile } from '../model/index.ts';
import { boxOf } from '../model/page-geometry.ts';
import { isString, nameText, textOf } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import { pdfNumbers } from '../content/write.ts';
import type { Field, Widget } from './fields.ts';

/** The look of a field, by its widget and its default appearance (ISO 32000-2, 12.5.6.19 and 12.7.4.3). */

export interface FieldStyle {
  /** Rectangle of the widget as it is read: rotated so that its text is horizontal, in points. */
  width: number;
  height: number;
  /** Rotation of the widget in degrees, counterclockwise. */
  rotation: number;
  border: { width: number; kind: string; colour: string | null };
  background: string | null;
  text: TextStyle;
  /** 0: left, 1: centred, 2: right. */
  alignment: number;
}

export interface TextStyle {
  /** Family name among the fonts of the service. */
  font: string;
  /** In points; 0 selects the largest size that fits. */
  size: number;
  /** Whether the size is reduced until the text fits. */
  shrinks: boolean;
  /** The operator that sets the colour. */
  colour: string;
}

/** Families for the font names that forms use. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/cour|mono|cousine|consol/i, 'Cousine'],
  [/calibri|carlito/i, 'Carlito'],
  [/cambria|caladea/i, 'Caladea'],
  [/times|tinos|roman|serif(?!.*sans)|georgia|garamond|minion|palatino|bookman|century/i, 'Tinos'],
];
const DEFAULT_FAMILY = 'Arimo';

/** Minimum width and height of a field that is shown, in points. */
const MIN_SIZE = 0.5;

/** @returns undefined for a widget without an area */
export function styleOf(file: PdfFile, field: Field, widget: Widget): FieldStyle | undefined {
  const dict = file.dict(widget.ref);
  const box = boxOf(file, dict['/Rect']);
  if (box === undefined) return undefined;
  const marks = file.dict(dict['/MK']);
  const turned = file.resolve(marks['/R']);
  const rotation = typeof turned === 'number' ? (((Math.round(turned / 90) * 90) % 360) + 360) % 360 : 0;
  const [across, up] = [box[2] - box[0], box[3] - box[1]];
  const [width, height] = rotation % 180 === 0 ? [across, up] : [up, across];
  if (width < MIN_SIZE || height < MIN_SIZE) return undefined;
  const alignment = file.resolve(dict['/Q'] ?? field.attributes['/Q']);
  return {
    width,
    height,
    rotation,
    border: borderOf(file, dict, marks),
    background: colourOf(file, marks['/BG'], false),
    text: textStyleOf(file, dict['/DA'] ?? field.attributes['/DA']),
    alignment: alignment === 1 || alignment === 2 ? alignment : 0,
  };
}

function borderOf(file: PdfFile, dict: PdfDict, marks: PdfDict): FieldStyle['border'] {
  const style = file.dict(dict['/BS']);
  const said = file.resolve(style['/W'] ?? file.array(dict['/Border'])[2]);
  const kind = file.resolve(style['/S']);
  const colour = colourOf(file, marks['/BC'], true);
  const width = typeof said === 'number' && said >= 0 ? said : 1;
  return { width: colour === null ? 0 : width, kind: typeof kind === 'string' ? kind : '/S', colour };
}

/** The operator for a colour of a dictionary; null for none. */
function colourOf(file: PdfFile, value: PdfValue | undefined, stroked: boolean): string | null {
  const numbers = file.array(value).map((entry) => file.resolve(entry));
  if (!numbers.every((number) => typeof number === 'number')) return null;
  const operators: Readonly<Record<number, string>> = { 1: 'g', 3: 'rg', 4: 'k' };
  const operator = operators[numbers.length];
  if (operator === undefined) return null;
  return `${pdfNumbers(...numbers)} ${stroked ? operator.toUpperCase() : operator}`;
}

/** Maximum length of a default appearance, which consists of a few operators. */
const MAX_APPEARANCE = 1000;

function textStyleOf(file: PdfFile, value: PdfValue | undefined): TextStyle {
  const said = file.resolve(value);
  const words = (isString(said) ? textOf(said).slice(0, MAX_APPEARANCE) : '').split(/[\s\0]+/);
  const at = words.indexOf('Tf');
  const size = Number(words[at - 1]);
  const isSet = at >= 1 && Number.isFinite(size) && size > 0;
  const name = at >= 2 ? (words[at - 2] ?? '') : '';
  const resources = file.dict(file.dict(file.catalog['/AcroForm'])['/DR']);
  const font = file.dict(file.dict(resources['/Font'])[name]);
  const base = file.resolve(font['/BaseFont']);
  return {
    font: familyOf(typeof base === 'string' ? nameText(base) : name),
    // A negative size would mirror the text.
    size: isSet ? Math.min(size, 1000) : 0,
    shrinks: !isSet,
    colour: textColour(words),
  };
}

/** Number of operands of the operators that set a colour. */
const COLOUR_OPERANDS: Readonly<Record<string, number>> = { g: 1, rg: 3, k: 4 };

function textColour(words: readonly string[]): string {
  for (const [index, word] of words.entries()) {
    const count = Object.hasOwn(COLOUR_OPERANDS, word) ? (COLOUR_OPERANDS[word] ?? 0) : 0;
    const operands = words.slice(Math.max(0, index - count), index).map(Number);
    if (count > 0 && operands.length === count && operands.every(Number.isFinite)) {
      return `${pdfNumbers(...operands)} ${word}`;
    }
  }
  return '0 g';
}

/** The family that matches the metrics, or the kind, of a font in a form. */
export function familyOf(font: string): string {
  const family = FAMILIES.find(([pattern]) => pattern.test(font))?.[1] ?? DEFAULT_FAMILY;
  const bold = /bold|black|heavy|semibold|(?:^|[a-z])Bo$/i.test(font) ? ' Bold' : '';
  const italic = /italic|oblique/i.test(font) ? ' Italic' : '';
  return `${family}${bold}${italic}`;
}

/** Returns background and border of a widget as operators (table 168); a bevelled border is drawn flat. */
export function frameOf({ width, height, border, background }: FieldStyle): string[] {
  const operators: string[] = [];
  if (background !== null) operators.push(background, `0 0 ${pdfNumbers(width, height)} re f`);
  if (border.colour === null || border.width === 0) return operators;
  operators.push(`${border.colour} ${pdfNumbers(border.width)} w`);
  const half = border.width / 2;
  if (border.kind === '/D') operators.push('[3] 0 d');
  if (border.kind === '/U') operators.push(`0 ${pdfNumbers(half)} m ${pdfNumbers(width, half)} l S`);
  else operators.push(`${pdfNumbers(half, half, width - border.width, height - border.width)} re S`);
  return operators;
}

/** Returns the distance of a widget's content from its edge. */
export function insetOf({ border }: FieldStyle): number {
  return border.kind === '/B' || border.kind === '/I' ? 2 * border.width : border.width;
}

/** Writes an appearance of the size of a widget. */
export function addAppearance(
  file: PdfFile,
  style: Pick<FieldStyle, 'width' | 'height' | 'rotation'>,
  operators: readonly string[],
  resources: PdfDict,
): Ref {
  const { width, height, rotation } = style;
  const matrices: Readonly<Record<number, number[]>> = {
    90: [0, 1, -1, 0, height, 0],
    180: [-1, 0, 0, -1, width, height],
    270: [0, -1, 1, 0, 0, width],
  };
  const matrix = matrices[rotation];
  return file.add(
    {
      '/Type': '/XObject',
      '/Subtype': '/Form',
      '/BBox': [0, 0, width, height],
      ...(matrix === undefined ? {} : { '/Matrix': matrix }),
      '/Resources': resources,
    },
    Buffer.from(`${operators.join('\n')}\n`, 'latin1'),
  );
}

/** Changes entries of a dictionary; null removes an entry. */
export function edit(file: PdfFile, ref: Ref, changes: PdfDict): void {
  const entries = Object.entries({ ...file.dict(ref), ...changes });
  file.set(ref, Object.fromEntries(entries.filter(([, value]) => value !== null)));
}
