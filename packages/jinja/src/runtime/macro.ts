import { enter, leave, spend } from '../budget.ts';
import { raise } from '../errors.ts';
import { Dict, Tuple } from '../values/containers.ts';
import { repr } from '../values/repr.ts';
import type { CallSite, Kwargs, Value } from '../values/types.ts';
import { Markup, Obj } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';

/** The parameters of a macro. */
export interface MacroShape {
  /** Null for the body of a call block. */
  name: string | null;
  parameters: string[];
  usesCaller: boolean;
  /** Whether it uses `kwargs`. */
  catchesKeywords: boolean;
  /** Whether it uses `varargs`. */
  catchesRest: boolean;
}

/** A macro: a function of the template that returns text. */
export class Macro extends Obj {
  readonly #shape: MacroShape;
  readonly #body: (values: (Value | undefined)[]) => string;

  /** `body` receives the parameters, then caller, keywords and further arguments if the macro uses them. */
  constructor(shape: MacroShape, body: (values: (Value | undefined)[]) => string) {
    super();
    this.#shape = shape;
    this.#body = body;
  }

  override get typeName(): string {
    return 'Macro';
  }

  override get module(): string {
    return 'jinja2.runtime';
  }

  override repr(): string {
    return `<Macro ${this.#shape.name === null ? 'anonymous' : repr(this.#shape.name)}>`;
  }

  override attribute(name: string): Value | undefined {
    const { parameters } = this.#shape;
    switch (name) {
      case 'name':
        return this.#shape.name;
      case 'arguments':
        return new Tuple([...parameters]);
      case 'catch_kwargs':
        return this.#shape.catchesKeywords;
      case 'catch_varargs':
        return this.#shape.catchesRest;
      case 'caller':
        return this.#shape.usesCaller;
      case 'explicit_caller':
        return parameters.includes('caller');
      default:
        return undefined;
    }
  }

  override get callable(): boolean {
    return true;
  }

  override call(args: Value[], kwargs: Kwargs, site: CallSite): Value {
    // Read before the body runs, which may change it.
    const { autoescape } = site;
    spend((args.length + this.#shape.parameters.length) >>> 3);
    const values = this.#bind(args, kwargs);
    enter();
    const text = this.#body(values);
    leave();
    return autoescape ? new Markup(text) : text;
  }

  /** The macro's name in messages. */
  get #shown(): string {
    return this.#shape.name === null ? 'None' : repr(this.#shape.name);
  }

  #bind(args: Value[], kwargs: Kwargs): (Value | undefined)[] {
    const { parameters, usesCaller, catchesKeywords, catchesRest } = this.#shape;
    const left = kwargs.size === 0 ? undefined : new Map(kwargs);
    const take = (parameter: string): Value | undefined => {
      const value = left?.get(parameter);
      left?.delete(parameter);
      return value;
    };
    const values: (Value | undefined)[] = args.slice(0, parameters.length);
    let foundCaller = values.length === parameters.length && parameters.includes('caller');
    for (let i = values.length; i < parameters.length; i++) {
      const parameter = parameters[i] ?? '';
      values.push(take(parameter));
      if (parameter === 'caller') foundCaller = true;
    }
    if (usesCaller && !foundCaller) {
      values.push(take('caller') ?? new Undefined({ hint: 'No caller defined', name: 'caller' }));
    }
    if (catchesKeywords) values.push(Dict.from(left ?? []));
    else if (left !== undefined && left.size > 0) this.#refuseKeywords(left);
    if (catchesRest) values.push(new Tuple(args.slice(parameters.length)));
    else if (args.length > parameters.length) {
      raise('TypeError', `macro ${this.#shown} takes not more than ${parameters.length} argument(s)`);
    }
    return values;
  }

  #refuseKeywords(left: Kwargs): never {
    const [first = ''] = left.keys();
    if (left.has('caller')) {
      raise(
        'TypeError',
        `macro ${this.#shown} was invoked with two values for the special caller argument. This is most likely a bug.`,
      );
    }
    return raise('TypeError', `macro ${this.#shown} takes no keyword argument ${repr(first)}`);
  }
}
