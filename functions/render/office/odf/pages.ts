import { hasTag } from '../program.ts';
import { all, type Element } from '../xml/tree.ts';

/**
 * Impress names a page after its title, tags and all. What repeats the page is taken out of the name, so that it acts
 * once; a name with other block tags, of which it may hold half, is given up.
 */
export function namePages(root: Element): void {
  for (const page of all(root, 'draw:page')) {
    const name = page.get('draw:name');
    if (name === undefined || !hasTag(name)) continue;
    const kept = name.replace(/\{%-?\s*slide\b[^]*?%\}/g, '').trim();
    if (kept === '' || /\{[%#]/.test(kept)) page.unset('draw:name');
    else page.set('draw:name', kept);
  }
}
