import { foreignIn } from '../foreign.ts';
import type { Finishing } from '../formats/index.ts';
import { lostWarning } from '../lost.ts';
import { PictureValue, RichValue } from '../marks.ts';
import { all, Element, type Node, remove, replace } from '../xml/tree.ts';
import { resolveBreaks, richNodes } from './inline.ts';
import { OdfPictures } from './pictures.ts';
import { followSlides } from './slide-links.ts';
import { keepSpaces } from './spaces.ts';
import { AutomaticStyles } from './styles.ts';
import { applyOdfCellRequests, fitColumns } from './tables.ts';
import { uniqueNames } from './unique-names.ts';

/** Turns a filled part into valid OpenDocument. */
export function finishOdf(
  root: Element,
  kind: 'odt' | 'ods' | 'odp',
  { file, registry, decoded, warn }: Finishing,
): void {
  const styles = new AutomaticStyles(root);
  const pictures = new OdfPictures(root, file, registry, kind);
  applyOdfCellRequests(root, styles);
  for (const value of foreignIn(root)) {
    if (value instanceof RichValue) replace(value, ...richNodes(value, styles, file));
  }
  // Rich text may have added pictures.
  for (const value of foreignIn(root)) if (value instanceof PictureValue) pictures.show(value);
  for (const paragraph of all(root, 'text:p', 'text:h')) keepSpaces(paragraph);
  resolveBreaks(root, styles, kind);
  for (const left of foreignIn(root)) remove(left);
  for (const field of all(root, 'text:placeholder')) showPlaceholder(field);
  dropEmpty(root, kind);
  joinLists(root);
  for (const table of all(root, 'table:table')) fitColumns(table);
  const lost = uniqueNames(root, kind, decoded.scopes);
  if (kind === 'odp') followSlides(root, decoded.scopes, warn);
  if (lost.size > 0) warn(lostWarning(lost));
}

/** Replaces a placeholder with tags by what they print: programs do not print placeholders. */
function showPlaceholder(field: Element): void {
  if (field.source !== null && foreignIn(field.source).length > 0) replace(field, ...field.children);
}

/** Elements that need a row (ODF 1.3 part 3, 9.1). */
const ROW_GROUPS = ['table:table-header-rows', 'table:table-rows', 'table:table-row-group'];

/** Removes elements that loops and conditions have emptied and that must not be empty. */
function dropEmpty(root: Element, kind: 'odt' | 'ods' | 'odp'): void {
  for (const list of all(root, 'text:list').toReversed()) if (list.elements().length === 0) remove(list);
  if (kind !== 'ods')
    for (const row of all(root, 'table:table-row')) if (row.elements().length === 0) remove(row);
  for (const table of all(root, 'table:table').toReversed()) {
    if (all(table, 'table:table-row').length > 0 || kind === 'ods') continue;
    const owner = table.parent;
    if (owner?.tag === 'draw:frame') remove(owner);
    else remove(table);
  }
  for (const group of all(root, ...ROW_GROUPS).toReversed()) {
    if (group.elements().length === 0) remove(group);
  }
}

/**
 * Joins the copies of a list that a loop repeats into one list, as in other formats: separate lists would
 * each count from 1 (ODF 1.3 part 3, 5.3.3).
 */
function joinLists(root: Element): void {
  for (const list of all(root, 'text:list')) {
    if (list.source === null || list.parent === null) continue;
    const siblings = list.parent.children;
    for (let next = siblings[siblings.indexOf(list) + 1]; isCopy(next, list);) {
      list.append(...next.children.slice());
      remove(next);
      next = siblings[siblings.indexOf(list) + 1];
    }
  }
}

function isCopy(node: Node | undefined, list: Element): node is Element {
  return node instanceof Element && node.source !== null && node.source === list.source;
}
