import { isString, type PdfDict, type PdfValue, textOf } from '../values.ts';
import { ActionNames } from './actions.ts';
import { OwnFields } from './own-fields.ts';
import type { SourceObjects, Target } from './target.ts';

/** The names of the fields of one document, and those that they have in a file with fields of other documents. */
export class FieldNames {
  readonly #source: Pick<SourceObjects, 'resolve' | 'dict' | 'array'>;
  /** Full names of all fields. */
  readonly #names = new Set<string>();
  /** Full names of the fields without others below them. */
  readonly #leaves: string[] = [];
  /** New names of all top-level fields. */
  readonly #top: string[] = [];
  /** New names of the top-level fields that have another one. */
  readonly #renamed = new Map<string, string>();

  constructor(source: Pick<SourceObjects, 'resolve' | 'dict' | 'array'>) {
    this.#source = source;
  }

  get any(): boolean {
    return this.#names.size > 0;
  }

  /**
   * Adds a field.
   *
   * @param above the full name of the field above it; empty for a top-level field
   * @returns its full name (ISO 32000-1, 12.7.3.2)
   */
  add(field: PdfDict, above: string): string {
    const own = this.#source.resolve(field['/T']);
    const full = [above, isString(own) ? textOf(own) : ''].filter((name) => name !== '').join('.');
    this.#names.add(full);
    const hasFields = this.#source
      .array(field['/Kids'])
      .some((kid) => isString(this.#source.resolve(this.#source.dict(kid)['/T'])));
    if (isString(own) && !hasFields) this.#leaves.push(full);
    return full;
  }

  /** Adds the new name of a top-level field, which may be its old one. */
  rename(name: PdfValue, unique: PdfValue): void {
    this.#top.push(textOf(unique));
    if (unique !== name) this.#renamed.set(textOf(name), textOf(unique));
  }

  /** Returns what gives the actions of this document the new names, when all fields are added. */
  actions(target: Target): ActionNames {
    const leaves = this.#leaves.map((leaf) => this.#newName(leaf) ?? leaf);
    return new ActionNames(target, (name) => this.#newName(name), new OwnFields(this.#top, leaves));
  }

  /** The new full name of a field; undefined for a text that is not the name of a renamed field. */
  #newName(name: string): string | undefined {
    const [top = ''] = name.split('.', 1);
    const other = this.#names.has(name) ? this.#renamed.get(top) : undefined;
    return other === undefined ? undefined : `${other}${name.slice(top.length)}`;
  }
}
