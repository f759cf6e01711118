import { deflateSync } from 'node:zlib';
import { PlatenError } from '@platen/core/errors';
import { onPage } from '@platen/core/thread-side';
import { pdfNumbers } from '../../content/write.ts';
import { Fonts, IDENTITY, initialState } from '../../glyphs/cursor.ts';
import { MAX_OPERATIONS } from '../../glyphs/reader.ts';
import { boundsOf, type Quad } from '../../glyphs/shown.ts';
import type { PdfFile } from '../../model/index.ts';
import { readNumbers } from '../../model/name-tree.ts';
import type { PdfDict, Ref } from '../../model/values.ts';
import { type Box, mappedBox, points, viewOf } from '../geometry.ts';
import { contentOf } from '../page-content.ts';
import { pagesFor } from '../page-spans.ts';
import { withPainting } from '../paint.ts';
import type { RedactStep } from '../types.ts';
import { removeTagTexts, removeXfa, redactAnnotations } from './annotations.ts';
import { ContentRedactor, type Redaction, type Regions } from './content.ts';
import { contentsOf } from './programs.ts';
import { QuadIndex } from './quad-index.ts';
import { removeUnusedResources } from './resources.ts';
import {
  type PageHits,
  outline,
  pageWithText,
  searchContent,
  searchPages,
  type Unreadable,
} from './search.ts';
import { redactStrings } from './strings.ts';
import { WordFinder } from './words.ts';

/** What redaction could not do, because there was nothing to be found. */
export interface RedactNote extends Unreadable {
  /** Words that the document does not contain. */
  missing: string[];
}

const NOTHING: PageHits = { glyphs: new Set(), quads: [] };

/**
 * Removes areas and words from a document: not only from view, but from the file. Removed parts of pages are
 * black. The result is searched again, words by its own glyphs and by PDFium, areas by PDFium.
 *
 * @param pdfium compiled
 * @returns words that were not found, and pages that could not be searched; undefined if there are none
 * @throws PlatenError `page_range_outside_document` for an area on a missing page; `option_not_supported` for
 * words, and text in areas, that PDFium still finds afterwards
 */
export async function redact(
  file: PdfFile,
  { areas = [], words: given = [] }: RedactStep,
  place: string,
  pdfium: WebAssembly.Module,
): Promise<RedactNote | undefined> {
  const words = new WordFinder(given);
  const pages = pagesFor(file, undefined, place);
  const areasOf = new Map<Ref, Box[]>();
  for (const [index, { page: number, x, y, w, h }] of areas.entries()) {
    const page = pages[number - 1];
    if (page === undefined) throw noPage(number, pages.length, `${place}.areas[${index}].page`);
    const view = viewOf(file, page.dict);
    const box = { x: points(x), y: view.height - points(y + h), width: points(w), height: points(h) };
    areasOf.set(page.ref, [...(areasOf.get(page.ref) ?? []), mappedBox(box, view.toPage)]);
  }
  const found = words.isEmpty ? undefined : await searchPages(file, pdfium, words, new Map());
  const regions = new Map<Ref, Box[]>();
  const gone = new Map<Ref, Quad[]>();
  const cover = (ref: Ref, boxes: readonly Box[]): void => {
    regions.set(ref, [...(regions.get(ref) ?? []), ...boxes]);
  };
  const carryOut = async (hits: ReadonlyMap<Ref, PageHits>, isCoarse: boolean): Promise<void> => {
    await redactPages(file, words, { areasOf: isCoarse ? new Map() : areasOf, hits, isCoarse });
    for (const [ref, { quads }] of hits) {
      cover(ref, quads.map(boundsOf));
      gone.set(ref, [...(gone.get(ref) ?? []), ...quads]);
    }
  };
  for (const [ref, boxes] of areasOf) cover(ref, boxes);
  await carryOut(found?.hits ?? new Map<Ref, PageHits>(), false);
  // What is left may form a word in another order; where glyphs cannot be removed one by one, their lines are.
  for (const isCoarse of found === undefined ? [] : [false, true]) {
    const { hits } = await searchPages(file, pdfium, words, gone);
    if (hits.size === 0) break;
    await carryOut(hits, isCoarse);
  }
  redactAnnotations(
    file,
    pages.map(({ ref }) => ({ ref, regions: regions.get(ref) ?? [] })),
    words,
  );
  removeXfa(file);
  const covered = areasOf.size === 0 ? undefined : await pageWithText(file, pdfium, areasOf);
  if (covered !== undefined)
    throw notGone(covered, `${place}.areas`, 'text in the areas', 'redact it as words');
  if (found === undefined) return undefined;
  await redactOthers(file, words);
  redactStrings(file, words);
  const { hits } = await searchPages(file, pdfium, words, gone);
  const [left] = hits.keys();
  if (left !== undefined) {
    throw notGone(
      file.pages().indexOf(left) + 1,
      `${place}.words`,
      'the words',
      'redact their place as an area',
    );
  }
  const note = { missing: words.missing, ...found.unreadable };
  return Object.values(note).some((entries) => entries.length > 0) ? note : undefined;
}

interface Targets {
  areasOf: ReadonlyMap<Ref, Box[]>;
  hits: ReadonlyMap<Ref, PageHits>;
  isCoarse: boolean;
}

async function redactPages(
  file: PdfFile,
  words: WordFinder,
  { areasOf, hits, isCoarse }: Targets,
): Promise<void> {
  const marks = new Map<number, Set<number>>();
  const touched = (key: number, mark: number): void => {
    const known = marks.get(key) ?? new Set<number>();
    marks.set(key, known.add(mark));
  };
  const work = redaction(file, words, { isCoarse, touched });
  for (const ref of new Set([...areasOf.keys(), ...hits.keys()])) {
    await onPage(file.pages().indexOf(ref) + 1, () =>
      redactPage(work, ref, areasOf.get(ref) ?? [], hits.get(ref) ?? NOTHING),
    );
  }
  removeUnusedResources(work);
  forgetTexts(file, marks);
}

function redaction(
  file: PdfFile,
  words: WordFinder,
  { isCoarse, touched }: Pick<Redaction, 'isCoarse' | 'touched'>,
): Redaction {
  return {
    file,
    words,
    isCoarse,
    touched,
    left: MAX_OPERATIONS,
    fonts: new Fonts(file),
    found: new Set(),
    glyphs: 0,
    images: new Map(),
    changed: new Set(),
  };
}

async function redactPage(
  work: Redaction,
  ref: Ref,
  areas: Box[],
  { glyphs, quads }: PageHits,
): Promise<void> {
  const { file } = work;
  // The current version: an earlier round may have changed it.
  const dict = file.pageDict(file.pages().indexOf(ref));
  const key = file.resolve(dict['/StructParents']);
  const regions = { areas, characters: quads, index: new QuadIndex(quads) };
  const place = { resources: file.dict(dict['/Resources']), key };
  const redacted = await redactContent(work, regions, { ...place, data: contentOf(file, dict), glyphs });
  const { '/Thumb': _picture, '/PieceInfo': _private, ...kept } = file.dict(ref);
  const changed: PdfDict = { ...kept };
  if (redacted !== undefined) {
    changed['/Contents'] = file.add({ '/Filter': '/FlateDecode' }, deflateSync(redacted.data));
    changed['/Resources'] = redacted.resources;
    work.changed.add(ref);
  }
  const operators = `/Artifact <</Type /Layout>> BDC\nq 0 g\n${blackening(areas, quads)}\nf Q\nEMC`;
  changed['/Contents'] = withPainting(file, changed['/Contents'], operators, 'over');
  file.set(ref, changed);
}

function blackening(areas: readonly Box[], quads: readonly Quad[]): string {
  const { boxes, others } = outline(quads);
  return [
    ...[...areas, ...boxes].map(({ x, y, width, height }) => `${pdfNumbers(x, y, width, height)} re`),
    ...others.map(({ x, y, along: [a, b], up: [c, d] }) => {
      const corners = [`${pdfNumbers(x + a, y + b)} l`, `${pdfNumbers(x + a + c, y + b + d)} l`];
      return `${pdfNumbers(x, y)} m ${corners.join(' ')} ${pdfNumbers(x + c, y + d)} l h`;
    }),
  ].join('\n');
}

interface Place {
  data: Buffer;
  resources: PdfDict;
  /** Parent tree key. */
  key: PdfDict[string];
  /** The numbers of removed glyphs. */
  glyphs: ReadonlySet<number>;
}

function redactContent(work: Redaction, regions: Regions, { data, resources, key, glyphs }: Place) {
  work.found = glyphs;
  work.glyphs = 0;
  const place = { resources, state: initialState(IDENTITY), within: [], key };
  return new ContentRedactor(work, regions, place).run(data);
}

/** Removes words from content that is not part of a page. */
async function redactOthers(file: PdfFile, words: WordFinder): Promise<void> {
  const hits = searchContent(file, contentsOf(file), words);
  if (hits.size === 0) return;
  const work = redaction(file, words, { isCoarse: false, touched: () => undefined });
  const regions = { areas: [], characters: [], index: new QuadIndex([]) };
  for (const [ref, glyphs] of hits) {
    const stream = file.streamData(ref);
    if (stream === undefined) continue;
    const { '/DecodeParms': _parms, '/Length': _length, ...dict } = file.dict(ref);
    const place = { resources: file.dict(dict['/Resources']), key: null, glyphs };
    const redacted = await redactContent(work, regions, { ...place, data: Buffer.from(stream.data) });
    if (redacted === undefined) continue;
    const changed = { ...dict, '/Resources': redacted.resources, '/Filter': '/FlateDecode' };
    file.set(ref, changed, deflateSync(redacted.data));
    work.changed.add(ref);
  }
  removeUnusedResources(work);
}

/** Removes texts of tags that describe removed content. */
function forgetTexts(file: PdfFile, marks: ReadonlyMap<number, ReadonlySet<number>>): void {
  if (marks.size === 0) return;
  const root = file.dict(file.catalog['/StructTreeRoot']);
  for (const [key, value] of readNumbers(file, root['/ParentTree'])) {
    const numbers = marks.get(key);
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

function notGone(page: number, field: string, what: string, instead: string): PlatenError {
  const message = `${what} cannot be removed from page ${page}, because of the way of drawing; ${instead}`;
  return new PlatenError('option_not_supported', `\`${field}\`: ${message}.`, {
    faults: [{ field, message }],
  });
}
