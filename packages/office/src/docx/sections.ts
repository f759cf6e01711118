import { all, copyElement, type Element } from '../xml/tree.ts';

/** Sections of Word, which have the headers and footers of the one before if they have none (ECMA-376, 17.10.1). */

type Furniture = ReadonlyMap<string, Element>;

/** Gives the sections after a removed one the headers and footers that they had by it in the template. */
export function keepFurniture(root: Element): void {
  if (root.source === null) return;
  const before = new Map<Element, Furniture>();
  let shown: Furniture = new Map();
  for (const section of all(root.source, 'w:sectPr'))
    before.set(section, (shown = furnitureOf(section, shown)));
  if (before.size < 2) return;
  const sections = all(root, 'w:sectPr');
  const kept = new Set(sections.map(({ source }) => source));
  if ([...before.keys()].every((section) => kept.has(section))) return;
  shown = new Map();
  for (const section of sections) {
    const own = furnitureOf(section, shown);
    for (const [type, reference] of (section.source && before.get(section.source)) ?? []) {
      if (own.get(type)?.get('r:id') === reference.get('r:id')) continue;
      section.insertBefore(section.children[0] ?? null, copyElement(reference));
    }
    shown = furnitureOf(section, shown);
  }
}

/** Returns the headers and footers of a section by their types. @param inherited those of the section before */
function furnitureOf(section: Element, inherited: Furniture): Furniture {
  const own = section
    .elements()
    .filter(({ tag }) => tag === 'w:headerReference' || tag === 'w:footerReference')
    .map((reference) => [`${reference.tag} ${reference.get('w:type') ?? 'default'}`, reference] as const);
  return new Map([...inherited, ...own]);
}
