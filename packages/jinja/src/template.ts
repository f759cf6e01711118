import { asTemplateError, capture, withDepth, run, withRun } from './budget.ts';
import type { Guard, Render } from './compile/frame.ts';
import { compileTemplate } from './compile/template.ts';
import type { Environment } from './environment.ts';
import { locate, type Location, TemplateError } from './errors.ts';
import type { Findings } from './findings.ts';
import { normalizeSource } from './parser/lexer.ts';
import { parse } from './parser/parser.ts';
import type { Lookup, Session } from './runtime/context.ts';
import { Context } from './runtime/context.ts';
import { TemplateModule } from './runtime/module.ts';
import { fromJs } from './values/convert.ts';
import { Dict } from './values/containers.ts';

/** A compiled template. It contains no state of a rendering, so it can be reused. */
export class Template {
  readonly environment: Environment;
  /** Null for a template without a name. */
  readonly name: string | null;
  readonly blocks: ReadonlyMap<string, Render>;
  readonly #source: string;
  readonly #root: Render;

  /** Gives errors of `work` their place in this template, wherever it is called from. */
  readonly #guard: Guard = (work) => (argument) => {
    const outer = run.template;
    run.template = this;
    try {
      const result = work(argument);
      run.template = outer;
      return result;
    } catch (error) {
      throw this.#placed(error);
    }
  };

  /** Compiles `source`. @throws TemplateError with its place */
  constructor(environment: Environment, source: string, name: string | null) {
    this.environment = environment;
    this.name = name;
    this.#source = normalizeSource(source, environment.syntax);
    // Constants are computed during compilation, which therefore is a run with limits too.
    const compiled = withRun(environment.limits, environment.undefinedPolicy, () => {
      try {
        const tree = parse(this.#source, environment.syntax, environment.extensions);
        return compileTemplate(tree, environment, name, this.#source, this.#guard);
      } catch (error) {
        throw this.#placed(error);
      }
    });
    this.#root = compiled.root;
    this.blocks = compiled.blocks;
  }

  /**
   * Renders the template with `data`: a Dict as `parseJson` gives it, or a plain JavaScript object.
   * Throws a TemplateError with its place, or a BudgetError.
   *
   * @param findings receives what the rendering notices
   */
  render(data: Dict | Readonly<Record<string, unknown>> = {}, findings: Findings | null = null): string {
    const values = data instanceof Dict ? data : fromJs(data);
    if (!(values instanceof Dict)) throw new TypeError('the data of a template is an object');
    const { limits, undefinedPolicy, globals } = this.environment;
    const renderTo = (): string => {
      const context = this.newContext([values, globals], { modules: new Map() });
      this.renderRoot(context);
      return run.out;
    };
    return withRun(limits, undefinedPolicy, renderTo, findings);
  }

  /** Returns a new context of this template that sees `layers`. */
  newContext(layers: readonly Lookup[], session: Session): Context {
    const autoescape = this.environment.autoescape(this.name);
    return new Context(this.environment, this.name ?? 'None', session, layers, this.blocks, { autoescape });
  }

  /** Writes the template's text for a context. */
  renderRoot(context: Context): void {
    this.#root(context);
  }

  /** Runs the template and returns it as a module to import. */
  makeModule(context: Context): TemplateModule {
    return new TemplateModule(
      this.name,
      context,
      withDepth(() => capture(() => this.renderRoot(context))),
    );
  }

  /** Returns the template as a module imported without context, which runs once per rendering. */
  defaultModule(session: Session): TemplateModule {
    const known = session.modules.get(this);
    if (known !== undefined) return known;
    const module = this.makeModule(this.newContext([this.environment.globals], session));
    session.modules.set(this, module);
    return module;
  }

  /** Returns the place of an offset in the source. */
  locate(offset: number): Location {
    return locate(this.name ?? '<template>', this.#source, offset);
  }

  #placed(error: unknown): unknown {
    const known = asTemplateError(error);
    if (known instanceof TemplateError && known.location === undefined) {
      known.location = this.locate(known.offset ?? run.position);
    }
    return known;
  }
}
