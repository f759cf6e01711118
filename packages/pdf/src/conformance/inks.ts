import { createHash } from 'node:crypto';
import type { PdfFile } from '../model/index.ts';
import { isDict, isName, isRef, type PdfValue, type Ref, serialize } from '../model/values.ts';

/** Maximum depth of nested values in the definition of an ink. */
const MAX_LEVELS = 12;

/** Inks by their names: all definitions of a name must be equal (ISO 19005-2, 6.2.4.4). */
export class Inks {
  readonly #file: PdfFile;
  /** Objects that were already checked. */
  readonly #seen = new Set<PdfValue>();
  readonly #looksOfObjects = new Map<Ref, string>();
  /** The definition of each ink, by its name. */
  readonly #looks = new Map<string, string>();

  constructor(file: PdfFile) {
    this.#file = file;
  }

  /**
   * @param space an array `/Separation`
   * @returns whether the definition equals the earlier ones of the same name
   */
  isSame(space: PdfValue[]): boolean {
    if (this.#seen.has(space)) return true;
    this.#seen.add(space);
    const name = this.#file.resolve(space[1]);
    if (!isName(name)) return true;
    const look = this.#lookOf([space[2] ?? null, space[3] ?? null], 0);
    const before = this.#looks.get(name);
    if (before === undefined) this.#looks.set(name, look);
    return before === undefined || before === look;
  }

  #lookOf(value: PdfValue, level: number): string {
    if (!isRef(value)) return this.#written(value, level);
    const known = this.#looksOfObjects.get(value);
    if (known !== undefined) return known;
    this.#looksOfObjects.set(value, value);
    // A digest, because many objects can refer to the same ones.
    const look = createHash('sha256').update(this.#written(value, level)).digest('base64');
    this.#looksOfObjects.set(value, look);
    return look;
  }

  #written(value: PdfValue, level: number): string {
    const resolved = this.#file.resolve(value);
    if (level > MAX_LEVELS) return isRef(value) ? value : '';
    if (Array.isArray(resolved))
      return `[${resolved.map((entry) => this.#lookOf(entry, level + 1)).join(' ')}]`;
    if (!isDict(resolved)) return serialize(resolved);
    const entries = Object.entries(resolved).filter(([key]) => !OF_STREAMS.has(key));
    const said = entries.map(([key, entry]) => `${key} ${this.#lookOf(entry, level + 1)}`).toSorted();
    const data = isRef(value) ? this.#file.streamData(value)?.data : undefined;
    const sum = data === undefined ? '' : createHash('sha256').update(data).digest('hex');
    return `<<${said.join(' ')}>>${sum}`;
  }
}

/** The encoding of the data does not matter for the comparison. */
const OF_STREAMS = new Set(['/Length', '/Filter', '/DecodeParms']);
