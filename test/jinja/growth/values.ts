import { Dict, Float, Markup, Tuple, type Value } from '@platen/jinja';
import { Iter, nextOf } from '../../../packages/jinja/src/values/containers.ts';
import { Range } from '../../../packages/jinja/src/values/range.ts';

/** Values of templates that grow with `n`, by name. Each call makes a new one, because some are used up. */

const list = (n: number, item: (i: number) => Value): Value[] => Array.from({ length: n }, (_, i) => item(i));
const repeated = (n: number, part: string): string =>
  flat(part.repeat(Math.ceil(n / part.length)).slice(0, n));

/** Repeated strings are ropes; what flattens them should not be measured. */
const flat = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

/** A list in a list in a list …, `depth` levels that share nothing, with `n` numbers on the last one. */
function nested(n: number, depth: number): Value {
  let value: Value = list(n, (i) => i);
  for (let i = 0; i < depth; i++) value = [value, i];
  return value;
}

/** A tuple of the same tuple twice, …: about `n` elements when they are all visited. */
function shared(n: number): Value {
  let value: Value = new Tuple(['a', 1]);
  for (let size = 2; size < n; size *= 2) value = new Tuple([value, value]);
  return value;
}

export type Make = (n: number) => Value;

export const VALUES: Readonly<Record<string, Make>> = {
  text: (n) => repeated(n, 'Lorem ipsum dolor sit amet, '),
  word: (n) => repeated(n, 'a'),
  unicode: (n) => repeated(n, 'ä😀ß '),
  blanks: (n) => repeated(n, ' '),
  lines: (n) => repeated(n, 'a\n'),
  hyphens: (n) => repeated(n, 'ab-'),
  digits: (n) => repeated(n, '1'),
  point: (n) => `${repeated(n, '12')}.5`,
  arabic: (n) => repeated(n, '٣'),
  tags: (n) => repeated(n, '<b>&amp;'),
  ampersands: (n) => repeated(n, '&'),
  address: (n) => repeated(n, 'www.a.de '),
  braces: (n) => repeated(n, '{}'),
  fields: (n) => repeated(n, '{0:>4}'),
  percents: (n) => repeated(n, '%s'),
  named: (n) => repeated(n, '%(a)s'),
  needle: (n) => flat(`b${repeated(n / 2, 'a')}`),
  inner: (n) => flat(`1${repeated(n, ' ')}1`),
  dashes: (n) => repeated(n, '-'),
  nonbreaking: (n) => flat(`${repeated(n, '\u00a0')}x`),
  underscores: (n) => repeated(n, '1_'),
  references: (n) => repeated(n, '&notitabcdefghijklmnopqrstuvwxyzab'),
  hashes: (n) => flat(`&#${repeated(n, '9')};`),
  precise: () => '%.1000e%.1000f%.1000g',
  precisely: () => '{:.1000e}{:.1000f}{:.1000g}{:.1000}',
  dots: (n) => repeated(n, 'a.'),
  commas: (n) => repeated(n, 'a,'),
  markup: (n) => new Markup(repeated(n, '<b>x</b> ')),
  numbers: (n) => list(n, (i) => i),
  descending: (n) => list(n, (i) => n - i),
  same: (n) => list(n, () => 1),
  floats: (n) => list(n, (i) => new Float(i / 7)),
  words: (n) => list(n, (i) => `w${i % 97}`),
  markups: (n) => list(n, (i) => new Markup(`m${i}`)),
  long: (n) => list(Math.ceil(n / 1000), () => 'x'.repeat(1000)),
  pairs: (n) => list(n, (i) => new Tuple([`k${i}`, i])),
  tuples: (n) => list(n, (i) => new Tuple([i % 7, `b${i}`, new Float(i)])),
  wide: (n) => list(Math.ceil(n / 1000), () => new Tuple(list(1000, (i) => i))),
  texts: (n) => list(Math.ceil(n / 1000), () => new Tuple(['x'.repeat(1000)])),
  records: (n) =>
    list(n, (i) =>
      Dict.from([
        ['a', i % 7],
        ['b', `x${i}`],
      ] as [Value, Value][]),
    ),
  deep: (n) => nested(n, 100),
  shared,
  sharing: (n) => list(10, () => shared(n / 10)),
  tuple: (n) => new Tuple(list(n, (i) => i)),
  range: (n) => new Range(0, n, 1),
  dict: (n) => Dict.from(list(n, (i) => i).map((i): [Value, Value] => [`k${String(i)}`, i])),
  keyed: (n) => Dict.from([[new Tuple(list(n, (i) => i)), 1]] as [Value, Value][]),
  worded: (n) => Dict.from([['k'.repeat(n), 'v'.repeat(n)]] as [Value, Value][]),
  generator: (n) => new Iter(nextOf(list(n, (i) => i))),
  big: (n) => 3n ** BigInt(Math.min(n, 8000)),
  integer: () => 12345,
  half: () => new Float(0.5),
  tiny: () => new Float(5e-324),
  huge: () => new Float(1.7e308),
  fractions: (n) => list(n, () => new Float(1.1e-300)),
  none: () => null,
};
