import type { ast } from '@platen/jinja/syntax';
import type { Shape } from './shape.ts';

/**
 * The value of each name in a template: a value of the data or derived from it; null for the template's own
 * names.
 */
type Scope = Map<string, Shape | null>;

/** The values of a tuple, one by one. */
type Values = readonly (Shape | null)[];

/** The names that a Jinja template has bound, by scope. */
export class Scopes {
  /** Scopes, the innermost last. */
  #scopes: Scope[] = [new Map()];

  /** Returns whether names are bound for the whole template. */
  get isOutermost(): boolean {
    return this.#scopes.length === 1;
  }

  /** Runs `work` in a new scope. */
  within(work: () => void): void {
    this.#scopes.push(new Map());
    work();
    this.#scopes.pop();
  }

  /** Runs `work` outside all inner scopes. */
  outermost(work: () => void): void {
    const scopes = this.#scopes;
    this.#scopes = scopes.slice(0, 1);
    work();
    this.#scopes = scopes;
  }

  bind(name: string, shape: Shape | null): void {
    this.#scopes.at(-1)?.set(name, shape);
  }

  /** Binds all names of a target. @param value when an array, the values for the parts of a tuple */
  assign(target: ast.Target, value: Shape | Values | null): void {
    if (target.kind === 'name') return this.bind(target.name, isList(value) ? null : value);
    if (target.kind !== 'tuple') return;
    target.items.forEach((item, index) => {
      if (item.kind !== 'name' && item.kind !== 'tuple') return;
      this.assign(item, isList(value) ? (value[index] ?? null) : (value?.items ?? null));
    });
  }

  /** Returns the value that a name is bound to; undefined when it is not bound. */
  find(name: string): Shape | null | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name);
  }
}

function isList(value: unknown): value is Values {
  return Array.isArray(value);
}
