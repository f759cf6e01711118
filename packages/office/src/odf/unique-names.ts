import type { Decoded } from '../decode.ts';
import { NamedCopies, passesOf } from '../passes.ts';
import { percentDecoded } from '../percent.ts';
import { all, type Element, replace } from '../xml/tree.ts';

/** Renews names and ids of OpenDocument that have to be unique and are repeated in each pass of a loop. */

/** Elements that have a name, and those that refer to them by it (ODF 1.3 part 3, 7.7). */
interface Kind {
  /** Tags of the elements with a name. */
  named: readonly string[];
  attribute: string;
  /** Tag of the elements that end what another one begins, with the same name. */
  end?: string;
  /** Tag of the elements that refer to the name, in `text:ref-name`. */
  references?: string;
}

const KINDS: readonly Kind[] = [
  { named: ['table:table'], attribute: 'table:name' },
  { named: ['draw:page'], attribute: 'draw:name' },
  { named: ['draw:frame'], attribute: 'draw:name' },
  { named: ['text:section'], attribute: 'text:name' },
  {
    named: ['text:bookmark', 'text:bookmark-start'],
    attribute: 'text:name',
    end: 'text:bookmark-end',
    references: 'text:bookmark-ref',
  },
  {
    named: ['text:reference-mark', 'text:reference-mark-start'],
    attribute: 'text:name',
    end: 'text:reference-mark-end',
    references: 'text:reference-ref',
  },
  { named: ['office:annotation'], attribute: 'office:name', end: 'office:annotation-end' },
  { named: ['text:note'], attribute: 'text:id', references: 'text:note-ref' },
  { named: ['text:sequence'], attribute: 'text:ref-name', references: 'text:sequence-ref' },
];
/** The first tag of the elements that are treated alike, by each of their tags. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ...KINDS.flatMap(({ named, end, references }) => [
    ...named.map((tag): [string, string] => [tag, named[0] ?? tag]),
    ...[end ?? [], references ?? []].flat().map((tag): [string, string] => [tag, tag]),
  ]),
  ['text:a', 'text:a'],
  ['draw:a', 'text:a'],
]);
/** Objects other than bookmarks to which an address can lead: `#Table1|table`. */
const TARGETS: Readonly<Record<string, string>> = {
  table: 'table:table',
  frame: 'draw:frame',
  graphic: 'draw:frame',
  ole: 'draw:frame',
  region: 'text:section',
};

/**
 * @param scopes the passes of the loops in which elements were copied
 * @returns the names of targets that were removed, to which references led; these are replaced by their saved texts
 */
export function uniqueNames(
  root: Element,
  kind: 'odt' | 'ods' | 'odp',
  scopes: Decoded['scopes'],
): Set<string> {
  const found = groupsIn(root);
  const template = new Names(root.source === null ? [] : [root.source]);
  const lost = new Set<string>();
  const targets = new Map<string, ReadonlyMap<string, NamedCopies>>();
  for (const one of KINDS) {
    // The sheets' own code makes their names unique (calc/ods.ts).
    if (kind === 'ods' && one.attribute === 'table:name') continue;
    const copies = rename(found, one, scopes);
    for (const tag of one.named) targets.set(tag, copies);
    for (const reference of one.references === undefined ? [] : (found.get(one.references) ?? [])) {
      const name = reference.get('text:ref-name') ?? '';
      const other = copies.get(name)?.nameFor(passesOf(reference, scopes));
      if (other !== undefined) reference.set('text:ref-name', other);
      else if (template.has(one, name)) {
        lost.add(name);
        replace(reference, ...reference.children);
      }
    }
  }
  for (const link of found.get('text:a') ?? []) {
    const [, name = '', object] = /^#([^|]*)(?:\|(.*))?$/.exec(link.get('xlink:href') ?? '') ?? [];
    const target = object === undefined ? 'text:bookmark' : (TARGETS[object] ?? '');
    const other = targets.get(target)?.get(percentDecoded(name))?.nameFor(passesOf(link, scopes));
    const named = KINDS.find((one) => one.named[0] === target);
    if (other === undefined && named && template.has(named, percentDecoded(name)))
      lost.add(percentDecoded(name));
    if (other === undefined || other === percentDecoded(name)) continue;
    link.set('xlink:href', `#${encodeURI(other)}${object === undefined ? '' : `|${object}`}`);
  }
  return lost;
}

/**
 * Replaces references without a target by their saved texts.
 *
 * @param others the roots of other parts with targets
 * @returns the names of the targets
 */
export function freeReferences(root: Element, others: readonly Element[]): Set<string> {
  const names = new Names([root, ...others]);
  const lost = new Set<string>();
  for (const kind of KINDS) {
    for (const reference of kind.references === undefined ? [] : all(root, kind.references)) {
      const name = reference.get('text:ref-name') ?? '';
      if (names.has(kind, name)) continue;
      lost.add(name);
      replace(reference, ...reference.children);
    }
  }
  return lost;
}

/** The names in a document, by the kinds of what they name. */
class Names {
  readonly #roots: readonly Element[];
  readonly #names = new Map<Kind, ReadonlySet<string | undefined>>();

  constructor(roots: readonly Element[]) {
    this.#roots = roots;
  }

  has(kind: Kind, name: string): boolean {
    let names = this.#names.get(kind);
    if (names === undefined) {
      const named = this.#roots.flatMap((root) => all(root, ...kind.named));
      this.#names.set(kind, (names = new Set(named.map((element) => element.get(kind.attribute)))));
    }
    return names.has(name);
  }
}

/** Returns the elements of each group in order, and removes ids that are repeated. */
function groupsIn(root: Element): ReadonlyMap<string, readonly Element[]> {
  const ids = new Set<string>();
  const found = new Map<string, Element[]>();
  const visit = (element: Element): void => {
    const id = element.get('xml:id');
    if (id !== undefined) {
      if (ids.has(id)) {
        element.unset('xml:id');
        element.unset('text:id');
        element.unset('draw:id');
      }
      ids.add(id);
    }
    const group = GROUPS.get(element.tag);
    if (group !== undefined) {
      const known = found.get(group);
      if (known === undefined) found.set(group, [element]);
      else known.push(element);
    }
    for (const child of element.elements()) visit(child);
  };
  visit(root);
  return found;
}

/** Numbers repeated names. @returns the copies of each name that is repeated or stands in a loop */
function rename(
  found: ReadonlyMap<string, readonly Element[]>,
  { named, attribute, end }: Kind,
  scopes: Decoded['scopes'],
): ReadonlyMap<string, NamedCopies> {
  const elements = found.get(named[0] ?? '') ?? [];
  const taken = new Set(elements.map((element) => element.get(attribute)));
  /** The next number by name. */
  const numbers = new Map<string, number>();
  const copies = new Map<string, NamedCopies>();
  /** The copies of each name that have an end. */
  const begun = new Map<string, Element[]>();
  for (const element of elements) {
    const name = element.get(attribute);
    if (name === undefined) continue;
    let number = numbers.get(name);
    if (number !== undefined) {
      while (taken.has(`${name} ${number}`)) number += 1;
      element.set(attribute, `${name} ${number}`);
      taken.add(`${name} ${number}`);
    }
    numbers.set(name, number ?? 2);
    const same = copies.get(name) ?? new NamedCopies();
    copies.set(name, same);
    same.add(element.get(attribute) ?? '', passesOf(element, scopes));
    if (!element.tag.endsWith('-start') && element.tag !== 'office:annotation') continue;
    const known = begun.get(name);
    if (known === undefined) begun.set(name, [element]);
    else known.push(element);
  }
  const ended = new Map<string, number>();
  for (const element of end === undefined ? [] : (found.get(end) ?? [])) {
    const name = element.get(attribute) ?? '';
    const count = ended.get(name) ?? 0;
    ended.set(name, count + 1);
    element.set(attribute, begun.get(name)?.[count]?.get(attribute) ?? name);
  }
  return copies;
}
