import { claimList, claimMemory, claimString, spend, step } from '../budget.ts';
import { raise } from '../errors.ts';
import { compareItems, equal, equalItems, hashKey } from './compare.ts';
import { repr, reprNested, reprSequence } from './repr.ts';
import type { Next, Value } from './types.ts';
import { Markup, Obj } from './types.ts';

/** Returns an iterator over an array; it sees elements added meanwhile, as in Python. */
export function nextOf(items: readonly Value[]): Next {
  let i = 0;
  return () => (i < items.length ? items[i++] : undefined);
}

/** A Python `tuple`, with names for its elements in a named tuple. */
export class Tuple extends Obj {
  readonly items: Value[];
  readonly names: readonly string[];

  constructor(items: Value[], names: readonly string[] = []) {
    super();
    this.items = items;
    this.names = names;
  }

  override get typeName(): string {
    return this.names.length > 0 ? '_GroupTuple' : 'tuple';
  }

  override get module(): string {
    return this.names.length > 0 ? 'jinja2.filters' : 'builtins';
  }

  override repr(): string {
    return reprSequence(this, this.items, '(', this.items.length === 1 ? ',)' : ')');
  }

  override length(): number {
    return this.items.length;
  }

  override iterate(): Next {
    return nextOf(this.items);
  }

  override get reversible(): boolean {
    return true;
  }

  override get subscriptable(): boolean {
    return true;
  }

  override attribute(name: string): Value | undefined {
    const index = this.names.indexOf(name);
    return index === -1 ? undefined : this.items[index];
  }

  override item(key: Value): Value | undefined {
    return elementAt(this.items, key);
  }

  override equals(other: Value): boolean {
    return other instanceof Tuple && equalItems(this.items, other.items);
  }

  override compare(other: Value, operator: string): number | undefined {
    return other instanceof Tuple ? compareItems(operator, this.items, other.items) : undefined;
  }

  override hashKey(): unknown {
    spend(this.items.length);
    // Other elements are distinguished by identity, through a number for each object.
    const text = `\0t${this.items.map((item) => keyText(hashKey(item))).join('')}`;
    if (text.length > 63) claimString(text.length);
    return text;
  }
}

const objectNumbers = new WeakMap<object, number>();
let lastObjectNumber = 0;

function keyText(key: unknown): string {
  if (typeof key === 'object' && key !== null) {
    const known = objectNumbers.get(key) ?? ++lastObjectNumber;
    objectNumbers.set(key, known);
    return `o${known};`;
  }
  const text = String(key);
  return `${typeof key === 'string' ? 's' : 'n'}${text.length}:${text}`;
}

/** The element at a Python index (negative counts from the end), or undefined. */
export function elementAt(items: readonly Value[], key: Value): Value | undefined {
  const index = typeof key === 'boolean' ? Number(key) : key;
  if (typeof index !== 'number') return undefined;
  return items[index < 0 ? index + items.length : index];
}

/** Approximate bytes of an empty dict. */
const DICT_BYTES = 100;

/** A Python `dict`: insertion order, keys by value (`1`, `1.0` and `True` are one key). */
export class Dict extends Obj {
  readonly #values = new Map<unknown, Value>();
  /** Keys that are not their own hash key: floats, booleans, markup, tuples. */
  #originals: Map<unknown, Value> | undefined;
  /**
   * Hash keys in the order of insertion, from the first `popLast` on. Removed keys stay in it; a key is at its
   * last place.
   */
  #order: unknown[] | undefined;

  constructor() {
    super();
    claimMemory(DICT_BYTES);
  }

  static from(entries: Iterable<readonly [Value, Value]>): Dict {
    const dict = new Dict();
    for (const [key, value] of entries) dict.set(key, value);
    return dict;
  }

  override get typeName(): string {
    return 'dict';
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: Value): Value | undefined {
    return this.#values.get(hashKey(key));
  }

  /** `get` for a key that is known not to begin with NUL: a name from a template. */
  getName(name: string): Value | undefined {
    return this.#values.get(name);
  }

  has(key: Value): boolean {
    return this.#values.has(hashKey(key));
  }

  set(key: Value, value: Value): void {
    this.load(key, value);
    step();
    if (this.#values.size > 8) claimGrowth(this.#values.size);
  }

  /** `set` for input data, which does not count against the template's memory. */
  load(key: Value, value: Value): void {
    const hashed = hashKey(key);
    if (hashed !== key && !this.#values.has(hashed)) (this.#originals ??= new Map()).set(hashed, key);
    if (this.#order !== undefined && !this.#values.has(hashed)) this.#order.push(hashed);
    this.#values.set(hashed, value);
  }

  delete(key: Value): boolean {
    const hashed = hashKey(key);
    this.#originals?.delete(hashed);
    return this.#values.delete(hashed);
  }

  /** Removes the last entry and returns it; undefined when there is none. */
  popLast(): [Value, Value] | undefined {
    if (this.#order === undefined) {
      spend(this.#values.size >>> 2);
      this.#order = [...this.#values.keys()];
    }
    while (this.#order.length > 0) {
      const hashed = this.#order.pop();
      const value = this.#values.get(hashed);
      if (value === undefined) continue;
      const key = this.#keyOf(hashed);
      this.#originals?.delete(hashed);
      this.#values.delete(hashed);
      return [key, value];
    }
    return undefined;
  }

  clear(): void {
    this.#order = undefined;
    this.#originals = undefined;
    this.#values.clear();
  }

  #keyOf(hashed: unknown): Value {
    const original = this.#originals?.get(hashed);
    return original === undefined ? (hashed as Value) : original;
  }

  override *keyNames(): Generator<string> {
    for (const key of this.keys()) if (typeof key === 'string') yield key;
  }

  *keys(): Generator<Value> {
    for (const hashed of this.#values.keys()) yield this.#keyOf(hashed);
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  *entries(): Generator<[Value, Value]> {
    for (const [hashed, value] of this.#values) yield [this.#keyOf(hashed), value];
  }

  override repr(): string {
    return reprNested(this, '{', '}', () =>
      Array.from(this.entries(), ([key, value]) => `${repr(key)}: ${repr(value)}`).join(', '),
    );
  }

  override length(): number {
    return this.#values.size;
  }

  override iterate(): Next {
    return this.guarded(this.keys());
  }

  /**
   * Returns an iterator over this dict; it raises an error if the dict changes its size meanwhile, as in
   * Python.
   */
  guarded(iterator: Iterator<Value>): Next {
    const size = this.#values.size;
    return () => {
      if (this.#values.size !== size) raise('RuntimeError', 'dictionary changed size during iteration');
      const next = iterator.next();
      return next.done === true ? undefined : next.value;
    };
  }

  override get reversible(): boolean {
    return true;
  }

  override get subscriptable(): boolean {
    return true;
  }

  override item(key: Value): Value | undefined {
    return this.get(key);
  }

  override contains(value: Value): boolean {
    return this.has(value);
  }

  override equals(other: Value): boolean {
    if (!(other instanceof Dict) || other.size !== this.size) return false;
    for (const [hashed, value] of this.#values) {
      step();
      const theirs = other.#values.get(hashed);
      if (theirs === undefined || !equal(value, theirs)) return false;
    }
    return true;
  }

  override hashKey(): never {
    return raise('TypeError', "unhashable type: 'dict'");
  }
}

/** A dict may not grow beyond what a list may hold. */
function claimGrowth(size: number): void {
  // Counted at powers of two, because a dict grows one entry at a time.
  if ((size & (size - 1)) === 0) claimList(size);
}

/** `dict.keys()`, `dict.values()` and `dict.items()`: views that follow the dict. */
export class DictView extends Obj {
  readonly kind: 'keys' | 'values' | 'items';
  readonly dict: Dict;

  constructor(dict: Dict, kind: 'keys' | 'values' | 'items') {
    super();
    this.dict = dict;
    this.kind = kind;
  }

  override get typeName(): string {
    return `dict_${this.kind}`;
  }

  *elements(): Generator<Value> {
    if (this.kind === 'keys') yield* this.dict.keys();
    else if (this.kind === 'values') yield* this.dict.values();
    else for (const entry of this.dict.entries()) yield new Tuple(entry);
  }

  override repr(): string {
    return `${this.typeName}(${reprSequence(this, this.elements(), '[', ']')})`;
  }

  override length(): number {
    return this.dict.size;
  }

  override iterate(): Next {
    return this.dict.guarded(this.elements());
  }

  override get reversible(): boolean {
    return true;
  }

  override contains(value: Value): boolean | undefined {
    return this.kind === 'keys' ? this.dict.has(value) : undefined;
  }
}

/** An iterator that returns its elements once: a generator, or the iterator of a builtin. */
export class Iter extends Obj {
  readonly next: Next;
  readonly #typeName: string;

  constructor(next: Next, name = 'generator') {
    super();
    this.next = next;
    this.#typeName = name;
  }

  override get typeName(): string {
    return this.#typeName;
  }

  override iterate(): Next {
    return this.next;
  }
}

/** Text that is markup if `like` is. */
export function sameKind(like: Value, text: string): string | Markup {
  return like instanceof Markup ? new Markup(text) : text;
}
