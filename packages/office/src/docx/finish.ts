import { BODIES, completeBodies, finishDrawingText } from '../drawing/finish.ts';
import { foreignIn } from '../foreign.ts';
import { RichValue } from '../marks.ts';
import { bindLinks } from '../ooxml/links.ts';
import type { OfficePackage } from '../package.ts';
import type { Finishing } from '../formats/index.ts';
import { make } from '../xml/build.ts';
import { all, allByTag, closest, type Element, type Node, remove, replace } from '../xml/tree.ts';
import { type DocxInline, resolveLeaf } from './inline.ts';
import { readHtmlBlocks } from '../rich.ts';
import { finishControl } from './controls.ts';
import { updateFields } from './field-results.ts';
import { DocxHtml } from './html.ts';
import { restartLists } from './list-restarts.ts';
import { NOTE_MARKS, type NoteCopies } from './notes.ts';
import { DocxNumbering } from './numbering.ts';
import { mainPart } from '../ooxml/related.ts';
import { DocxPictures } from './pictures.ts';
import { richParagraphs, richRuns, subdocumentOf } from './rich.ts';
import type { RemovedBookmarks } from './lost-references.ts';
import { keepFurniture } from './sections.ts';
import { placeSubdocument, type Subdocument } from './subdocument.ts';
import { applyCellRequests, fitGrids } from './tables.ts';
import { NUMBERED, uniqueIds } from './unique-ids.ts';

/**
 * Turns a filled part into valid WordprocessingML.
 *
 * @param notes receives the notes that loops repeat
 * @param removed receives the bookmarks that conditions and loops remove
 */
export function finishDocx(
  root: Element,
  path: string,
  { file, registry, subdocuments, decoded: { scopes }, warn }: Finishing,
  notes: NoteCopies,
  removed: RemovedBookmarks,
): void {
  const pictures = new DocxPictures(file, path, registry, root);
  const inline: DocxInline = {
    picture: (value, near) => pictures.drawing(value, near),
    rich: (value) => richNodes(value, file, path),
  };
  bindLinks(root, path, file);
  // Large documents are walked as rarely as possible, and most have only text as values.
  if (foreignIn(root).length > 0) {
    applyCellRequests(root);
    placeSubdocuments(root, path, file, subdocuments);
    for (const value of foreignIn(root))
      if (value instanceof RichValue) replace(value, ...inline.rich(value));
    for (const leaf of all(root, 'w:t', 'w:instrText', 'm:t', 'c:v')) resolveLeaf(leaf, inline);
    // Titles of charts and diagrams have no place for pictures.
    finishDrawingText(root, path, file, () => undefined);
  }
  let found = allByTag(root, ...FINISHED);
  for (const tag of BODIES) completeBodies(found[tag]);
  for (const tag of BOXES) for (const box of found[tag]) endWithParagraph(box);
  const rows = found['w:tr'].filter(
    (row) => row.first('w:tc') === undefined && all(row, 'w:tc').length === 0,
  );
  for (const row of rows) remove(row);
  const isDropped = dropEmptyControls(found['w:sdtContent']);
  for (const content of found['w:sdtContent']) fillControl(content);
  if (dropEmptyTables(found['w:tbl']) || isDropped || rows.length > 0) found = allByTag(root, ...FINISHED);
  fitGrids(found['w:tbl'], found['w:tr']);
  for (const control of found['w:sdt']) finishControl(control);
  restartLists(found['w:p'], file, scopes);
  DocxNumbering.save(file);
  uniqueIds(root, found, scopes, removed);
  removed.compare(root);
  if (found['w:instrText'].length + found['w:fldSimple'].length > 0) updateFields(root, warn);
  if (path !== mainPart(file)) return;
  keepFurniture(root);
  notes.renumber(found, root.source ?? root);
}

/** Elements that need a paragraph. */
const BOXES = ['w:tc', 'w:txbxContent', 'w:footnote', 'w:endnote', 'w:comment', 'w:hdr', 'w:ftr'] as const;
const FINISHED = [
  ...BODIES,
  ...BOXES,
  ...NUMBERED,
  ...NOTE_MARKS,
  'w:tbl',
  'w:sdt',
  'w:sdtContent',
  'w:instrText',
  'w:fldSimple',
] as const;

/** Inserts documents at the places where the template names them. */
function placeSubdocuments(
  root: Element,
  path: string,
  file: OfficePackage,
  subdocuments: ReadonlyMap<string, Subdocument>,
): void {
  for (const value of foreignIn(root)) {
    const reference = subdocumentOf(value);
    const subdocument = reference === null ? undefined : subdocuments.get(reference);
    if (subdocument === undefined) continue;
    const paragraph = closest(value.parent, PARAGRAPH);
    const near = paragraph?.parent ?? value.parent ?? root;
    placeSubdocument(value, subdocument.blocksFor(file, path, near), paragraph);
  }
}

const PARAGRAPH: ReadonlySet<string> = new Set(['w:p']);

function richNodes(value: RichValue, file: OfficePackage, path: string): Node[] {
  const { format } = value;
  const blocks = format?.tag === 'w:p' ? readHtmlBlocks(value.json) : null;
  if (format !== null && blocks !== null) {
    return new DocxHtml({ file, part: path, format, near: value.parent ?? format }).write(blocks);
  }
  if (format?.tag === 'w:p') return richParagraphs(value, format, file, path);
  return richRuns(value, format, file, path);
}

/**
 * Adds required paragraphs: cells, boxes, notes and headers need one, and a cell has to end with one
 * (ECMA-376, 17.4.65).
 */
function endWithParagraph(element: Element): void {
  const last = element.elements().findLast((child) => !/:(bookmarkEnd|customXml\w*|sectPr)$/.test(child.tag));
  if (last === undefined || (last.tag !== 'w:p' && last.tag !== 'w:sdt' && last.tag !== 'w:altChunk')) {
    element.append(make(element, 'w:p'));
  }
}

/** Gives the emptied content of a control that is the last of a cell or a box a paragraph, which these need. */
function fillControl(content: Element): void {
  const owner = content.parent?.parent;
  if (content.elements().length > 0 || owner === undefined || owner === null) return;
  const isOnly = owner.elements().every((child) => child === content.parent || child.tag === 'w:tcPr');
  if (isOnly && (BOXES as readonly string[]).includes(owner.tag)) content.append(make(content, 'w:p'));
}

const CONTROLS: ReadonlySet<string> = new Set(['w:sdt', 'w:sdtContent']);

/** Removes controls around rows and cells of which none is left. @returns whether there was any */
function dropEmptyControls(contents: readonly Element[]): boolean {
  let isDropped = false;
  // Inner ones first: a control of a repeating section is around those of its items.
  for (const content of contents.toReversed()) {
    const control = content.parent;
    if (control === null || content.elements().length > 0) continue;
    let owner = control.parent;
    while (owner !== null && CONTROLS.has(owner.tag)) owner = owner.parent;
    if (owner?.tag !== 'w:tbl' && owner?.tag !== 'w:tr') continue;
    remove(control);
    isDropped = true;
  }
  return isDropped;
}

/** Removes tables without rows. @returns whether there was any */
function dropEmptyTables(tables: readonly Element[]): boolean {
  const empty = tables.filter((table) => !hasRow(table));
  for (const table of empty) {
    const { parent } = table;
    remove(table);
    if (parent?.tag === 'w:tc') endWithParagraph(parent);
  }
  return empty.length > 0;
}

function hasRow(element: Element): boolean {
  return element.children.some(
    (child) => child.kind === 'element' && (child.tag === 'w:tr' || hasRow(child)),
  );
}
