import { repr } from '../values/repr.ts';
import type { Value } from '../values/types.ts';
import { Obj } from '../values/types.ts';
import type { Context } from './context.ts';

/** An imported template: its exports as attributes, its text when printed. */
export class TemplateModule extends Obj {
  readonly #name: string | null;
  readonly #exports: ReadonlyMap<string, Value>;
  readonly body: string;

  constructor(name: string | null, context: Context, body: string) {
    super();
    this.#name = name;
    this.body = body;
    const exports = new Map<string, Value>();
    for (const exported of context.exported) {
      const value = context.vars.get(exported);
      if (value !== undefined) exports.set(exported, value);
    }
    this.#exports = exports;
  }

  override get typeName(): string {
    return 'TemplateModule';
  }

  override get module(): string {
    return 'jinja2.environment';
  }

  override repr(): string {
    return `<TemplateModule ${this.#name === null ? 'memory:' : repr(this.#name)}>`;
  }

  override str(): string {
    return this.body;
  }

  override html(): string {
    return this.body;
  }

  override attribute(name: string): Value | undefined {
    return name === '__name__' ? this.#name : this.#exports.get(name);
  }
}
