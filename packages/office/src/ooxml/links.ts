import type { OfficePackage } from '../package.ts';
import { tokensOf } from '../paragraphs.ts';
import { hasTag } from '../templated.ts';
import { type Element, walk } from '../xml/tree.ts';

/**
 * A part's relationships hold the addresses of links, once for all passes of a loop. During filling, the
 * addresses are stored at the links themselves.
 */
export const LINK_TARGET = 'platen-target';

/**
 * Copies addresses that contain tags to the links that use them.
 *
 * @throws TemplateFault for an unclosed tag
 */
export function exposeLinks(root: Element, part: string, file: OfficePackage): void {
  const external = file
    .relationships(part)
    .list()
    .filter((one) => one.external);
  for (const { target } of external) tokensOf(target, { part, paragraph: 0 });
  const targets = new Map(
    external.filter(({ target }) => hasTag(target)).map(({ id, target }) => [id, target]),
  );
  if (targets.size === 0) return;
  for (const element of walk(root)) {
    const target = targets.get(element.get('r:id') ?? '');
    if (target !== undefined) element.attributes.push({ name: LINK_TARGET, tag: LINK_TARGET, value: target });
  }
}

/** Gives every filled link its own relationship. */
export function bindLinks(root: Element, part: string, file: OfficePackage): void {
  const links = file.relationships(part).list();
  // Only addresses with tags were copied to their links.
  if (!links.some(({ external, target }) => external && hasTag(target))) return;
  const used = new Set<string>();
  for (const element of walk(root)) {
    const target = element.get(LINK_TARGET);
    if (target === undefined) continue;
    element.unset(LINK_TARGET);
    used.add(element.get('r:id') ?? '');
    element.set('r:id', file.relationships(part).add('hyperlink', target.trim(), true));
  }
  for (const id of used) {
    const old = file.relationships(part).find(id);
    if (old && hasTag(old.target)) file.relationships(part).delete(id);
  }
}
