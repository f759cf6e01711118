import { append } from '../model/lists.ts';
import type { Target } from './target.ts';
import { isDict, isRef } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import type { Part } from './part.ts';

/**
 * Optional content, "layers" (ISO 32000-1, 8.11.4): the groups of all documents and their visibility. The default
 * configurations are combined; of alternate ones, which would each need a counterpart in every other document,
 * only those of the first document are kept.
 */
export class Layers {
  readonly #target: Target;
  readonly #groups: Ref[] = [];
  readonly #order: PdfValue[] = [];
  readonly #off: Ref[] = [];
  readonly #locked: Ref[] = [];
  readonly #radio: PdfValue[] = [];
  readonly #automatic: PdfValue[] = [];

  constructor(target: Target) {
    this.#target = target;
  }

  add(part: Part): void {
    const { source, importer } = part;
    const properties = source.dict(source.catalog['/OCProperties']);
    const taken = (refs: PdfValue | undefined): Ref[] =>
      source
        .array(refs)
        .filter(isRef)
        .filter((ref) => part.whole || importer.copyOf(ref) !== undefined);
    const groups = taken(properties['/OCGs']);
    if (groups.length === 0) return;
    const copies = (refs: PdfValue | undefined): Ref[] =>
      taken(refs)
        .map((ref) => importer.import(ref))
        .filter(isRef);
    const config = source.dict(properties['/D']);
    append(this.#groups, copies(groups));
    const on = new Set(source.array(config['/ON']).filter(isRef));
    const hidden = config['/BaseState'] === '/OFF' ? groups.filter((ref) => !on.has(ref)) : [];
    append(this.#off, new Set(copies([...hidden, ...source.array(config['/OFF'])])));
    append(this.#locked, copies(config['/Locked']));
    append(
      this.#radio,
      source.array(config['/RBGroups']).map((set) => copies(set)),
    );
    for (const usage of source.array(config['/AS'])) {
      const dict = source.dict(usage);
      this.#automatic.push({ ...dict, '/OCGs': copies(dict['/OCGs']) });
    }
    append(this.#order, this.#orderOf(part, config['/Order'], { level: 0, seen: new Set() }));
  }

  /**
   * The tree in which a reader shows the layers: groups, labels and arrays of these.
   *
   * @param seen arrays that are objects of their own: each is taken once
   */
  #orderOf(
    part: Part,
    order: PdfValue | undefined,
    { level, seen }: { level: number; seen: Set<Ref> },
  ): PdfValue[] {
    if (level > 32) return [];
    return part.source.array(order).flatMap((entry): PdfValue[] => {
      const value = part.source.resolve(entry);
      if (Array.isArray(value)) {
        if (isRef(entry) && seen.has(entry)) return [];
        if (isRef(entry)) seen.add(entry);
        const below = this.#orderOf(part, value, { level: level + 1, seen });
        return below.some((item) => typeof item === 'string' && isRef(item)) ||
          below.some((item) => Array.isArray(item))
          ? [below]
          : [];
      }
      if (isDict(value)) {
        const copy = part.importer.copyOf(entry);
        return copy === undefined ? [] : [copy];
      }
      return level === 0 ? [] : [value];
    });
  }

  finish(catalog: PdfDict): void {
    if (this.#groups.length === 0) return;
    catalog['/OCProperties'] = this.#target.add({
      '/OCGs': [...new Set(this.#groups)],
      '/D': {
        '/Order': this.#order,
        '/OFF': this.#off.length > 0 ? this.#off : null,
        '/Locked': this.#locked.length > 0 ? this.#locked : null,
        '/RBGroups': this.#radio.length > 0 ? this.#radio : null,
        '/AS': this.#automatic.length > 0 ? this.#automatic : null,
      },
    });
  }
}
