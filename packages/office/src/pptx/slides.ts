import { cloneParts, ownedParts } from '../ooxml/clone.ts';
import { mainPart } from '../ooxml/related.ts';
import { relativeTarget } from '../ooxml/relationships.ts';
import type { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import { all, type Element, remove } from '../xml/tree.ts';

/** The list of a presentation's slides. */

/** Returns the paths of the slides in order. */
export function slidePaths(file: OfficePackage): string[] {
  const presentation = mainPart(file);
  const { root } = file.xml(presentation);
  const relations = file.relationships(presentation);
  return all(root, 'p:sldId')
    .map((element) => relations.find(element.get('r:id') ?? '')?.path ?? null)
    .filter((path) => path !== null);
}

/**
 * Copies and removes slides.
 *
 * @param order the resulting slides in order, each as often as it is to occur
 * @returns for each place in `order`, the new paths of the slide's parts; the slides that were removed, with their
 *   numbers in the template
 */
export function arrangeSlides(
  file: OfficePackage,
  order: readonly string[],
): { names: ReadonlyMap<string, string>[]; removed: ReadonlyMap<string, number> } {
  const presentation = mainPart(file);
  const document = file.xml(presentation);
  const relations = file.relationships(presentation);
  const list = new SlideList(document.root);
  const before = slidePaths(file);
  const owned = new Map(before.map((slide) => [slide, ownedParts(file, slide)]));
  const idOf = (slide: string): string =>
    relations.list().find(({ type, path }) => type === 'slide' && path === slide)?.id ?? '';
  const seen = new Set<string>();
  const names: ReadonlyMap<string, string>[] = [];
  const ids: string[] = [];
  for (const slide of order) {
    const parts = owned.get(slide) ?? [slide];
    if (!seen.has(slide)) {
      seen.add(slide);
      names.push(new Map(parts.map((path) => [path, path])));
      ids.push(idOf(slide));
      continue;
    }
    const copies = cloneParts(file, parts);
    names.push(copies);
    const id = relations.add('slide', relativeTarget(presentation, copies.get(slide) ?? slide));
    list.add(id, idOf(slide));
    ids.push(id);
  }
  const removed = new Map<string, number>();
  for (const [at, slide] of before.entries()) {
    if (seen.has(slide)) continue;
    removed.set(slide, at + 1);
    const id = idOf(slide);
    list.remove(id);
    relations.delete(id);
    for (const path of owned.get(slide) ?? []) file.delete(path);
  }
  list.arrange(ids);
  file.setXml(presentation, document);
  return { names, removed };
}

/** Returns the height of the slides in EMU. */
export function slideHeight(file: OfficePackage): number {
  const [size] = all(file.xml(mainPart(file)).root, 'p:sldSz');
  return Number(size?.get('cy') ?? 6_858_000);
}

class SlideList {
  private readonly root: Element;
  private nextId: number;

  constructor(root: Element) {
    this.root = root;
    const ids = all(root, 'p:sldId').map((element) => Number(element.get('id') ?? 0));
    // ECMA-376, 19.7.13: slide ids begin at 256.
    this.nextId = Math.max(255, ...ids) + 1;
  }

  private find(relation: string): Element | undefined {
    return all(this.root, 'p:sldId').find((element) => element.get('r:id') === relation);
  }

  /** Sections (PowerPoint 2010) also list their slides. */
  private inSection(slide: Element): Element | undefined {
    return all(this.root, 'p14:sldId').find((element) => element.get('id') === slide.get('id'));
  }

  /** Returns the entries of a slide in custom shows. */
  private inShows(relation: string): Element[] {
    return all(this.root, 'p:custShow').flatMap((show) =>
      all(show, 'p:sld').filter((slide) => slide.get('r:id') === relation),
    );
  }

  /** @param model the slide it copies */
  add(relation: string, model: string): void {
    const reference = this.find(model);
    const parent = reference?.parent;
    if (!reference || !parent) return;
    const id = this.nextId++;
    parent.append(make(parent, 'p:sldId', { id, 'r:id': relation }));
    const inSection = this.inSection(reference);
    inSection?.parent?.append(make(inSection.parent, 'p14:sldId', { id }));
    for (const shown of this.inShows(model))
      shown.parent?.insertAfter(shown, make(shown.parent, 'p:sld', { 'r:id': relation }));
  }

  remove(relation: string): void {
    const element = this.find(relation);
    if (!element) return;
    const inSection = this.inSection(element);
    if (inSection) remove(inSection);
    remove(element);
    for (const shown of this.inShows(relation)) {
      const show = shown.parent?.parent;
      remove(shown);
      // A show has at least one slide (ECMA-376, 19.2.1.9).
      if (show?.tag === 'p:custShow' && all(show, 'p:sld').length === 0) remove(show);
    }
  }

  arrange(relations: readonly string[]): void {
    const elements = relations
      .map((relation) => this.find(relation))
      .filter((element) => element !== undefined);
    elements[0]?.parent?.replaceChildren(...elements);
    // Slides in a section follow the order of the presentation.
    const order = elements.map((element) => element.get('id'));
    for (const section of all(this.root, 'p14:sldIdLst')) {
      const own = section.elements('p14:sldId');
      own.sort((a, b) => order.indexOf(a.get('id')) - order.indexOf(b.get('id')));
      section.replaceChildren(...own);
    }
  }
}
