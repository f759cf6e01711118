import { deflateSync } from 'node:zlib';
import { PlatenError } from '@platen/core/errors';
import { onPage } from '@platen/core/thread-side';
import { pdfNumbers } from '../../content.ts';
import { openPdf, type PdfFile } from '../../model/index.ts';
import { readTree } from '../../name-tree.ts';
import type { PdfDict } from '../../values.ts';
import { flattenAnnotations } from '../flatten.ts';
import { type Box, mappedBox, points, type View, viewOf } from '../geometry.ts';
import { contentOf } from '../import-page.ts';
import { type OpenPage, pagesFor } from '../page-spans.ts';
import { withPainting } from '../paint.ts';
import type { RedactStep } from '../types.ts';
import { removeTagTexts, removeXfa, redactAnnotations } from './annotations.ts';
import { BoxIndex } from './box-index.ts';
import { ContentRedactor, MAX_OPERATIONS, type Redaction, type Regions } from './content.ts';
import { findWords, mergedBoxes, type VisibleBox } from './find.ts';
import { removeUnusedResources } from './resources.ts';
import { redactStrings } from './strings.ts';
import { WordFinder } from './words.ts';

/** The redaction of a page: its areas, and whether whole lines are removed. */
interface Target {
  page: OpenPage;
  view: View;
  regions: { areas: Box[]; characters: Box[] };
}

/**
 * Removes areas and words from a document: not only from view, but from the file. Removed parts of pages are
 * black. The result is searched again by a program other than the one that removed them.
 *
 * @param pdfium compiled
 * @throws PlatenError `page_range_outside_document` for an area on a missing page; `option_not_supported` for
 * words that are still found afterwards
 */
export async function redact(
  file: PdfFile,
  { areas = [], words: given = [] }: RedactStep,
  place: string,
  pdfium: WebAssembly.Module,
): Promise<void> {
  const words = new WordFinder(given);
  const targets = new Map<number, Target>();
  const pages = pagesFor(file, undefined, place);
  const target = (number: number, page: OpenPage): Target => {
    const known = targets.get(number);
    if (known !== undefined) return known;
    const fresh = { page, view: viewOf(file, page.dict), regions: { areas: [], characters: [] } };
    targets.set(number, fresh);
    return fresh;
  };
  for (const [index, { page: number, x, y, w, h }] of areas.entries()) {
    const page = pages[number - 1];
    if (page === undefined) throw noPage(number, pages.length, `${place}.areas[${index}].page`);
    const { view, regions } = target(number, page);
    const box = { x: points(x), y: view.height - points(y + h), width: points(w), height: points(h) };
    regions.areas.push(mappedBox(box, view.toPage));
  }
  const search = async (): Promise<Map<number, VisibleBox[]>> =>
    words.isEmpty ? new Map<number, VisibleBox[]>() : await findWords(pdfium, await flatCopy(file), words);
  for (const isCoarse of [false, true]) {
    const found = await search();
    if (isCoarse && found.size === 0) break;
    for (const [number, boxes] of found) {
      const page = pages[number - 1];
      if (page === undefined) continue;
      const { view, regions } = target(number, page);
      regions.characters = boxes.map((box) => mappedBox(inView(box, view), view.toPage));
    }
    const chosen = isCoarse ? [...targets].filter(([number]) => found.has(number)) : [...targets];
    await redactPages(
      file,
      chosen.map(([, one]) => one),
      words,
      isCoarse,
    );
  }
  const annotated = pages.map(({ ref, number }) => {
    const regions = targets.get(number)?.regions;
    return { ref, regions: regions === undefined ? [] : [...regions.areas, ...regions.characters] };
  });
  redactAnnotations(file, annotated, words);
  removeXfa(file);
  if (words.isEmpty) return;
  redactStrings(file, words);
  const [left] = (await search()).keys();
  if (left !== undefined) throw notGone(left, place);
}

/** The document with flattened annotations. */
async function flatCopy(file: PdfFile): Promise<Uint8Array> {
  const copy = await openPdf(await file.save());
  flattenAnnotations(copy, (_subtype, appearance) => appearance !== undefined);
  return await copy.save();
}

function inView({ left, top, right, bottom }: VisibleBox, { width, height }: View): Box {
  return {
    x: left * width,
    y: (1 - bottom) * height,
    width: (right - left) * width,
    height: (bottom - top) * height,
  };
}

async function redactPages(
  file: PdfFile,
  targets: readonly Target[],
  words: WordFinder,
  isCoarse: boolean,
): Promise<void> {
  const marks = new Map<number, Set<number>>();
  const touched = (key: number, mark: number): void => {
    const known = marks.get(key) ?? new Set<number>();
    marks.set(key, known.add(mark));
  };
  const work: Redaction = {
    file,
    words,
    isCoarse,
    touched,
    left: MAX_OPERATIONS,
    fonts: new Map(),
    images: new Map(),
    changed: new Set(),
  };
  for (const { page, regions } of targets) await onPage(page.number, () => redactPage(work, page, regions));
  removeUnusedResources(work);
  forgetTexts(file, marks);
}

async function redactPage(work: Redaction, { ref }: OpenPage, boxesOfPage: Target['regions']): Promise<void> {
  const regions: Regions = { ...boxesOfPage, index: new BoxIndex(boxesOfPage.characters) };
  const { file } = work;
  // The current version: an earlier round may have changed it.
  const index = file.pages().indexOf(ref);
  const dict = file.pageDict(index);
  const place = {
    resources: file.dict(dict['/Resources']),
    matrix: [1, 0, 0, 1, 0, 0] as const,
    within: [],
    key: file.resolve(dict['/StructParents']),
  };
  const redacted = await new ContentRedactor(work, regions, place).run(contentOf(file, dict));
  const { '/Thumb': _picture, '/PieceInfo': _private, ...kept } = file.dict(ref);
  const changed: PdfDict = { ...kept };
  if (redacted !== undefined) {
    changed['/Contents'] = file.add({ '/Filter': '/FlateDecode' }, deflateSync(redacted.data));
    changed['/Resources'] = redacted.resources;
    work.changed.add(ref);
  }
  const boxes = [...regions.areas, ...mergedBoxes(regions.characters)];
  const black = boxes.map(({ x, y, width, height }) => `${pdfNumbers(x, y, width, height)} re`).join('\n');
  const operators = `/Artifact <</Type /Layout>> BDC\nq 0 g\n${black}\nf Q\nEMC`;
  changed['/Contents'] = withPainting(file, changed['/Contents'], operators, 'over');
  file.set(ref, changed);
}

/** Removes texts of tags that describe removed content. */
function forgetTexts(file: PdfFile, marks: ReadonlyMap<number, ReadonlySet<number>>): void {
  if (marks.size === 0) return;
  const root = file.dict(file.catalog['/StructTreeRoot']);
  for (const [key, value] of readTree(file, root['/ParentTree'], '/Nums')) {
    const numbers = typeof key === 'number' ? marks.get(key) : undefined;
    if (numbers === undefined) continue;
    const elements = file.array(value);
    for (const number of numbers) removeTagTexts(file, elements[number] ?? null);
  }
}

function noPage(page: number, pages: number, field: string): PlatenError {
  const message = `there is no page ${page}: the document has ${pages === 1 ? '1 page' : `${pages} pages`}`;
  return new PlatenError('page_range_outside_document', `\`${field}\`: ${message}.`, {
    faults: [{ field, message, value: page }],
  });
}

function notGone(page: number, place: string): PlatenError {
  const message = `the words cannot be removed from page ${page}, because the way they are drawn is not supported; redact their place as an area`;
  const field = `${place}.words`;
  return new PlatenError('option_not_supported', `\`${field}\`: ${message}.`, {
    faults: [{ field, message }],
  });
}
