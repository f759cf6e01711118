import { deflateSync } from 'node:zlib';
import { pdfNumber, pdfNumbers } from '../content.ts';
import type { PdfFile } from '../model/index.ts';
import { boxOf } from '../page-geometry.ts';
import { isDict, isRef } from '../values.ts';
import type { PdfDict, PdfValue, Ref } from '../values.ts';
import { edit } from './style.ts';

/** Making a form part of its pages (ISO 32000-2, 12.5.5, algorithm 8.1). */

/** Flags of annotations that are not shown: hidden, and not on a screen. */
const INVISIBLE = 0x02 | 0x20;

/** Draws what the fields of a form show on their pages, and takes the fields away. */
export function flattenForm(file: PdfFile): void {
  const contents = new Bracketed(file);
  for (const [index, page] of file.pages().entries()) {
    const annotations = file.array(file.dict(page)['/Annots']);
    const widgets = annotations.filter((value) => file.dict(value)['/Subtype'] === '/Widget');
    if (widgets.length === 0) continue;
    const drawn = widgets.flatMap((widget) => drawing(file, file.dict(widget)) ?? []);
    if (drawn.length > 0) addContent(file, page, file.pageDicts()[index]?.['/Resources'], drawn, contents);
    const kept = annotations.filter((value) => !widgets.includes(value));
    edit(file, page, { '/Annots': kept.length === 0 ? null : kept });
  }
  edit(file, file.catalogRef, { '/AcroForm': null, '/NeedsRendering': null });
}

interface Drawing {
  appearance: Ref;
  matrix: readonly number[];
}

/** Where the appearance of a widget goes; undefined for one that shows nothing. */
function drawing(file: PdfFile, widget: PdfDict): Drawing | undefined {
  const flags = file.resolve(widget['/F']);
  if (typeof flags === 'number' && (flags & INVISIBLE) !== 0) return undefined;
  const appearance = appearanceOf(file, widget);
  const target = boxOf(file, widget['/Rect']);
  if (appearance === undefined || target === undefined) return undefined;
  const form = file.dict(appearance);
  const box = boxOf(file, form['/BBox']);
  if (box === undefined) return undefined;
  const [a, b, c, d, e, f] = matrixOf(file, form['/Matrix']);
  const corners = [0, 2].flatMap((x) => [1, 3].map((y) => [box[x] ?? 0, box[y] ?? 0] as const));
  const xs = corners.map(([x, y]) => a * x + c * y + e);
  const ys = corners.map(([x, y]) => b * x + d * y + f);
  const [left, bottom, right, top] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  if (right - left === 0 || top - bottom === 0) return undefined;
  const scaleX = (target[2] - target[0]) / (right - left);
  const scaleY = (target[3] - target[1]) / (top - bottom);
  return {
    appearance,
    matrix: [scaleX, 0, 0, scaleY, target[0] - left * scaleX, target[1] - bottom * scaleY],
  };
}

/** The stream that is shown now: the only one, or that of the state. */
function appearanceOf(file: PdfFile, widget: PdfDict): Ref | undefined {
  const normal = file.dict(widget['/AP'])['/N'];
  if (isRef(normal) && file.get(normal)?.stream !== undefined) return normal;
  const state = file.resolve(widget['/AS']);
  const chosen = typeof state === 'string' ? file.dict(normal)[state] : undefined;
  return isRef(chosen) && file.get(chosen)?.stream !== undefined ? chosen : undefined;
}

type Matrix = readonly [number, number, number, number, number, number];

function matrixOf(file: PdfFile, value: PdfValue | undefined): Matrix {
  const numbers = file.array(value).map((entry) => file.resolve(entry));
  return numbers.length === 6 && numbers.every((number) => typeof number === 'number')
    ? (numbers as unknown as Matrix)
    : [1, 0, 0, 1, 0, 0];
}

/** The streams that keep what a page draws from changing what is drawn after it; one pair for a document. */
class Bracketed {
  readonly #file: PdfFile;
  #save: Ref | undefined;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  get save(): Ref {
    this.#save ??= this.#file.add({}, Buffer.from('q\n'));
    return this.#save;
  }
}

function addContent(
  file: PdfFile,
  page: Ref,
  resources: PdfValue | undefined,
  drawings: readonly Drawing[],
  { save }: Bracketed,
): void {
  const shared = file.dict(resources);
  const objects: PdfDict = { ...file.dict(shared['/XObject']) };
  const operators = ['Q'];
  let number = 0;
  for (const { appearance, matrix } of drawings) {
    while (objects[`/PlField${number}`] !== undefined) number++;
    objects[`/PlField${number}`] = appearance;
    edit(file, appearance, { '/Type': '/XObject', '/Subtype': '/Form' });
    operators.push(`q ${pdfNumbers(...matrix)} cm /PlField${pdfNumber(number)} Do Q`);
  }
  const before = file.dict(page)['/Contents'];
  const streams = isRef(before) && file.get(before)?.stream !== undefined ? [before] : file.array(before);
  const content = deflateSync(Buffer.from(`${operators.join('\n')}\n`));
  edit(file, page, {
    '/Contents': [save, ...streams, file.add({ '/Filter': '/FlateDecode' }, content)],
    '/Resources': { ...(isDict(shared) ? shared : {}), '/XObject': objects },
  });
}
