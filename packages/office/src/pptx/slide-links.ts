import { listed } from '@platen/core/listed';
import type { OfficePackage } from '../package.ts';
import { all, remove } from '../xml/tree.ts';

/** Links to slides, of shapes and texts (ECMA-376, 21.1.2.3.5, `ppaction://hlinksldjump`). */

const LINKS = ['a:hlinkClick', 'a:hlinkHover', 'a:hlinkMouseOver'];
/** Most slides that a warning names. */
const MAX_NAMED = 8;

/**
 * Removes links to slides that are gone.
 *
 * @param removed the numbers of these slides in the template, by path
 * @param warn called with a sentence that names them
 */
export function dropLinks(
  file: OfficePackage,
  removed: ReadonlyMap<string, number>,
  warn: (text: string) => void,
): void {
  if (removed.size === 0) return;
  const lost = new Set<number>();
  for (const part of file.paths()) {
    if (!part.endsWith('.xml') || removed.has(part)) continue;
    const relations = file.relationships(part);
    const dead = relations
      .list()
      .filter(({ type, path }) => type === 'slide' && path !== null && removed.has(path));
    if (dead.length === 0) continue;
    const document = file.xml(part);
    const ids = new Set(dead.map(({ id }) => id));
    for (const link of all(document.root, ...LINKS)) if (ids.has(link.get('r:id') ?? '')) remove(link);
    file.setXml(part, document);
    for (const { id, path } of dead) {
      relations.delete(id);
      lost.add(removed.get(path ?? '') ?? 0);
    }
  }
  const numbers = [...lost].toSorted((a, b) => a - b).map((number) => `slide ${number}`);
  if (numbers.length > 0)
    warn(`Links to slides that were removed are gone: ${listed(numbers, MAX_NAMED)} of the template.`);
}
