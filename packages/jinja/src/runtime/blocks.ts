import { capture, withDepth } from '../budget.ts';
import type { Render } from '../compile/frame.ts';
import type { Value } from '../values/types.ts';
import { Markup, Obj } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import type { Context } from './context.ts';

/** `self` in a template: its blocks by name. */
export class TemplateReference extends Obj {
  readonly #context: Context;

  constructor(context: Context) {
    super();
    this.#context = context;
  }

  override get typeName(): string {
    return 'TemplateReference';
  }

  override get module(): string {
    return 'jinja2.runtime';
  }

  override repr(): string {
    return `<TemplateReference '${this.#context.templateName}'>`;
  }

  override get subscriptable(): boolean {
    return true;
  }

  override item(key: Value): Value | undefined {
    const blocks = typeof key === 'string' ? this.#context.blocks.get(key) : undefined;
    return blocks === undefined ? undefined : new BlockReference(String(key), this.#context, blocks, 0);
  }
}

function noParent(name: string): Undefined {
  return new Undefined({ hint: `there is no parent block called '${name}'.`, name: 'super' });
}

/** `super` in a block: the block of the extended template, if there is one. */
export function superBlock(context: Context, name: string, current: Render): Value {
  const blocks = context.blocks.get(name) ?? [];
  const index = blocks.indexOf(current) + 1;
  if (index === 0 || index >= blocks.length) return noParent(name);
  return new BlockReference(name, context, blocks, index);
}

/** One block: calling it returns its text. */
export class BlockReference extends Obj {
  readonly #name: string;
  readonly #context: Context;
  readonly #stack: readonly Render[];
  readonly #depth: number;

  constructor(name: string, context: Context, stack: readonly Render[], depth: number) {
    super();
    this.#name = name;
    this.#context = context;
    this.#stack = stack;
    this.#depth = depth;
  }

  override get typeName(): string {
    return 'BlockReference';
  }

  override get module(): string {
    return 'jinja2.runtime';
  }

  override attribute(name: string): Value | undefined {
    if (name === 'name') return this.#name;
    if (name !== 'super') return undefined;
    if (this.#depth + 1 >= this.#stack.length) return noParent(this.#name);
    return new BlockReference(this.#name, this.#context, this.#stack, this.#depth + 1);
  }

  override get callable(): boolean {
    return true;
  }

  override call(): Value {
    const block = this.#stack[this.#depth];
    if (block === undefined) return noParent(this.#name);
    const text = withDepth(() => capture(() => block(this.#context)));
    return this.#context.autoescape ? new Markup(text) : text;
  }
}
