import { raise } from '../errors.ts';
import type { Dict } from '../values/containers.ts';
import type { Implementation } from '../values/native.ts';
import { bind, BoundMethod, methods, NativeFunction } from '../values/native.ts';
import { repr, str } from '../values/repr.ts';
import type { Kwargs, Value } from '../values/types.ts';
import { Obj } from '../values/types.ts';

/** Objects that Jinja2's global functions create. */

/** `namespace()`: attributes that can be set from anywhere. */
export class Namespace extends Obj {
  readonly attributes: Dict;

  constructor(attributes: Dict) {
    super();
    this.attributes = attributes;
  }

  override get typeName(): string {
    return 'Namespace';
  }

  override get module(): string {
    return 'jinja2.utils';
  }

  override repr(): string {
    return `<Namespace ${repr(this.attributes)}>`;
  }

  override attribute(name: string): Value | undefined {
    return this.attributes.getName(name);
  }
}

/** `cycler()`: returns its values in turn. */
export class Cycler extends Obj {
  readonly #items: Value[];
  #position = 0;

  constructor(items: Value[]) {
    super();
    if (items.length === 0) raise('RuntimeError', 'at least one item has to be provided');
    this.#items = items;
  }

  override get typeName(): string {
    return 'Cycler';
  }

  override get module(): string {
    return 'jinja2.utils';
  }

  get #current(): Value {
    const item = this.#items[this.#position];
    return item === undefined ? null : item;
  }

  /** Returns the current item and advances to the next. */
  next(): Value {
    const item = this.#current;
    this.#position = (this.#position + 1) % this.#items.length;
    return item;
  }

  /** Goes back to the first item. */
  reset(): null {
    this.#position = 0;
    return null;
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'current':
        return this.#current;
      case 'pos':
        return this.#position;
      default: {
        const method = CYCLER_METHODS.get(name);
        return method === undefined ? undefined : new BoundMethod(this, 'Cycler', method);
      }
    }
  }
}

const CYCLER_METHODS = methods<Cycler>('Cycler', {
  'next()': (self) => self.next(),
  'reset()': (self) => self.reset(),
});

/** `joiner()`: empty on the first call, the separator on later calls. */
export class Joiner extends Obj {
  readonly #separator: Value;
  #used = false;

  constructor(separator: Value) {
    super();
    this.#separator = separator;
  }

  override get typeName(): string {
    return 'Joiner';
  }

  override get module(): string {
    return 'jinja2.utils';
  }

  override attribute(name: string): Value | undefined {
    if (name === 'sep') return this.#separator;
    return name === 'used' ? this.#used : undefined;
  }

  override get callable(): boolean {
    return true;
  }

  override call(): Value {
    if (this.#used) return this.#separator;
    this.#used = true;
    return '';
  }
}

/** A Python class among the globals: calling it creates an object, printing it prints its name. */
export class ClassObject extends NativeFunction {
  readonly #qualifiedName: string;
  readonly #make: Implementation;

  constructor(qualifiedName: string, signature: string, make: Implementation) {
    super(signature);
    this.#qualifiedName = qualifiedName;
    this.#make = make;
  }

  override call(args: Value[], kwargs: Kwargs): Value {
    return this.#make(...bind(this.signature, args, kwargs));
  }

  override get typeName(): string {
    return 'type';
  }

  override repr(): string {
    return `<class '${this.#qualifiedName}'>`;
  }
}

/** Returns keyword arguments from a dict whose keys are known to be strings. */
export function kwargsOf(dict: Dict): Kwargs {
  return new Map(Array.from(dict.entries(), ([key, value]) => [str(key), value]));
}
