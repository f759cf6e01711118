import type { Decoded } from '../decode.ts';
import { NamedCopies, passesOf } from '../passes.ts';
import { type Element, remove } from '../xml/tree.ts';
import { bookmarkIn, fieldsIn, instructionOf, setInstruction } from './fields.ts';
import { keyOf, type RemovedBookmarks } from './lost-references.ts';
import { followIds, nextNumber, renewIds } from './ids.ts';

/** Renews ids that have to be unique in a part of a Word document and are repeated in each pass of a loop. */

/** Elements with such ids, and those that refer to bookmarks. */
export const NUMBERED = [
  'wp:docPr',
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:p',
  'w:tr',
  'w:sdtPr',
  'w:hyperlink',
  'w:pict',
  'w:object',
] as const;
type Found = Record<(typeof NUMBERED)[number], readonly Element[]>;

/** Maximum characters of a bookmark's name in Word. */
const MAX_NAME = 40;

/**
 * @param scopes the passes of the loops in which elements were copied
 * @param removed receives the names of references whose bookmark is not in their pass
 */
export function uniqueIds(
  root: Element,
  found: Found,
  scopes: Decoded['scopes'],
  removed: RemovedBookmarks,
): void {
  renumber(found['wp:docPr'], 'id');
  uniqueBookmarks(root, found, scopes, removed);
  dropRepeated([...found['w:p'], ...found['w:tr']], 'w14:paraId');
  const controls = new Set<string>();
  for (const properties of found['w:sdtPr']) {
    const id = properties.first('w:id');
    const value = id?.get('w:val') ?? '';
    if (id && controls.has(value)) remove(id);
    controls.add(value);
  }
  uniqueShapes([...found['w:pict'], ...found['w:object']]);
}

function uniqueBookmarks(
  root: Element,
  found: Found,
  scopes: Decoded['scopes'],
  removed: RemovedBookmarks,
): void {
  const starts = found['w:bookmarkStart'];
  if (starts.length === 0) return;
  const taken = new Set(starts.map((start) => keyOf(start.get('w:name') ?? '')));
  const copies = new Map<string, NamedCopies>();
  let isRepeated = false;
  followIds(found['w:bookmarkEnd'], renewIds(starts, nextNumber(starts, 'w:id')));
  /** The next number to try for each name. */
  const numbers = new Map<string, number>();
  const freeName = (name: string): string => {
    for (let number = numbers.get(name) ?? 2; ; number += 1) {
      const free = `${name.slice(0, MAX_NAME - 1 - String(number).length)}_${number}`;
      if (taken.has(keyOf(free))) continue;
      taken.add(keyOf(free));
      numbers.set(name, number + 1);
      return free;
    }
  };
  for (const start of starts) {
    const name = start.get('w:name') ?? '';
    const passes = passesOf(start, scopes);
    isRepeated ||= passes.length > 0;
    let same = copies.get(keyOf(name));
    if (same === undefined) copies.set(keyOf(name), (same = new NamedCopies()));
    else start.set('w:name', freeName(name));
    same.add(start.get('w:name') ?? '', passes);
  }
  if (!isRepeated) return;
  /** The new name of a reference; a name that leads nowhere if a condition has removed the bookmark from its pass. */
  const renamed = (name: string, near: Element): string => {
    const same = copies.get(keyOf(name));
    if (same === undefined) return name;
    const own = same.nameFor(passesOf(near, scopes));
    if (own !== undefined) return own;
    const free = freeName(name);
    removed.add(free, name);
    return free;
  };
  renameReferences(root, found, renamed);
}

function renameReferences(
  root: Element,
  found: Found,
  renamed: (name: string, near: Element) => string,
): void {
  for (const link of found['w:hyperlink']) {
    const name = link.get('w:anchor');
    if (name !== undefined) link.set('w:anchor', renamed(name, link));
  }
  for (const field of fieldsIn(root)) {
    const code = instructionOf(field);
    const name = bookmarkIn(code);
    if (name === null) continue;
    const other = renamed(name, field.begin);
    if (other !== name)
      setInstruction(
        field,
        code.replace(name, () => other),
      );
  }
}

/** Renews the ids of shapes in VML, and the references of objects and controls beside them. */
function uniqueShapes(drawings: readonly Element[]): void {
  const taken = new Set<string>();
  for (const drawing of drawings) for (const shape of shapesIn(drawing)) taken.add(shape.get('id') ?? '');
  const seen = new Set<string>();
  let next = 1;
  for (const drawing of drawings) {
    const renamed = new Map<string, string>();
    for (const shape of shapesIn(drawing)) {
      const id = shape.get('id') ?? '';
      if (id === '') continue;
      if (seen.has(id)) {
        while (taken.has(`_x0000_s${1025 + next}`)) next += 1;
        const free = `_x0000_s${1025 + next}`;
        taken.add(free);
        renamed.set(id, free);
        shape.set('id', free);
        if (shape.get('o:spid') !== undefined) shape.set('o:spid', free);
      }
      seen.add(shape.get('id') ?? '');
    }
    if (renamed.size === 0) continue;
    for (const child of drawing.elements()) {
      for (const attribute of child.attributes)
        if (/^(?:ShapeID|w:shapeid)$/.test(attribute.tag))
          attribute.value = renamed.get(attribute.value) ?? attribute.value;
    }
  }
}

/** Returns the shapes of a drawing, with those in groups; text boxes contain drawings of their own. */
function shapesIn(element: Element): Element[] {
  return element
    .elements()
    .flatMap((child) =>
      child.tag === 'v:shapetype' || child.tag === 'v:textbox'
        ? []
        : child.tag.startsWith('v:')
          ? [child, ...shapesIn(child)]
          : [],
    );
}

/** Gives elements with a duplicate number the next free one. */
function renumber(elements: readonly Element[], attribute: string): void {
  const taken = new Set<string>();
  let next = nextNumber(elements, attribute);
  for (const element of elements) {
    const id = element.get(attribute) ?? '';
    if (taken.has(id) || id === '') {
      element.set(attribute, String(next));
      taken.add(String(next));
      next += 1;
    } else taken.add(id);
  }
}

function dropRepeated(elements: readonly Element[], attribute: string): void {
  const seen = new Set<string>();
  for (const element of elements) {
    const id = element.get(attribute);
    if (id === undefined) continue;
    if (seen.has(id)) element.unset(attribute);
    seen.add(id);
  }
}
