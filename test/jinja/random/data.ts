import { list } from '../../support/random.ts';
import type { Random } from '../../support/random.ts';

export const WORDS = [
  'alpha',
  'Beta',
  'gamma delta',
  'ß straße',
  '',
  'x',
  '<b>bold</b>',
  '12',
  '3.5',
  'naïve',
  '😀 smile',
  'a,b,c',
  "it's",
  'UPPER case',
  '  pad  ',
  'line\nbreak',
  'http://example.com/a?b=c',
  '%s and %d',
  '{0} {x}',
  'tab\there',
  '1e400',
  '-inf',
  'nan',
  '@a@b.cc',
];
const KEYS = ['a', 'b', 'name', 'items', 'n', 'x y', '1', 'list', 'é'];
export const NUMBERS = [
  '0',
  '1',
  '-1',
  '2',
  '3',
  '7',
  '10',
  '100',
  '1234567',
  '0.5',
  '1.0',
  '2.5',
  '-0.5',
  '3.14159',
  '1e3',
  '1e20',
  '0.1',
  '12345678901234567890',
  '1e-7',
  '99.995',
  '-7',
  '0.0',
  '1000000.0',
  '255',
];

/** JSON text of a random value. */
function json(random: Random, depth: number): string {
  const kind = random.below(depth > 0 ? 8 : 5);
  switch (kind) {
    case 0:
    case 1:
      return random.pick(NUMBERS);
    case 2:
    case 3:
      return JSON.stringify(random.pick(WORDS));
    case 4:
      return random.pick(['true', 'false', 'null']);
    case 5:
      return `[${list(random, 4, () => json(random, depth - 1)).join(',')}]`;
    case 6: {
      // A list of one kind is what templates sort and sum.
      const numbers = random.chance(0.5);
      return `[${list(random, 5, () => (numbers ? random.pick(NUMBERS) : JSON.stringify(random.pick(WORDS)))).join(',')}]`;
    }
    default:
      return object(random, depth - 1);
  }
}

function object(random: Random, depth: number): string {
  const entries = list(random, 4, () => `${JSON.stringify(random.pick(KEYS))}:${json(random, depth)}`);
  return `{${entries.join(',')}}`;
}

/** A date as test cases write it. */
function date(random: Random): string {
  const two = (from: number, count: number): string => String(from + random.below(count)).padStart(2, '0');
  const fraction = random.pick(['', '.500', '.123', '.001']);
  return `{"$datetime":"${1970 + random.below(90)}-${two(1, 12)}-${two(1, 28)}T${two(0, 24)}:${two(0, 60)}:${two(0, 60)}${fraction}+00:00"}`;
}

/** The data of a case: JSON text of an object with variables of every kind. */
export function data(random: Random): string {
  const rows = Array.from(
    { length: 1 + random.below(4) },
    () =>
      `{"name":${JSON.stringify(random.pick(WORDS))},"n":${random.pick(NUMBERS)},"tags":[${list(random, 3, () => JSON.stringify(random.pick(WORDS))).join(',')}],"sub":{"k":${json(random, 0)}}}`,
  );
  return (
    `{"s":${JSON.stringify(random.pick(WORDS))},"t":${JSON.stringify(random.pick(WORDS))},"i":${random.pick(NUMBERS)},` +
    `"f":${random.pick(NUMBERS)},"l":[${list(random, 4, () => json(random, 1)).join(',')}],"d":${object(random, 2)},"rows":[${rows.join(',')}],"v":${json(random, 3)},"none":null,"when":${date(random)},"then":${date(random)},` +
    `"nums":[${list(random, 5, () => random.pick(NUMBERS)).join(',')}],"words":[${list(random, 5, () => JSON.stringify(random.pick(WORDS))).join(',')}]}`
  );
}
