import type { UniqueNames } from '../model/name-tree.ts';
import { isString, type PdfDict, pdfText, textOf } from '../model/values.ts';
import { ActionNames } from './actions.ts';
import { OwnFields } from './own-fields.ts';
import type { PdfFile } from '../model/file.ts';
import type { Target } from './target.ts';

/** The name that stands for no field. */
const NOTHING = 'nothing';

/** The names of the fields of one document, and those that they have in a file with fields of other documents. */
export class FieldNames {
  readonly #source: Pick<PdfFile, 'resolve' | 'dict' | 'array'>;
  readonly #unique: UniqueNames;
  /** Full names of all fields. */
  readonly #names = new Set<string>();
  /** Full names of the fields without others below them. */
  readonly #leaves: string[] = [];
  /** New names of all top-level fields. */
  readonly #top: string[] = [];
  /** New names of the top-level fields, and of names that stand for none, by their old ones. */
  readonly #renamed = new Map<string, string>();

  /** @param unique top-level names of all fields of the combined file */
  constructor(source: Pick<PdfFile, 'resolve' | 'dict' | 'array'>, unique: UniqueNames) {
    this.#source = source;
    this.#unique = unique;
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

  /** Gives a top-level field a unique name, which may be its old one, and returns it. */
  rename(name: string): string {
    const unique = this.#unique.take(name);
    this.#top.push(textOf(unique));
    this.#renamed.set(textOf(name), textOf(unique));
    return unique;
  }

  /** Returns what gives the actions of this document the new names, when all fields are added. */
  actions(target: Target): ActionNames {
    const leaves = this.#leaves.map((leaf) => this.#newName(leaf, true) ?? leaf);
    const own = new OwnFields(this.#top, leaves, () => this.#nameOf(NOTHING));
    return new ActionNames(target, (name, isField) => this.#newName(name, isField), own);
  }

  /** The new full name of a field; undefined for a name that stays, and a text that is not the name of a field. */
  #newName(name: string, isField: boolean): string | undefined {
    if (!isField && !this.#names.has(name)) return undefined;
    const [top = ''] = name.split('.', 1);
    const other = this.#nameOf(top);
    return other === top ? undefined : `${other}${name.slice(top.length)}`;
  }

  /** The new name of a top-level field, and for other names one that no field of another document has either. */
  #nameOf(top: string): string {
    const known = this.#renamed.get(top);
    if (known !== undefined) return known;
    const unique = textOf(this.#unique.take(pdfText(top)));
    this.#renamed.set(top, unique);
    return unique;
  }
}
