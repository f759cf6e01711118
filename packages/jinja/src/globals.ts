import { exceed, run } from './budget.ts';
import { raise } from './errors.ts';
import { lipsum } from './runtime/lipsum.ts';
import { ClassObject, Cycler, Joiner, Namespace } from './runtime/helpers.ts';
import { now } from './values/datetime.ts';
import { Dict } from './values/containers.ts';
import { Range } from './values/range.ts';
import { updateDict } from './values/methods/containers.ts';
import { native } from './values/native.ts';
import type { Value } from './values/types.ts';
import { typeName } from './values/types.ts';

function bound(value: Value): number {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return exceed('range');
  return raise('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
}

function makeRange(args: Value): Range {
  if (!Array.isArray(args) || args.length === 0)
    return raise('TypeError', 'range expected at least 1 argument, got 0');
  if (args.length > 3) raise('TypeError', `range expected at most 3 arguments, got ${args.length}`);
  const [first = 0, second = 0, stride = 1] = args.map(bound);
  if (stride === 0) raise('ValueError', 'range() arg 3 must not be zero');
  const range = args.length === 1 ? new Range(0, first, 1) : new Range(first, second, stride);
  if (range.count > run.limits.range) {
    raise(
      'OverflowError',
      `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${run.limits.range}).`,
    );
  }
  return range;
}

/** `dict(mapping or pairs, **more)`. */
function makeDict(name: string, args: Value, named: Value): Dict {
  const dict = new Dict();
  if (Array.isArray(args) && args.length > 1) {
    raise('TypeError', `${name} expected at most 1 argument, got ${args.length}`);
  }
  const [first] = Array.isArray(args) ? args : [];
  if (first !== undefined) updateDict(dict, first);
  if (named !== null) updateDict(dict, named);
  return dict;
}

/** Jinja2's global functions, and `now()`. */
export const GLOBALS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['range', native('safe_range(*args)', (args) => makeRange(args))],
  [
    'dict',
    new ClassObject('dict', 'dict(*args, **kwargs)', (args, named) =>
      makeDict('dict', args ?? [], named ?? null),
    ),
  ],
  ['lipsum', native('generate_lorem_ipsum(n=5, html=True, min=20, max=100)', lipsum)],
  [
    'cycler',
    new ClassObject(
      'jinja2.utils.Cycler',
      'Cycler(*items)',
      (items) => new Cycler(Array.isArray(items) ? items : []),
    ),
  ],
  [
    'joiner',
    new ClassObject('jinja2.utils.Joiner', "Joiner(sep=', ')", (separator) => new Joiner(separator ?? ', ')),
  ],
  [
    'namespace',
    new ClassObject(
      'jinja2.utils.Namespace',
      'Namespace(*args, **kwargs)',
      (args, named) => new Namespace(makeDict('dict', args ?? [], named ?? null)),
    ),
  ],
  ['now', native('now()', now)],
]);
