import { hasTag } from '../templated.ts';
import { all, type Element } from '../xml/tree.ts';

/** Maximum characters of a page name that is examined; a longer one with tags is dropped. */
const MAX_NAME = 1_000;

/**
 * Cleans page names: Impress names a page after its title, including tags. The tag that repeats the page is
 * removed from the name, so that it acts only once; a name with other block tags, which may be incomplete, is
 * dropped.
 */
export function namePages(root: Element): void {
  for (const page of all(root, 'draw:page')) {
    const name = page.get('draw:name');
    if (name === undefined || !hasTag(name)) continue;
    // bounded: MAX_NAME, at most 1,000 characters
    const kept = name.length > MAX_NAME ? '' : name.replace(/\{%-?\s*slide\b[^]*?%\}/g, '').trim();
    if (kept === '' || /\{[%#]/.test(kept)) page.unset('draw:name');
    else page.set('draw:name', kept);
  }
}
