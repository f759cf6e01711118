import { deflateSync } from 'node:zlib';
import { pdfNumbers } from '../content/write.ts';
import { balanceOf } from './balance.ts';
import type { PdfFile } from '../model/index.ts';
import { isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import { type Box, type Matrix, product, viewOf } from './geometry.ts';
import { contentOf } from './page-content.ts';
import type { OpenPage } from './page-spans.ts';

/** Puts form XObjects over and under the content of pages. */

/** A form XObject and its box. */
export interface Form {
  ref: Ref;
  box: Box;
}

/** Adds a form XObject. @param resources the resources that its operators name */
export function addForm(file: PdfFile, box: Box, operators: string, resources: PdfDict): Form {
  const { x, y, width, height } = box;
  const dict: PdfDict = {
    '/Type': '/XObject',
    '/Subtype': '/Form',
    '/BBox': [x, y, x + width, y + height],
    '/Resources': resources,
    '/Filter': '/FlateDecode',
  };
  return { ref: file.add(dict, deflateSync(operators)), box };
}

/** Content that is painted on a page. */
export interface Painting {
  form: Form;
  /** From the form to the view of the page (geometry.ts). */
  matrix: Matrix;
  opacity?: number | undefined;
}

/** The layer of painted content: over or under the page's content; and its artifact type (ISO 32000-2, 14.8.2.2). */
export interface Layer {
  where: 'over' | 'under';
  subtype: '/Watermark' | '/PageNum' | '/Header';
}

/** Puts content on a page as an artifact, which screen readers skip. */
export function paint(
  file: PdfFile,
  page: OpenPage,
  { form, matrix, opacity = 1 }: Painting,
  layer: Layer,
): void {
  const resources = new PageResources(file, page);
  const name = resources.add('/XObject', form.ref);
  const state =
    opacity >= 1
      ? ''
      : `${resources.add('/ExtGState', { '/Type': '/ExtGState', '/ca': opacity, '/CA': opacity })} gs `;
  const toPage = product(matrix, viewOf(file, page.dict).toPage);
  const operators = [
    `/Artifact <</Type /Pagination /Subtype ${layer.subtype}>> BDC`,
    `q ${state}${pdfNumbers(...toPage)} cm ${name} Do Q`,
    'EMC',
  ].join('\n');
  const dict = file.dict(page.ref);
  file.set(page.ref, {
    ...dict,
    '/Resources': resources.dict,
    '/Contents': withPainting(file, dict['/Contents'], operators, layer.where),
  });
}

/** The resources of a page as its own copy, because other pages may share them. */
export class PageResources {
  readonly dict: PdfDict;
  readonly #file: PdfFile;
  /** The copies of the entries of a kind, and the number of the next name. */
  readonly #kinds = new Map<string, { entries: PdfDict; next: number }>();

  constructor(file: PdfFile, page: OpenPage) {
    this.#file = file;
    this.dict = { ...file.dict(page.dict['/Resources']) };
  }

  /**
   * @param kind such as `/XObject`
   * @returns the name for operators
   */
  add(kind: string, value: PdfValue): string {
    const known = this.#kinds.get(kind) ?? { entries: { ...this.#file.dict(this.dict[kind]) }, next: 0 };
    this.#kinds.set(kind, known);
    this.dict[kind] = known.entries;
    while (known.entries[`/Pl${known.next}`] !== undefined) known.next++;
    const name = `/Pl${known.next}`;
    known.entries[name] = value;
    return name;
  }
}

/**
 * The streams of a page with an additional one before or after them, which is isolated from their graphics state.
 */
export function withPainting(
  file: PdfFile,
  contents: PdfValue | undefined,
  operators: string,
  where: Layer['where'],
): PdfValue[] {
  const painting = addOperators(file, operators);
  if (where === 'under') return [painting, ...streamsOf(file, contents)];
  return [...enclosed(file, contents, 'q', 'Q'), painting];
}

/** The streams of a page between operators. What the streams leave open is closed before the last operators. */
export function enclosed(
  file: PdfFile,
  contents: PdfValue | undefined,
  before: string,
  after: string,
): PdfValue[] {
  const { corrected, closing } = balanceOf(contentOf(file, { '/Contents': contents ?? null }));
  const [first, last] = [addOperators(file, before), addOperators(file, `\n${closing}${after}`)];
  const streams = corrected === undefined ? streamsOf(file, contents) : [addStream(file, corrected)];
  return [first, ...streams, last];
}

function streamsOf(file: PdfFile, contents: PdfValue | undefined): PdfValue[] {
  const resolved = file.resolve(contents);
  if (Array.isArray(resolved)) return resolved.filter((stream) => !isEmpty(file, stream));
  return isRef(contents) && resolved !== null && !isEmpty(file, contents) ? [contents] : [];
}

/** An empty stream is not valid Flate data: poppler 25 stops reading the page there. */
function isEmpty(file: PdfFile, stream: PdfValue): boolean {
  return isRef(stream) && file.get(stream)?.stream?.length === 0;
}

function addOperators(file: PdfFile, operators: string): Ref {
  return file.add({}, Buffer.from(`${operators}\n`));
}

function addStream(file: PdfFile, data: Buffer): Ref {
  return file.add({ '/Filter': '/FlateDecode' }, deflateSync(data));
}
