import { LINK_TARGET } from '../ooxml/links.ts';
import { hasTag } from '../templated.ts';
import { all, type Element, remove } from '../xml/tree.ts';
import { besideCells } from './sheet-parts.ts';

/**
 * Links of cells. Excel keeps them behind the cells of a sheet (ECMA-376, 18.3.1.47); during filling, what has tags in
 * them is stored at their cells, for the variables of loops over rows.
 */

const TEXTS = [LINK_TARGET, 'tooltip', 'display'];
const AT_CELL = 'platen-link-';

/** Moves the addresses and texts of links that contain tags to the first cell of each link. */
export function placeLinks(root: Element): void {
  const links = besideCells(root, 'x:hyperlink').filter((link) =>
    TEXTS.some((tag) => hasTag(link.get(tag) ?? '')),
  );
  if (links.length === 0) return;
  const cells = cellsOf(root);
  for (const link of links) {
    const cell = cells.get(firstCell(link));
    if (cell === undefined) continue;
    for (const tag of TEXTS) {
      const value = link.get(tag);
      if (value === undefined || !hasTag(value)) continue;
      cell.attributes.push({ name: AT_CELL + tag, tag: AT_CELL + tag, value });
      link.set(tag, '');
    }
  }
}

/** Gives links what was filled at their cells, after the links have been copied for each pass. */
export function collectLinks(root: Element): void {
  const filled = new Map<string, Map<string, string>>();
  for (const [place, cell] of cellsOf(root)) {
    for (const tag of TEXTS) {
      const value = cell.get(AT_CELL + tag);
      if (value === undefined) continue;
      cell.unset(AT_CELL + tag);
      // A row that is kept for a formula is a copy of the template, and empty.
      if (!hasTag(value)) filled.set(place, (filled.get(place) ?? new Map<string, string>()).set(tag, value));
    }
  }
  for (const link of besideCells(root, 'x:hyperlink')) {
    const texts = filled.get(firstCell(link));
    for (const tag of TEXTS) if (link.get(tag) === '') link.set(tag, texts?.get(tag) ?? '');
    if (link.get(LINK_TARGET) === '') remove(link);
  }
}

function firstCell(link: Element): string {
  return (link.get('ref') ?? '').split(':', 1)[0]?.replaceAll('$', '') ?? '';
}

function cellsOf(root: Element): Map<string, Element> {
  return new Map(all(root, 'x:c').map((cell) => [cell.get('r') ?? '', cell]));
}
