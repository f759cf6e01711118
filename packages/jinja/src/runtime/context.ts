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

/** What is shared by everything that belongs to one rendering. */
export interface Session {
  /** Templates imported without context, each run once. */
  readonly modules: Map<unknown, TemplateModule>;
}

/** Whether output is escaped; `{% autoescape %}` changes it for a while. */
interface EvalContext {
  autoescape: boolean;
}

/** The variables a template sees, what it exports, and its blocks. Jinja2's class of the same name. */
export class Context implements CallSite {
  readonly environment: Environment;
  readonly templateName: string;
  readonly session: Session;
  /** Variables given from outside; the first that knows a name wins. */
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
    for (const layer of this.#layers) {
      const value = layer.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The layers another context gets to see everything of this one through, `locals` in front. */
  allLayers(locals: readonly [string, Value][]): Lookup[] {
    const layers: Lookup[] = [];
    if (locals.length > 0) layers.push(new Map(locals));
    // A copy: what is assigned here later is not seen there.
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

  /** A context of the same template that sees `locals` besides. */
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

  /** The value of a variable; an undefined value where there is none. */
  lookup(name: string): Value {
    const value = this.resolve(name);
    return value === undefined ? new Undefined({ name }) : value;
  }
}
