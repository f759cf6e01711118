import { pdfNumber, pdfNumbers } from '../content/write.ts';
import type { PdfFile } from '../model/index.ts';
import type { SetLine, TextSetter } from '../text/index.ts';
import type { PdfDict, Ref } from '../model/values.ts';
import type { Field } from './fields.ts';
import { ASCENT, brokenLines, DESCENT, FieldText, graphemesOf, LINE, type Measure } from './lines.ts';
import { FLAGS, kindOf, type Option } from './read.ts';
import { addAppearance, type FieldStyle, frameOf, insetOf } from './style.ts';

/** Appearances of fields that show text (ISO 32000-2, 12.7.4.3). */

/** Space to the left and right of text. */
const PADDING = 2;
/** Permitted text sizes if the form does not set one. */
const SMALLEST = 4;
const LARGEST = 144;
const LARGEST_OF_LINES = 12;
const STEP = 0.5;

/** The background of selected options in a list, as readers draw it. */
const CHOSEN = '0.6 0.75686 0.85490 rg';

interface Canvas {
  operators: string[];
  fonts: Map<string, Ref>;
}

/** The content that a field shows. */
export type Shown =
  { text: string } | { options: readonly Option[]; chosen: ReadonlySet<string>; top: number };

/**
 * Draws the appearance of a field that shows text.
 *
 * @throws PlatenError `invalid_field` for a character that no font of the service has
 */
export async function drawText(
  file: PdfFile,
  setter: TextSetter,
  field: Field,
  style: FieldStyle,
  shown: Shown,
): Promise<Ref> {
  const text = new FieldText(setter, style.text.font, field.name);
  const inset = insetOf(style);
  const canvas: Canvas = { operators: [], fonts: new Map() };
  if ('options' in shown) await drawList(canvas, text, style, shown);
  else if (isComb(file, field)) await drawComb(canvas, text, style, shown.text, combCells(file, field));
  else if ((field.flags & FLAGS.multiline) !== 0 && kindOf(field) === 'text') {
    await drawLines(canvas, text, style, shown.text);
  } else await drawLine(canvas, text, style, masked(field, shown.text));
  const clip = pdfNumbers(inset, inset, style.width - 2 * inset, style.height - 2 * inset);
  const operators = [
    'q',
    ...frameOf(style),
    'Q',
    '/Tx BMC',
    ...(canvas.operators.length === 0 ? [] : ['q', `${clip} re W n`, ...canvas.operators, 'Q']),
    'EMC',
  ];
  const resources: PdfDict =
    canvas.fonts.size === 0
      ? {}
      : { '/Font': Object.fromEntries([...canvas.fonts].map(([name, ref]) => [`/${name}`, ref])) };
  return addAppearance(file, style, operators, resources);
}

/** Passwords are hidden. */
function masked(field: Field, text: string): string {
  const isPassword = kindOf(field) === 'text' && (field.flags & FLAGS.password) !== 0;
  return isPassword ? '*'.repeat([...text].length) : text.replaceAll('\n', ' ');
}

function isComb(file: PdfFile, field: Field): boolean {
  const others = FLAGS.multiline | FLAGS.password;
  const isAsked =
    kindOf(field) === 'text' && (field.flags & FLAGS.comb) !== 0 && (field.flags & others) === 0;
  return isAsked && combCells(file, field) > 0;
}

/** Maximum number of cells; with more, the field is drawn as ordinary text. */
const MAX_CELLS = 1_000;

function combCells(file: PdfFile, field: Field): number {
  const cells = file.resolve(field.attributes['/MaxLen']);
  return typeof cells === 'number' && cells > 0 && cells <= MAX_CELLS ? Math.floor(cells) : 0;
}

async function drawLine(canvas: Canvas, text: FieldText, style: FieldStyle, value: string): Promise<void> {
  if (value === '') return;
  const room = Math.max(1, style.width - 2 * (insetOf(style) + PADDING));
  const size = await sizeOfLine(style, value, room, text.measure);
  const line = await text.line(value, size);
  put(canvas, style, line, alignedAt(style, line.width), middle(style.height, size));
}

/** The largest size that fits the height of the field and its text. */
async function sizeOfLine(style: FieldStyle, value: string, room: number, measure: Measure): Promise<number> {
  if (!style.text.shrinks) return style.text.size;
  const byHeight = (style.height - 2 * insetOf(style)) / LINE;
  const byWidth = room / Math.max(0.001, await measure(value));
  return Math.min(style.text.size || LARGEST, Math.max(SMALLEST, Math.min(byHeight, byWidth)));
}

async function drawLines(canvas: Canvas, text: FieldText, style: FieldStyle, value: string): Promise<void> {
  if (value === '') return;
  const room = Math.max(1, style.width - 2 * (insetOf(style) + PADDING));
  const high = style.height - 2 * insetOf(style);
  let size = style.text.size === 0 ? LARGEST_OF_LINES : style.text.size;
  let lines = await brokenLines(value, room / size, text.measure);
  while (style.text.shrinks && size > SMALLEST && lines.length * size * LINE > high) {
    size -= STEP;
    lines = await brokenLines(value, room / size, text.measure);
  }
  let y = style.height - insetOf(style) - PADDING / 2 - ASCENT * size;
  for (const one of lines) {
    // Text below the field is clipped.
    if (y < -size * LINE) break;
    if (one !== '') {
      const line = await text.line(one, size);
      put(canvas, style, line, alignedAt(style, line.width), y);
    }
    y -= size * LINE;
  }
}

/** Characters in cells of equal width (12.7.5.3). */
async function drawComb(
  canvas: Canvas,
  text: FieldText,
  style: FieldStyle,
  value: string,
  cells: number,
): Promise<void> {
  const characters = graphemesOf(value.replaceAll('\n', ' ')).slice(0, cells);
  const width = style.width / cells;
  const free = cells - characters.length;
  const first = style.alignment === 2 ? free : style.alignment === 1 ? Math.floor(free / 2) : 0;
  let size = style.text.size;
  if (size === 0) {
    const widths = await Promise.all(characters.map((character) => text.measure(character)));
    const byWidth = width / Math.max(0.001, ...widths);
    size = Math.min(LARGEST_OF_LINES, byWidth, (style.height - 2 * insetOf(style)) / LINE);
  }
  for (const [index, character] of characters.entries()) {
    if (/^\s*$/.test(character)) continue;
    const line = await text.line(character, size);
    put(canvas, style, line, (first + index + 0.5) * width - line.width / 2, middle(style.height, size));
  }
}

async function drawList(
  canvas: Canvas,
  text: FieldText,
  style: FieldStyle,
  { options, chosen, top }: Extract<Shown, { options: unknown }>,
): Promise<void> {
  const inset = insetOf(style);
  const size = style.text.size === 0 ? LARGEST_OF_LINES : style.text.size;
  let y = style.height - inset;
  const lines = Math.max(1, Math.floor((style.height - 2 * inset) / (size * LINE)));
  for (const { value, label } of options.slice(firstLine(options, chosen, top, lines))) {
    if (y <= inset) break;
    y -= size * LINE;
    if (chosen.has(value)) {
      canvas.operators.push(CHOSEN, `${pdfNumbers(inset, y, style.width - 2 * inset, size * LINE)} re f`);
    }
    if (label.trim() === '') continue;
    const line = await text.line(label.replaceAll('\n', ' '), size);
    put(canvas, style, line, alignedAt(style, line.width), y + DESCENT * size);
  }
}

/** The first visible option: that of the form, unless no selected option would be visible. */
function firstLine(
  options: readonly Option[],
  chosen: ReadonlySet<string>,
  top: number,
  lines: number,
): number {
  const places = options.flatMap(({ value }, index) => (chosen.has(value) ? [index] : []));
  const [first] = places;
  if (first === undefined || places.some((place) => place >= top && place < top + lines)) return top;
  return first < top ? first : first - lines + 1;
}

function alignedAt(style: FieldStyle, width: number): number {
  const edge = insetOf(style) + PADDING;
  const free = style.width - 2 * edge - width;
  if (style.alignment === 1) return edge + free / 2;
  return style.alignment === 2 ? edge + free : edge;
}

/** The base line of a line that is vertically centred. */
function middle(height: number, size: number): number {
  return height / 2 - ((ASCENT - DESCENT) * size) / 2;
}

function put(canvas: Canvas, style: FieldStyle, line: SetLine, x: number, y: number): void {
  for (const [name, ref] of line.fonts) canvas.fonts.set(name, ref);
  canvas.operators.push(
    'q',
    style.text.colour,
    `1 0 0 1 ${pdfNumber(x)} ${pdfNumber(y)} cm`,
    line.operators,
    'Q',
  );
}
