import type { OfficePackage } from '../package.ts';
import { all, remove } from '../xml/tree.ts';

/** Links to slides, of shapes and texts (ECMA-376, 21.1.2.3.5, `ppaction://hlinksldjump`). */

const LINKS = ['a:hlinkClick', 'a:hlinkHover', 'a:hlinkMouseOver'];
/** Most slides that a warning names. */
export const MAX_NAMED = 8;

/**
 * Removes links to slides that are gone.
 *
 * @param isGone whether the slide with this path is gone
 * @returns the paths of the slides that links led to
 */
export function dropLinks(file: OfficePackage, isGone: (path: string) => boolean): Set<string> {
  const lost = new Set<string>();
  for (const part of file.partsWithRelationships()) {
    const relations = file.relationships(part);
    const dead = new Map<string, string>();
    for (const { id, type, path } of relations.list())
      if (type === 'slide' && path !== null && isGone(path)) dead.set(id, path);
    if (dead.size === 0) continue;
    const document = file.xml(part);
    for (const link of all(document.root, ...LINKS)) {
      const path = dead.get(link.get('r:id') ?? '');
      if (path === undefined) continue;
      remove(link);
      lost.add(path);
    }
    file.setXml(part, document);
    for (const id of dead.keys()) relations.delete(id);
  }
  return lost;
}
