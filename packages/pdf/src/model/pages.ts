import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from './values.ts';
import { MAX_PAGES } from '../files/page-tree.ts';
import type { PdfFile } from './file.ts';
import { damaged, tooComplex } from './syntax.ts';

/** A page, with the entries inherited from the nodes of the page tree above it (ISO 32000-2, table 31). */
export interface Page {
  ref: Ref;
  inherited: PdfDict;
}

const INHERITED = ['/Resources', '/MediaBox', '/CropBox', '/Rotate'];

/** A step of the traversal: down to a node, or up from it. */
type Step = { node: PdfValue; inherited: PdfDict } | { leave: Ref };

/**
 * The pages of a document in order. Shared branches count each time.
 *
 * @throws PlatenError `pdf_damaged` for a tree that is cyclic or contains other objects, `pdf_too_complex` for too
 * many pages
 */
export function pagesOf(file: PdfFile): Page[] {
  const pages: Page[] = [];
  const above = new Set<Ref>();
  const stack: Step[] = [{ node: file.catalog['/Pages'] ?? null, inherited: {} }];
  // The number of nodes without pages is limited too.
  let nodes = 0;
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if ('leave' in step) {
      above.delete(step.leave);
      continue;
    }
    const { node: ref, inherited } = step;
    const node = file.resolve(ref);
    if (!isRef(ref) || !isDict(node)) throw damaged('its page tree has a page that is none');
    const kids = node['/Type'] === '/Page' ? null : file.resolve(node['/Kids']);
    if (++nodes > 2 * MAX_PAGES) throw tooManyPages();
    if (!Array.isArray(kids)) {
      if (node['/Type'] === '/Pages') throw damaged('its page tree has a node without pages');
      pages.push({ ref, inherited });
      if (pages.length > MAX_PAGES) throw tooManyPages();
      continue;
    }
    if (above.has(ref)) throw damaged('its page tree goes in circles');
    if (nodes + kids.length > 2 * MAX_PAGES) throw tooManyPages();
    above.add(ref);
    stack.push({ leave: ref });
    const below = inheritedBy(node, inherited);
    for (let at = kids.length - 1; at >= 0; at--) stack.push({ node: kids[at] ?? null, inherited: below });
  }
  return pages;
}

function inheritedBy(node: PdfDict, above: PdfDict): PdfDict {
  const own = INHERITED.filter((key) => node[key] !== undefined);
  if (own.length === 0) return above;
  return { ...above, ...Object.fromEntries(own.map((key) => [key, node[key] ?? null])) };
}

function tooManyPages(): Error {
  return tooComplex(`The PDF has more than ${MAX_PAGES} pages.`);
}
