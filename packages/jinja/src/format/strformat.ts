import { claimAppend } from '../budget.ts';
import { raise } from '../errors.ts';
import { escape } from '../values/escape.ts';
import { repr, str } from '../values/repr.ts';
import type { Value } from '../values/types.ts';
import { Markup, Obj, textOf } from '../values/types.ts';
import { ascii } from './ascii.ts';
import { pieces } from './fields.ts';
import type { Field } from './fields.ts';
import { format } from './spec.ts';

/**
 * `str.format` as Jinja2's sandbox runs it: with Python's `string.Formatter`, fields looked up like
 * attributes and items in a template, and values escaped when the format is Markup.
 */
export function formatWithFields(
  template: string | Markup,
  args: Value[],
  kwargs: NamedArguments,
  lookup: Lookup,
): string | Markup {
  const formatter = new Formatter(args, kwargs, template instanceof Markup, lookup);
  const text = formatter.run(textOf(template), 2);
  return template instanceof Markup ? new Markup(text) : text;
}

/** The arguments that fields select by name: keywords, or a mapping of the template. */
export interface NamedArguments {
  get: (name: string) => Value | undefined;
}

/** Follows the path of a field by a template's rules for attributes and items. */
export interface Lookup {
  getAttribute: (value: Value, name: string) => Value;
  getItem: (value: Value, key: Value) => Value;
}

const MIXED = 'cannot switch from manual field specification to automatic field numbering';

class Formatter {
  readonly #args: Value[];
  readonly #kwargs: NamedArguments;
  readonly #escaping: boolean;
  readonly #lookup: Lookup;
  /** The number of the next `{}`; `manual` after an explicit number. */
  #auto: number | 'manual' = 0;

  constructor(args: Value[], kwargs: NamedArguments, escaping: boolean, lookup: Lookup) {
    this.#args = args;
    this.#kwargs = kwargs;
    this.#escaping = escaping;
    this.#lookup = lookup;
  }

  run(text: string, depth: number): string {
    if (depth < 0) raise('ValueError', 'Max string recursion exceeded');
    let result = '';
    for (const { literal, field, error } of pieces(text)) {
      if (error !== undefined) raise(error.kind, error.message);
      const inserted = field === undefined ? '' : this.#field(field, depth);
      claimAppend(result.length, literal.length + inserted.length);
      result += literal + inserted;
    }
    return result;
  }

  #field(field: Field, depth: number): string {
    const { conversion, spec } = field;
    const converted = convert(this.#valueOf(field), conversion);
    const filledSpec = spec.includes('{') || spec.includes('}') ? this.run(spec, depth - 1) : spec;
    if (!this.#escaping) return format(converted, filledSpec);
    return this.#escaped(converted, filledSpec);
  }

  #escaped(value: Value, spec: string): string {
    if (value instanceof Markup) {
      if (spec !== '') raise('ValueError', 'Unsupported format specification for Markup.');
      return value.text;
    }
    if (value instanceof Obj && value.html() !== undefined && spec === '') return value.html() ?? '';
    return escape(format(value, spec)).text;
  }

  #valueOf({ name, argument, path, pathError }: Field): Value {
    let value = this.#argument(name, argument);
    for (const step of path) {
      value =
        'attribute' in step
          ? this.#lookup.getAttribute(value, step.attribute)
          : this.#lookup.getItem(value, step.item);
    }
    if (pathError !== undefined) raise('ValueError', pathError);
    return value;
  }

  #argument(name: string, argument: number | string): Value {
    let key = argument;
    if (name === '') {
      if (this.#auto === 'manual') return raise('ValueError', MIXED);
      key = this.#auto++;
    } else if (typeof argument === 'number' && /^\d+$/u.test(name)) {
      if (typeof this.#auto === 'number' && this.#auto > 0) raise('ValueError', MIXED);
      this.#auto = 'manual';
    }
    const value = typeof key === 'number' ? this.#args[key] : this.#kwargs.get(key);
    if (value !== undefined) return value;
    return typeof key === 'number'
      ? raise('IndexError', 'tuple index out of range')
      : raise('KeyError', repr(key));
  }
}

function convert(value: Value, conversion: string): Value {
  switch (conversion) {
    case '':
      return value;
    case 's':
      return str(value);
    case 'r':
      return repr(value);
    case 'a':
      return ascii(repr(value));
    default:
      return raise('ValueError', `Unknown conversion specifier ${conversion}`);
  }
}
