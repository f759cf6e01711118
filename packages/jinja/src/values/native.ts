import { run, scan, spend } from '../budget.ts';
import { raise } from '../errors.ts';
import { Dict } from './containers.ts';
import type { CallSite, Kwargs, Value } from './types.ts';
import { Float, Markup, NO_KWARGS, Obj } from './types.ts';

interface Parameter {
  name: string;
  /** Absent when the argument is required. */
  default?: Value;
}

/** A Python function's name and parameters, as in `do_round(value, precision=0, method='common')`. */
interface Signature {
  name: string;
  parameters: Parameter[];
  /** Parameters that Jinja2 sets itself (`context`, `eval_ctx`, `environment`); they count in messages. */
  hidden: number;
  /** Whether the context is among them, so that a call depends on more than its arguments. */
  usesContext: boolean;
  /** `/` at the end: arguments cannot be given by name. */
  positionalOnly: boolean;
  /** A method of a builtin type: it is written in C and has different error messages. */
  builtin: boolean;
  /** `*args`: further positional arguments, handed over as one list. */
  rest: boolean;
  /** `**kwargs`: further named arguments, handed over as one dict, or as None if there are none. */
  keywords: boolean;
}

const HIDDEN = new Set(['context', 'eval_ctx', 'environment', 'env']);

function parseSignature(text: string): Signature {
  const open = text.indexOf('(');
  const signature: Signature = {
    name: text.slice(0, open),
    parameters: [],
    hidden: 0,
    usesContext: false,
    positionalOnly: false,
    builtin: false,
    rest: false,
    keywords: false,
  };
  // bounded: the parameters of a built-in function, from its source
  for (const part of text.slice(open + 1, -1).match(/(?:'[^']*'|[^,'])+/gu) ?? []) {
    const [name = '', value] = part.trim().split('=', 2);
    if (name === '/') signature.positionalOnly = true;
    else if (name.startsWith('**')) signature.keywords = true;
    else if (name.startsWith('*')) signature.rest = true;
    else if (HIDDEN.has(name) && signature.parameters.length === 0) {
      signature.hidden++;
      signature.usesContext ||= name === 'context';
    } else signature.parameters.push(value === undefined ? { name } : { name, default: literal(value) });
  }
  return signature;
}

function literal(text: string): Value {
  if (text === 'None') return null;
  if (text === 'True' || text === 'False') return text === 'True';
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll('\\n', '\n');
  return text.includes('.') ? new Float(Number(text)) : Number(text);
}

/**
 * The implementation of a native function: it receives the arguments in the order of the signature, with
 * defaults filled in.
 */
export type Implementation = (...args: Value[]) => Value;
/** The same for functions that depend on their call site. */
export type SiteImplementation = (site: CallSite, ...args: Value[]) => Value;

/** A function written in TypeScript that a template can call, with Python's rules for arguments. */
export abstract class NativeFunction extends Obj {
  readonly signature: Signature;

  constructor(signature: string) {
    super();
    this.signature = parseSignature(signature);
  }

  override get typeName(): string {
    return 'function';
  }

  override repr(): string {
    return `<function ${this.signature.name}>`;
  }

  override get callable(): boolean {
    return true;
  }
}

class PlainFunction extends NativeFunction {
  readonly #implementation: Implementation;

  constructor(signature: string, implementation: Implementation) {
    super(signature);
    this.#implementation = implementation;
  }

  override call(args: Value[], kwargs: Kwargs): Value {
    const bound = bind(this.signature, args, kwargs);
    const [first] = bound;
    // Most filters take one argument, and spreading an array costs more than they do.
    if (bound.length === 1 && first !== undefined) return this.#implementation(first);
    return this.#implementation(...bound);
  }
}

class SiteFunction extends NativeFunction {
  readonly #implementation: SiteImplementation;

  constructor(signature: string, implementation: SiteImplementation) {
    super(signature);
    this.#implementation = implementation;
  }

  override call(args: Value[], kwargs: Kwargs, site: CallSite): Value {
    return this.#implementation(site, ...bind(this.signature, args, kwargs));
  }
}

/** The variables that a template sees at one place, in order, those of the data first. */
export type Variables = ReadonlyMap<Value, Value>;

/** A function that gets the variables of the place where its name is called, as a text does that is included. */
export class ScopeFunction extends NativeFunction {
  readonly #implementation: (variables: Variables, ...args: Value[]) => Value;

  constructor(signature: string, implementation: (variables: Variables, ...args: Value[]) => Value) {
    super(signature);
    this.#implementation = implementation;
  }

  /** Called in another way than by its name: without variables. */
  override call(args: Value[], kwargs: Kwargs): Value {
    return this.callWith(new Map(), args, kwargs);
  }

  callWith(variables: Variables, args: Value[], kwargs: Kwargs): Value {
    spend(variables.size);
    return this.#implementation(variables, ...bind(this.signature, args, kwargs));
  }
}

/** Makes a function from a Python signature and its implementation. */
export function native(signature: string, implementation: Implementation): NativeFunction {
  return new PlainFunction(signature, implementation);
}

/** Like `native`, for functions that depend on their call site. */
export function nativeAt(signature: string, implementation: SiteImplementation): NativeFunction {
  return new SiteFunction(signature, implementation);
}

/** Steps for an operation on a whole number beyond the safe integers. */
const LARGE_NUMBER_STEPS = 16;
/** A call with more arguments counts them. */
const FEW_ARGUMENTS = 8;

/**
 * Counts what a native function reads of an argument: the characters of a text and the digits of a large number. What
 * it reads of a container is counted where the elements are read.
 */
function charge(value: Value | undefined): void {
  if (typeof value === 'string') scan(value.length);
  else if (typeof value === 'bigint') spend(LARGE_NUMBER_STEPS);
  else if (value instanceof Markup) scan(value.text.length);
}

/**
 * Returns arguments in the order of the parameters, and counts what the function reads of them.
 *
 * @throws TemplateError Python's TypeErrors
 */
export function bind(signature: Signature, args: Value[], kwargs: Kwargs): Value[] {
  const { parameters } = signature;
  for (let i = 0; i < args.length && i < FEW_ARGUMENTS; i++) charge(args[i]);
  if (args.length > FEW_ARGUMENTS) spend(args.length);
  if (kwargs === NO_KWARGS && !signature.rest && !signature.keywords) return bindPositional(signature, args);
  const bound: (Value | undefined)[] = args.slice(0, parameters.length);
  if (args.length > parameters.length && !signature.rest) tooMany(signature, args.length);
  const left = kwargs.size === 0 ? kwargs : bindKeywords(signature, bound, kwargs);
  const filled = withDefaults(signature, bound);
  if (filled.includes(undefined)) missing(signature, filled);
  const result = filled as Value[];
  if (signature.rest) result.push(args.slice(parameters.length));
  if (signature.keywords) result.push(left.size === 0 ? null : Dict.from(left));
  return result;
}

function withDefaults({ parameters }: Signature, bound: (Value | undefined)[]): (Value | undefined)[] {
  return parameters.map((parameter, i) => (bound[i] === undefined ? parameter.default : bound[i]));
}

/** The usual case: positional arguments only. */
function bindPositional(signature: Signature, args: Value[]): Value[] {
  const { parameters } = signature;
  if (args.length === parameters.length) return args;
  if (args.length > parameters.length) tooMany(signature, args.length);
  const bound = args.slice();
  for (let i = args.length; i < parameters.length; i++) {
    const value = parameters[i]?.default;
    if (value === undefined) return missing(signature, withDefaults(signature, args));
    bound.push(value);
  }
  return bound;
}

function unexpectedKeyword({ name, builtin }: Signature, keyword: string): never {
  if (builtin) raise('TypeError', `'${keyword}' is an invalid keyword argument for ${name}()`);
  return raise('TypeError', `${name}() got an unexpected keyword argument '${keyword}'`);
}

/** Adds named arguments to `bound`; returns those without a parameter, if the signature allows them. */
function bindKeywords(
  signature: Signature,
  bound: (Value | undefined)[],
  kwargs: Kwargs,
): Map<string, Value> {
  const left = new Map<string, Value>();
  for (const [name, value] of kwargs) {
    charge(value);
    const index = signature.parameters.findIndex((parameter) => parameter.name === name);
    if (signature.positionalOnly) raise('TypeError', `${signature.name}() takes no keyword arguments`);
    if (index === -1) {
      if (!signature.keywords) unexpectedKeyword(signature, name);
      left.set(name, value);
    } else if (bound[index] !== undefined) {
      raise('TypeError', `${signature.name}() got multiple values for argument '${name}'`);
    } else {
      bound[index] = value;
    }
  }
  return left;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function tooMany(signature: Signature, given: number): never {
  const { name, parameters, hidden, positionalOnly } = signature;
  const required = parameters.filter((parameter) => !('default' in parameter)).length;
  const most = parameters.length;
  if (positionalOnly) {
    if (most === 0) raise('TypeError', `${name}() takes no arguments (${given} given)`);
    raise('TypeError', wrongCount(name, required, most, given));
  }
  if (signature.builtin) {
    raise('TypeError', `${name}() takes at most ${plural(most, 'argument')} (${given} given)`);
  }
  const range =
    required === most
      ? plural(most + hidden, 'positional argument')
      : `from ${required + hidden} to ${plural(most + hidden, 'positional argument')}`;
  return raise('TypeError', `${name}() takes ${range} but ${given + hidden} were given`);
}

/** Raises the error of functions written in C for a wrong number of arguments. */
function wrongCount(name: string, least: number, most: number, given: number): string {
  if (least === 1 && most === 1) return `${name}() takes exactly one argument (${given} given)`;
  const short = name.slice(name.indexOf('.') + 1);
  if (least === most) return `${short} expected ${plural(least, 'argument')}, got ${given}`;
  const bound =
    given < least ? `at least ${plural(least, 'argument')}` : `at most ${plural(most, 'argument')}`;
  return `${short} expected ${bound}, got ${given}`;
}

function missing(signature: Signature, bound: (Value | undefined)[]): never {
  const { name, parameters, positionalOnly } = signature;
  if (positionalOnly) {
    const required = parameters.filter((parameter) => !('default' in parameter)).length;
    const given = bound.findIndex((value) => value === undefined);
    raise('TypeError', wrongCount(name, required, parameters.length, given));
  }
  if (signature.builtin) {
    const index = bound.findIndex((value) => value === undefined);
    raise(
      'TypeError',
      `${name}() missing required argument '${parameters[index]?.name ?? ''}' (pos ${index + 1})`,
    );
  }
  const names = parameters.filter((_, i) => bound[i] === undefined).map((parameter) => `'${parameter.name}'`);
  const last = names.at(-1) ?? '';
  const list =
    names.length === 1
      ? last
      : names.length === 2
        ? names.join(' and ')
        : `${names.slice(0, -1).join(', ')}, and ${last}`;
  return raise(
    'TypeError',
    `${name}() missing ${plural(names.length, 'required positional argument')}: ${list}`,
  );
}

interface MethodEntry {
  signature: Signature;
  implementation: (self: Value, ...args: Value[]) => Value;
}

/** The methods of one Python type, by name. */
export type MethodTable = ReadonlyMap<string, MethodEntry>;

/**
 * Returns the method table of a type from signatures such as `replace(old, new, count=-1, /)`. The caller has
 * to ensure that methods are only bound to values of the type `Self`.
 */
export function methods<Self extends Value>(
  type: string,
  table: Record<string, (self: Self, ...args: Value[]) => Value>,
): MethodTable {
  return new Map(
    Object.entries(table).map(([text, implementation]) => {
      const signature = parseSignature(text);
      const { name } = signature;
      signature.builtin = true;
      if (signature.positionalOnly) signature.name = `${type}.${name}`;
      return [name, { signature, implementation: implementation as MethodEntry['implementation'] }] as const;
    }),
  );
}

/** A method together with its object. */
export class BoundMethod extends Obj {
  readonly #self: Value;
  readonly #type: string;
  readonly #method: MethodEntry;

  constructor(self: Value, type: string, method: MethodEntry) {
    super();
    this.#self = self;
    this.#type = type;
    this.#method = method;
  }

  override get typeName(): string {
    return 'builtin_function_or_method';
  }

  get #name(): string {
    const { name } = this.#method.signature;
    return name.slice(name.indexOf('.') + 1);
  }

  override repr(): string {
    return `<built-in method ${this.#name} of ${this.#type} object>`;
  }

  /** Tells those who want to know that a method is printed in place of a member of the data with its name. */
  override str(): string {
    const { findings, template, position } = run;
    const name = this.#name;
    if (findings !== null && template !== null && this.#self instanceof Dict && this.#self.has(name)) {
      const what = `${name}, which is a method here (the member is ['${name}'])`;
      findings.addUndefined(what, name, { template, offset: position }, () => []);
    }
    return this.repr();
  }

  override get callable(): boolean {
    return true;
  }

  override call(args: Value[], kwargs: Kwargs): Value {
    charge(this.#self);
    return this.#method.implementation(this.#self, ...bind(this.#method.signature, args, kwargs));
  }
}
