import { claimList, step } from '../budget.ts';
import { raise } from '../errors.ts';
import { equal } from '../values/compare.ts';
import { Dict, Tuple } from '../values/containers.ts';
import { BoundMethod, methods } from '../values/native.ts';
import type { Kwargs, Next, Value } from '../values/types.ts';
import { Obj } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';

const SNAPSHOT = 'index index0 revindex revindex0 first last length depth depth0'.split(' ');

/** The variable `loop`. It reads ahead only as far as the template requests. */
export class LoopContext extends Obj {
  #next: Next;
  readonly #lengthOf: () => number | undefined;
  readonly #recurse: ((items: Value, depth: number) => Value) | undefined;
  readonly #depth0: number;
  #index0 = -1;
  #length: number | undefined;
  /** An element that was read ahead; null if there is none after the current one. */
  #ahead: { item: Value | undefined } | undefined;
  #current: Value | undefined;
  #previous: Value | undefined;
  #lastChanged: Tuple | undefined;

  constructor(
    next: Next,
    lengthOf: () => number | undefined,
    recurse: ((items: Value, depth: number) => Value) | undefined,
    depth0: number,
  ) {
    super();
    this.#next = next;
    this.#lengthOf = lengthOf;
    this.#recurse = recurse;
    this.#depth0 = depth0;
  }

  override get typeName(): string {
    return 'LoopContext';
  }

  override get module(): string {
    return 'jinja2.runtime';
  }

  /** Goes to the next element. */
  advance(): Value | undefined {
    const item = this.#ahead === undefined ? this.#next() : this.#ahead.item;
    this.#ahead = undefined;
    if (item === undefined) return undefined;
    this.#index0++;
    this.#previous = this.#current;
    this.#current = item;
    return item;
  }

  #peek(): Value | undefined {
    this.#ahead ??= { item: this.#next() };
    return this.#ahead.item;
  }

  #count(): number {
    if (this.#length !== undefined) return this.#length;
    const known = this.#lengthOf();
    if (known !== undefined) return (this.#length = known);
    // A sequence without length is read completely and stored.
    const rest: Value[] = [];
    const next = this.#next;
    for (let item = next(); item !== undefined; item = next()) {
      step();
      rest.push(item);
    }
    claimList(rest.length);
    let i = 0;
    this.#next = () => (i < rest.length ? rest[i++] : undefined);
    const ahead = this.#ahead?.item === undefined ? 0 : 1;
    return (this.#length = rest.length + this.#index0 + 1 + ahead);
  }

  override length(): number {
    return this.#count();
  }

  /** Returns what the variable tells now, for somebody who looks at it after the loop has gone on. */
  snapshot(): Dict {
    return Dict.from(SNAPSHOT.map((name) => [name, this.attribute(name) ?? null]));
  }

  override repr(): string {
    return `<LoopContext ${this.#index0 + 1}/${this.#count()}>`;
  }

  override iterate(): Next {
    return () => {
      const item = this.advance();
      return item === undefined ? undefined : new Tuple([item, this]);
    };
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'index':
        return this.#index0 + 1;
      case 'index0':
        return this.#index0;
      case 'first':
        return this.#index0 === 0;
      case 'last':
        return this.#peek() === undefined;
      case 'length':
        return this.#count();
      case 'revindex':
        return this.#count() - this.#index0;
      case 'revindex0':
        return this.#count() - this.#index0 - 1;
      case 'depth':
        return this.#depth0 + 1;
      case 'depth0':
        return this.#depth0;
      case 'previtem':
        return this.#previtem();
      case 'nextitem': {
        const item = this.#peek();
        return item === undefined ? new Undefined({ hint: 'there is no next item' }) : item;
      }
      default: {
        const method = LOOP_METHODS.get(name);
        return method === undefined ? undefined : new BoundMethod(this, 'LoopContext', method);
      }
    }
  }

  #previtem(): Value {
    return this.#index0 === 0 || this.#previous === undefined
      ? new Undefined({ hint: 'there is no previous item' })
      : this.#previous;
  }

  /** `loop.cycle(…)`: the arguments in turn. */
  cycle(items: Value): Value {
    if (!Array.isArray(items) || items.length === 0) return raise('TypeError', 'no items for cycling given');
    const item = items[this.#index0 % items.length];
    return item === undefined ? null : item;
  }

  /** `loop.changed(…)`: whether the arguments differ from those of the last time. */
  changed(values: Value): boolean {
    const now = new Tuple(Array.isArray(values) ? values : [values]);
    if (this.#lastChanged !== undefined && equal(this.#lastChanged, now)) return false;
    this.#lastChanged = now;
    return true;
  }

  override get callable(): boolean {
    return true;
  }

  override call(args: Value[], kwargs: Kwargs): Value {
    const items = args.length > 0 ? args[0] : kwargs.get('iterable');
    if (args.length > 1) {
      raise(
        'TypeError',
        `LoopContext.__call__() takes 2 positional arguments but ${args.length + 1} were given`,
      );
    }
    if (items === undefined) {
      return raise('TypeError', "LoopContext.__call__() missing 1 required positional argument: 'iterable'");
    }
    if (this.#recurse === undefined) {
      return raise('TypeError', "The loop must have the 'recursive' marker to be called recursively.");
    }
    return this.#recurse(items, this.#depth0 + 1);
  }
}

const LOOP_METHODS = methods<LoopContext>('LoopContext', {
  'cycle(*args)': (self, items) => self.cycle(items),
  'changed(*value)': (self, values) => self.changed(values),
});
