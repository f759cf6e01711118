import { UniqueNames } from '../model/name-tree.ts';
import { DefaultResources, renamedAppearance } from './default-resources.ts';
import { FieldNames } from './field-names.ts';
import type { Target } from './target.ts';
import { isDict, isRef, isString } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import type { Part } from './part.ts';

export interface FormOptions {
  /** Only this code combines the default resources of forms. */
  ownForm?: boolean | undefined;
}

/** The form of one document. */
interface SourceForm {
  form: PdfDict;
  /** Attributes that its fields inherit from it. */
  inherited: PdfDict;
  /** New names of fonts that its fields use. */
  renamed: ReadonlyMap<string, string>;
}

/** The fields of one document, or of a further copy of its pages. */
interface Group {
  names: FieldNames;
  /** Objects of the target that may have actions, with their names for people. */
  owners: Map<Ref, string>;
}

/** Attributes that fields inherit from the form (ISO 32000-2, table 224). */
const INHERITED = ['/DA', '/Q'];

/** Deeper field trees are truncated. */
const MAX_LEVELS = 64;

/**
 * Form fields (ISO 32000-1, 12.7). qpdf copies the widgets of a page together with their fields, page by page: a
 * field with widgets on several pages is split, and brings the widgets of unselected pages with it. So the field
 * trees are restored from the sources, with the copies that qpdf made.
 */
export class Forms {
  readonly #target: Target;
  readonly #names = new UniqueNames();
  readonly #fields: Ref[] = [];
  readonly #calculated: Ref[] = [];
  readonly #groups: Group[] = [];
  /** The fields of the last document. */
  #current: Group | undefined;
  /** The fields of the first document, whose catalog the target has. */
  #first: Group | undefined;
  #isFirst = true;
  #defaults: PdfDict = {};

  readonly #resources: DefaultResources | undefined;

  constructor(target: Target, { ownForm = false }: FormOptions = {}) {
    this.#target = target;
    this.#resources = ownForm ? new DefaultResources(target) : undefined;
  }

  get any(): boolean {
    return this.#fields.length > 0;
  }

  add(part: Part): void {
    const form = part.source.dict(part.source.catalog['/AcroForm']);
    const renamed = this.#resources?.add(part, part.source.dict(form['/DR'])) ?? new Map<string, string>();
    const inherited: PdfDict = { '/DA': renamedAppearance(form['/DA'], renamed), '/Q': form['/Q'] ?? null };
    for (const key of INHERITED) this.#defaults[key] ??= inherited[key] ?? null;
    if (form['/NeedAppearances'] === true) this.#defaults['/NeedAppearances'] = true;
    this.#current = undefined;
    for (const pages of occurrences(part.pages)) this.#addPages(part, { form, inherited, renamed }, pages);
    if (this.#isFirst) this.#first = this.#current;
    this.#isFirst = false;
  }

  /** Adds further objects with actions of the last document, with their names for people. */
  addOwners(owners: ReadonlyMap<Ref, string>): void {
    for (const [ref, name] of owners) this.#current?.owners.set(ref, name);
  }

  #addPages(part: Part, { form, inherited, renamed }: SourceForm, pages: Part['pages']): void {
    const copies = this.#copiesOf(part, pages);
    const first = pages === part.pages || pages.every(([page, copy]) => part.importer.copyOf(page) === copy);
    if (first) for (const [field, copy] of copies) part.importer.bind(field, copy);
    const seen = new Set<Ref>();
    const group: Group = {
      names: new FieldNames(part.source, this.#names),
      owners: ownersOf(
        this.#target,
        pages.map(([, copy]) => copy),
      ),
    };
    const visit = (field: PdfValue, parent: Ref | null, level: number, above = ''): Ref | undefined => {
      if (!isRef(field) || seen.has(field) || level > MAX_LEVELS) return undefined;
      seen.add(field);
      let copy = copies.get(field);
      if (copy === undefined) {
        // None of its widgets is on a selected page.
        if (!part.whole || !first) return undefined;
        const imported = part.importer.import(field);
        if (!isRef(imported)) return undefined;
        copy = imported;
      }
      const self = copy;
      const given = part.source.dict(field);
      const kids = part.source.array(given['/Kids']);
      const full = group.names.add(given, above);
      group.owners.set(self, `field ${full}`);
      const below = kids.map((kid) => visit(kid, self, level + 1, full)).filter((kid) => kid !== undefined);
      const dict = this.#target.edit(self);
      dict['/Parent'] = parent;
      if (isString(dict['/DA'])) dict['/DA'] = renamedAppearance(dict['/DA'], renamed);
      if (parent === null) this.#keepInherited(dict, inherited);
      if (kids.length > 0) dict['/Kids'] = below;
      if (parent === null && isString(dict['/T'])) {
        const name = isString(given['/T']) ? given['/T'] : dict['/T'];
        dict['/T'] = group.names.rename(name);
      }
      return self;
    };
    const tops = [
      ...part.source.array(form['/Fields']),
      ...[...copies.keys()].filter((ref) => !hasParent(part, ref)),
    ];
    for (const field of tops) {
      const copy = visit(field, null, 0);
      if (copy !== undefined) this.#fields.push(copy);
    }
    this.#groups.push(group);
    this.#current ??= group;
    for (const field of part.source.array(form['/CO'])) {
      const copy = isRef(field) ? copies.get(field) : undefined;
      if (copy !== undefined) this.#calculated.push(copy);
    }
  }

  /** The attributes that a field inherits from its own form, if the combined form has other values. */
  #keepInherited(field: PdfDict, inherited: PdfDict): void {
    for (const key of INHERITED) {
      const value = inherited[key] ?? null;
      if (value !== null && field[key] === undefined && value !== this.#defaults[key]) field[key] = value;
    }
  }

  /** Every widget on the pages, and every field above one, with its first copy. */
  #copiesOf(part: Part, pages: Part['pages']): Map<Ref, Ref> {
    const copies = new Map<Ref, Ref>();
    for (const [page, copy] of pages) {
      const from = part.source.array(part.source.dict(page)['/Annots']);
      const target = this.#target.get(copy);
      const to = this.#target.resolve(isDict(target) ? target['/Annots'] : null);
      if (!Array.isArray(to) || to.length !== from.length) continue;
      from.forEach((annotation, index) => {
        let source: PdfValue | undefined = annotation;
        let result: PdfValue | undefined = to[index];
        if (part.source.dict(source)['/Subtype'] !== '/Widget') return;
        for (let level = 0; isRef(source) && isRef(result) && level < MAX_LEVELS; level++) {
          if (!copies.has(source)) copies.set(source, result);
          source = part.source.dict(source)['/Parent'];
          const dict = this.#target.get(result);
          result = isDict(dict) ? dict['/Parent'] : undefined;
        }
      });
    }
    return copies;
  }

  /**
   * Renames fields in the actions that name them.
   *
   * @param document dictionaries with actions of the first document, to be changed in place, by their names for people
   * @returns the fields, pages and others whose actions may reach fields in a way that is not changed
   */
  renameInActions(document: ReadonlyMap<string, PdfDict>): string[] {
    const unsure: string[] = [];
    const withFields = this.#groups.filter(({ names }) => names.any);
    for (const group of this.#groups) {
      // Without fields of other documents, actions reach their own or none.
      if (withFields.every((other) => other === group)) continue;
      const actions = group.names.actions(this.#target);
      for (const [ref, owner] of group.owners) if (!actions.rename(ref)) unsure.push(owner);
      if (group !== this.#first) continue;
      for (const [owner, dict] of document) {
        const { changes, isSure } = actions.changes(dict);
        Object.assign(dict, changes);
        if (!isSure) unsure.push(owner);
      }
    }
    return unsure;
  }

  finish(catalog: PdfDict): void {
    if (this.#fields.length === 0) {
      delete catalog['/AcroForm'];
      return;
    }
    const form = this.#target.resolve(catalog['/AcroForm']);
    catalog['/AcroForm'] = this.#target.add({
      ...this.#defaults,
      '/DR': this.#resources?.all() ?? null,
      ...(isDict(form) ? form : {}),
      '/Fields': this.#fields,
      '/CO': this.#calculated.length > 0 ? this.#calculated : null,
      // A form in XML describes one document's pages; a reader would show it instead of them.
      '/XFA': null,
    });
  }
}

/** Annotations and pages, which may have actions, with their names for people. */
export function ownersOf(target: Target, pages: readonly Ref[]): Map<Ref, string> {
  const owners = new Map<Ref, string>();
  for (const [index, ref] of pages.entries()) {
    const page = target.resolve(ref);
    const annotations = isDict(page) ? target.resolve(page['/Annots']) : null;
    const owner = `page ${index + 1} of its document`;
    owners.set(ref, owner);
    for (const one of Array.isArray(annotations) ? annotations : []) if (isRef(one)) owners.set(one, owner);
  }
  return owners;
}

function hasParent(part: Part, field: Ref): boolean {
  return isRef(part.source.dict(field)['/Parent']);
}

/** The pages by occurrence (first, second and so on), because each copy needs its own fields. */
function occurrences(pages: Part['pages']): Part['pages'][] {
  const count = new Map<Ref, number>();
  const groups: (readonly [Ref, Ref])[][] = [];
  for (const pair of pages) {
    const times = count.get(pair[0]) ?? 0;
    count.set(pair[0], times + 1);
    (groups[times] ??= []).push(pair);
  }
  return groups;
}
