import { foreignIn } from '../foreign.ts';
import { PictureValue, RichValue } from '../marks.ts';
import type { OfficePackage } from '../package.ts';
import type { PictureRegistry } from '../pictures/registry.ts';
import { all, Element, type Node, remove, replace } from '../xml/tree.ts';
import { resolveBreaks, richNodes } from './inline.ts';
import { OdfPictures } from './pictures.ts';
import { keepSpaces } from './spaces.ts';
import { AutomaticStyles } from './styles.ts';
import { applyOdfCellRequests, fitColumns } from './tables.ts';

/** Turns a filled part into valid OpenDocument. */
export function finishOdf(
  root: Element,
  kind: 'odt' | 'ods' | 'odp',
  file: OfficePackage,
  registry: PictureRegistry,
): void {
  const styles = new AutomaticStyles(root);
  const pictures = new OdfPictures(file, registry, kind);
  applyOdfCellRequests(root, styles);
  for (const value of foreignIn(root)) {
    if (value instanceof RichValue) replace(value, ...richNodes(value, styles, file));
  }
  // Rich text may have added pictures.
  for (const value of foreignIn(root)) if (value instanceof PictureValue) pictures.show(value);
  for (const paragraph of all(root, 'text:p', 'text:h')) keepSpaces(paragraph);
  resolveBreaks(root, styles, kind);
  for (const left of foreignIn(root)) remove(left);
  dropEmpty(root, kind);
  joinLists(root);
  for (const table of all(root, 'table:table')) fitColumns(table);
  uniqueNames(root, kind);
}

/** Removes elements that loops and conditions have emptied and that must not be empty. */
function dropEmpty(root: Element, kind: 'odt' | 'ods' | 'odp'): void {
  for (const list of all(root, 'text:list').toReversed()) if (list.elements().length === 0) remove(list);
  for (const table of all(root, 'table:table').toReversed()) {
    if (all(table, 'table:table-row').length > 0 || kind === 'ods') continue;
    const owner = table.parent;
    if (owner?.tag === 'draw:frame') remove(owner);
    else remove(table);
  }
  for (const group of all(root, 'table:table-header-rows', 'table:table-rows')) {
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

/** Renews names and ids that have to be unique and are repeated in each copy of a loop. */
function uniqueNames(root: Element, kind: 'odt' | 'ods' | 'odp'): void {
  const ids = new Set<string>();
  const visit = (element: Element): void => {
    const id = element.get('xml:id');
    if (id !== undefined) {
      if (ids.has(id)) {
        element.unset('xml:id');
        element.unset('text:id');
        element.unset('draw:id');
      }
      ids.add(id);
    }
    for (const child of element.elements()) visit(child);
  };
  visit(root);
  // The sheets' own code makes their names unique (calc/ods.ts).
  if (kind !== 'ods') rename(all(root, 'table:table'), 'table:name');
  rename(all(root, 'draw:page'), 'draw:name');
  rename(all(root, 'draw:frame'), 'draw:name');
  rename(all(root, 'text:section'), 'text:name');
  rename(all(root, 'text:bookmark', 'text:bookmark-start'), 'text:name');
}

function rename(elements: readonly Element[], attribute: string): void {
  const taken = new Set(elements.map((element) => element.get(attribute)));
  /** The next number by name. */
  const numbers = new Map<string, number>();
  for (const element of elements) {
    const name = element.get(attribute);
    if (name === undefined) continue;
    let number = numbers.get(name);
    if (number !== undefined) {
      while (taken.has(`${name} ${number}`)) number += 1;
      element.set(attribute, `${name} ${number}`);
      taken.add(`${name} ${number}`);
    }
    numbers.set(name, number ?? 2);
  }
}
