import type { ast } from '@platen/jinja/syntax';
import type { Shape } from './shape.ts';

/** What a name stands for in a template: a value of the data or made of it; null for one of the template's own. */
type Scope = Map<string, Shape | null>;

/** The values of a tuple, one by one. */
type Values = readonly (Shape | null)[];

/** The names that a Jinja template has bound, by where they hold. */
export class Scopes {
  /** The innermost last. */
  #scopes: Scope[] = [new Map()];

  /** Whether names are bound for the whole template. */
  get isOutermost(): boolean {
    return this.#scopes.length === 1;
  }

  /** Does `work` in a scope of its own. */
  within(work: () => void): void {
    this.#scopes.push(new Map());
    work();
    this.#scopes.pop();
  }

  /** Does `work` outside of all inner scopes. */
  outermost(work: () => void): void {
    const scopes = this.#scopes;
    this.#scopes = scopes.slice(0, 1);
    work();
    this.#scopes = scopes;
  }

  bind(name: string, shape: Shape | null): void {
    this.#scopes.at(-1)?.set(name, shape);
  }

  /** Binds all names of a target. @param value a list: the parts that a tuple takes */
  assign(target: ast.Target, value: Shape | Values | null): void {
    if (target.kind === 'name') return this.bind(target.name, isList(value) ? null : value);
    if (target.kind !== 'tuple') return;
    target.items.forEach((item, index) => {
      if (item.kind !== 'name' && item.kind !== 'tuple') return;
      this.assign(item, isList(value) ? (value[index] ?? null) : (value?.items ?? null));
    });
  }

  /** What a name is bound to; undefined: it is not. */
  find(name: string): Shape | null | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name);
  }
}

function isList(value: unknown): value is Values {
  return Array.isArray(value);
}
