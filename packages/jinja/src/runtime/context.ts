import { spend } from '../budget.ts';
import type { Render } from '../compile/frame.ts';
import type { Environment } from '../environment.ts';
import type { CallSite, Registry, Value } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import type { TemplateModule } from './module.ts';

/** Values by name: the data, the globals, the variables of a frame. */
export interface Lookup {
  get(name: string): Value | undefined;
  /** Keys and values in order. */
  entries(): Iterable<[Value, Value]>;
}

/** The state that everything in one rendering shares. */
export interface Session {
  /** Templates imported without context, each run once. */
  readonly modules: Map<unknown, TemplateModule>;
}

/** Whether output is escaped; `{% autoescape %}` changes it temporarily. */
interface EvalContext {
  autoescape: boolean;
}

/** The variables that a template sees, its exports, and its blocks. Jinja2's class of the same name. */
export class Context implements CallSite {
  readonly environment: Environment;
  readonly templateName: string;
  readonly session: Session;
  /** Variables from outside; the first layer that has a name takes precedence. */
  readonly #layers: readonly Lookup[];
  /** Variables assigned on the template's own level. */
  readonly vars = new Map<string, Value>();
  readonly exported = new Set<string>();
  /** By name: the block of the template itself first, then those of the templates it extends. */
  readonly blocks: Map<string, Render[]>;
  readonly evalContext: EvalContext;

  constructor(
    environment: Environment,
    templateName: string,
    session: Session,
    layers: readonly Lookup[],
    blocks: ReadonlyMap<string, Render>,
    evalContext: EvalContext,
  ) {
    this.environment = environment;
    this.templateName = templateName;
    this.session = session;
    this.#layers = layers;
    this.blocks = new Map(Array.from(blocks, ([name, block]) => [name, [block]]));
    this.evalContext = evalContext;
  }

  get autoescape(): boolean {
    return this.evalContext.autoescape;
  }

  get filters(): Registry {
    return this.environment.filters;
  }

  get newline(): string {
    return this.environment.syntax.newlineSequence;
  }

  get tests(): Registry {
    return this.environment.tests;
  }

  /** The value of a variable, or undefined. */
  resolve(name: string): Value | undefined {
    const own = this.vars.get(name);
    if (own !== undefined) return own;
    // Each include adds layers.
    if (this.#layers.length > 8) spend(this.#layers.length >>> 3);
    for (const layer of this.#layers) {
      const value = layer.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Returns the layers through which another context sees everything of this one, with `locals` in front. */
  allLayers(locals: readonly [string, Value][]): Lookup[] {
    spend(locals.length + this.vars.size + this.#layers.length);
    const layers: Lookup[] = [];
    if (locals.length > 0) layers.push(new Map(locals));
    // The copy hides later assignments.
    if (this.vars.size > 0) layers.push(new Map(this.vars));
    return [...layers, ...this.#layers];
  }

  /** Every variable, for `{% debug %}`. */
  all(): Map<Value, Value> {
    const all = new Map<Value, Value>();
    for (const layer of [...this.#layers].reverse())
      for (const [key, value] of layer.entries()) all.set(key, value);
    for (const [key, value] of this.vars) all.set(key, value);
    return all;
  }

  /** The names of every variable from outside, and of the template's own level. */
  names(): string[] {
    const layers = this.#layers.flatMap((layer) => [...layer.entries()].map(([key]) => key));
    return [...this.vars.keys(), ...layers.filter((key) => typeof key === 'string')];
  }

  /** Returns a context of the same template that also sees `locals`. */
  derived(locals: readonly [string, Value][]): Context {
    const context = new Context(
      this.environment,
      this.templateName,
      this.session,
      this.allLayers(locals),
      new Map(),
      this.evalContext,
    );
    for (const [name, blocks] of this.blocks) context.blocks.set(name, [...blocks]);
    return context;
  }

  /** Returns the value of a variable; an undefined value when it does not exist. */
  lookup(name: string): Value {
    const value = this.resolve(name);
    return value === undefined ? new Undefined({ name }) : value;
  }
}
