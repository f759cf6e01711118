import type { OfficePackage } from '../package.ts';
import { all, type Element } from '../xml/tree.ts';
import { adopted } from '../xml/adopt.ts';
import { relatedPart } from '../ooxml/related.ts';
import { requiredPart } from './parts.ts';

/** Styles of a document that is inserted into another one. */

/** Elements that refer to a style: in content, and in styles themselves. */
const IN_CONTENT = ['w:pStyle', 'w:rStyle', 'w:tblStyle'];
const IN_STYLES = ['w:basedOn', 'w:link', 'w:next'];

/**
 * Maps the styles of inserted content to styles of the same name in the target document, and copies the other
 * ones.
 *
 * @returns the copied styles, which have to be saved
 */
export function adoptStyles(
  blocks: readonly Element[],
  source: OfficePackage,
  target: OfficePackage,
): { taken: readonly Element[]; save: () => void } {
  const path = relatedPart(source, 'styles');
  if (path === undefined) return { taken: [], save: () => undefined };
  const from = source.xml(path).root;
  const own = requiredPart(target, 'styles');
  const document = target.xml(own);
  const { root } = document;
  const byId = new Map(from.elements('w:style').map((style) => [style.get('w:styleId') ?? '', style]));
  const byName = new Map(
    root.elements('w:style').map((style) => [nameOf(style), style.get('w:styleId') ?? '']),
  );
  const ids = new Set(root.elements('w:style').map((style) => style.get('w:styleId') ?? ''));
  const given = new Map<string, string>();
  const taken: Element[] = [];
  const take = (id: string): string => {
    const known = given.get(id);
    if (known !== undefined) return known;
    const style = byId.get(id);
    if (style === undefined) return id;
    const same = byName.get(nameOf(style));
    if (same !== undefined) {
      given.set(id, same);
      return same;
    }
    let free = id;
    for (let number = 2; ids.has(free); number += 1) free = `${id}${number}`;
    ids.add(free);
    given.set(id, free);
    const copy = adopted(style, root);
    copy.set('w:styleId', free);
    // Each kind of style has one default, which is the template's.
    copy.unset('w:default');
    root.append(copy);
    taken.push(copy);
    for (const reference of all(copy, ...IN_STYLES))
      reference.set('w:val', take(reference.get('w:val') ?? ''));
    return free;
  };
  for (const block of blocks)
    for (const reference of all(block, ...IN_CONTENT))
      reference.set('w:val', take(reference.get('w:val') ?? ''));
  return {
    taken,
    save: () => {
      if (taken.length > 0) target.setXml(own, document);
    },
  };
}

function nameOf(style: Element): string {
  const kind = style.get('w:type') ?? '';
  return `${kind} ${(style.first('w:name')?.get('w:val') ?? '').toLowerCase()}`;
}
