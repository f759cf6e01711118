import type { CallSite, Value } from '@platen/jinja';
import { Environment, toList, truthy, Undefined } from '@platen/jinja';
import { ownAttribute, getItem } from '../../../packages/jinja/src/values/attributes.ts';
import { COMPARISONS } from '../../../packages/jinja/src/compile/comparisons.ts';
import { binary, type BinaryOperator, contains } from '../../../packages/jinja/src/values/operators.ts';
import { slice } from '../../../packages/jinja/src/values/slices.ts';
import { Obj, NO_KWARGS } from '../../../packages/jinja/src/values/types.ts';
import { repr, str } from '../../../packages/jinja/src/values/repr.ts';
import { escape } from '../../../packages/jinja/src/values/escape.ts';

/** Everything that a template can do with values, as functions of them. */
export interface Operation {
  name: string;
  /** How many values it takes besides the first. */
  most: number;
  run: (value: Value, ...args: Value[]) => Value;
}

const environment = new Environment();
const SITE: CallSite = {
  autoescape: true,
  filters: environment.filters,
  tests: environment.tests,
  newline: '\n',
  lookup: () => null,
};

const METHODS =
  `append clear copy count extend index insert pop remove reverse sort fromkeys get items keys popitem setdefault
  update values isdisjoint bit_length bit_count conjugate as_integer_ratio is_integer hex capitalize casefold center
  endswith expandtabs find isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace
  istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition
  rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill format format_map striptags
  unescape escape`.split(/\s+/u);

/** A lazy result only works when it is read. */
function read(value: Value): Value {
  return value instanceof Obj && value.iterate() !== undefined && value.length() === undefined
    ? toList(value)
    : value;
}

export const OPERATIONS: readonly Operation[] = [
  ...Array.from(environment.filters, ([name, filter]): Operation => ({
    name: `|${name}`,
    most: 3,
    run: (...args) => read(filter.call(args, NO_KWARGS, SITE)),
  })),
  ...Array.from(environment.tests, ([name, test]): Operation => ({
    name: `is ${name}`,
    most: 1,
    run: (...args) => test.call(args, NO_KWARGS, SITE),
  })),
  ...METHODS.map((name): Operation => ({
    name: `.${name}`,
    most: 3,
    run: (value, ...args) => {
      const method = ownAttribute(value, name);
      if (!(method instanceof Obj) || method instanceof Undefined) throw new TypeError('no such method');
      return read(method.call(args, NO_KWARGS, SITE));
    },
  })),
  ...(['+', '-', '*', '/', '//', '%', '**'] as BinaryOperator[]).map((operator): Operation => ({
    name: operator,
    most: 1,
    run: (value, other = null) => binary(operator, value, other),
  })),
  ...Object.entries(COMPARISONS).map(([name, holds]): Operation => ({
    name,
    most: 1,
    run: (value, other = null) => holds(value, other),
  })),
  { name: 'in', most: 1, run: (value, other = null) => contains(value, other) },
  { name: '[:]', most: 3, run: (value, a = null, b = null, c = null) => slice(value, a, b, c) },
  { name: '[]', most: 1, run: (value, key = null) => getItem(value, key) },
  { name: 'for', most: 0, run: (value) => toList(value) },
  { name: 'if', most: 0, run: (value) => truthy(value) },
  { name: 'str', most: 0, run: (value) => str(value) },
  { name: 'repr', most: 0, run: (value) => repr(value) },
  { name: 'escape', most: 0, run: (value) => escape(value) },
  ...['range', 'dict', 'cycler', 'joiner', 'namespace', 'lipsum'].map((name): Operation => ({
    name: `${name}()`,
    most: 3,
    run: (...args) => {
      const made = environment.globals.get(name);
      return made instanceof Obj ? read(made.call(args, NO_KWARGS, SITE)) : null;
    },
  })),
];
