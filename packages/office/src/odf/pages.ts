import { hasTag } from '../program.ts';
import { all, type Element } from '../xml/tree.ts';

/** Characters of a name that is looked at; a longer one with tags is given up. */
const MAX_NAME = 1_000;

/**
 * Impress names a page after its title, tags and all. What repeats the page is taken out of the name, so that it acts
 * once; a name with other block tags, of which it may hold half, is given up.
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
