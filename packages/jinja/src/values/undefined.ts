import { run } from '../budget.ts';
import type { UndefinedPolicy } from '../budget.ts';
import { TemplateError } from '../errors.ts';
import type { ErrorKind } from '../errors.ts';
import type { Next, Value } from './types.ts';
import { isString, Obj, objectTypeRepr, textOf } from './types.ts';
import { repr } from './repr.ts';

const CLASS_NAMES: Record<UndefinedPolicy, string> = {
  default: 'Undefined',
  chainable: 'ChainableUndefined',
  debug: 'DebugUndefined',
  strict: 'StrictUndefined',
};

interface UndefinedOrigin {
  /** A complete message, in place of one made from object and name. */
  hint?: string;
  /** The object that lacks `name`. */
  object?: Value;
  /** The missing variable, attribute or key. */
  name?: Value;
  kind?: ErrorKind;
  /** The expression, if it is a path of names. */
  path?: string | null;
  /** Returns the names that are defined in its place. */
  known?: () => Iterable<string>;
}

/** A missing value: it prints as nothing, and almost every other use is an error. */
export class Undefined extends Obj {
  readonly #origin: UndefinedOrigin;
  readonly policy: UndefinedPolicy;

  constructor(origin: UndefinedOrigin, policy: UndefinedPolicy = run.undefinedPolicy) {
    super();
    this.#origin = origin;
    this.policy = policy;
  }

  override get typeName(): string {
    return CLASS_NAMES[this.policy];
  }

  override get module(): string {
    return 'jinja2.runtime';
  }

  get message(): string {
    const { hint, object, name } = this.#origin;
    if (hint !== undefined) return hint;
    if (object === undefined) return `${repr(name ?? null)} is undefined`;
    if (typeof name !== 'string') return `${objectTypeRepr(object)} has no element ${repr(name ?? null)}`;
    return `${repr(objectTypeRepr(object))} has no attribute ${repr(name)}`;
  }

  /** Returns this value with the expression that it comes from. */
  of(object: Value, path: string | null): this {
    if (this.#origin.object === object) this.#origin.path ??= path;
    return this;
  }

  /** Tells those who want to know that a missing name is used; a hint means that the value is not missing by its name. */
  #tell(): void {
    const { findings, template, position } = run;
    const { hint, object, name, path, known } = this.#origin;
    if (findings === null || template === null) return;
    if (name === undefined || name === null || (hint !== undefined && object === undefined)) return;
    const last = isString(name) ? textOf(name) : `[${repr(name)}]`;
    findings.addUndefined(path ?? last, last, { template, offset: position }, () => {
      const names = object === undefined ? known?.() : object instanceof Obj ? object.keyNames() : undefined;
      return [...(names ?? [])];
    });
  }

  /** Throws the error of using this value. */
  fail(): never {
    throw new TemplateError(this.#origin.kind ?? 'UndefinedError', this.message);
  }

  override repr(): string {
    return 'Undefined';
  }

  override str(): string {
    if (this.policy === 'strict') this.fail();
    this.#tell();
    if (this.policy !== 'debug') return '';
    const { hint, object, name } = this.#origin;
    if (hint !== undefined) return `{{ undefined value printed: ${hint} }}`;
    if (object === undefined) return `{{ ${String(name)} }}`;
    return `{{ no such element: ${objectTypeRepr(object)}[${repr(name ?? null)}] }}`;
  }

  override html(): string | undefined {
    return this.policy === 'chainable' ? this.str() : undefined;
  }

  override truthy(): boolean {
    if (this.policy === 'strict') this.fail();
    return false;
  }

  override length(): number {
    if (this.policy === 'strict') this.fail();
    this.#tell();
    return 0;
  }

  override iterate(): Next {
    if (this.policy === 'strict') this.fail();
    return () => {
      this.#tell();
      return undefined;
    };
  }

  override attribute(name: string): Value | undefined {
    if (this.policy === 'chainable') return this;
    return name.startsWith('__') ? undefined : this.fail();
  }

  override item(): Value {
    return this.policy === 'chainable' ? this : this.fail();
  }

  override get subscriptable(): boolean {
    return true;
  }

  override contains(): boolean | undefined {
    if (this.policy === 'strict') this.fail();
    return undefined;
  }

  override equals(other: Value): boolean {
    if (this.policy === 'strict') this.fail();
    return other instanceof Undefined;
  }

  override compare(): never {
    return this.fail();
  }

  override hashKey(): unknown {
    if (this.policy === 'strict') this.fail();
    return Undefined;
  }

  override operate(): never {
    return this.fail();
  }

  override get callable(): boolean {
    return true;
  }

  override call(): never {
    return this.fail();
  }

  /** `format()` of an object without `__format__` of its own. */
  override format(spec: string): string {
    if (spec === '') return this.str();
    throw new TemplateError('TypeError', `unsupported format string passed to ${this.typeName}.__format__`);
  }
}
