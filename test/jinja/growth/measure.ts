/**
 * Measures what the operations of templates take in proportion to what they charge: every filter, test, method and
 * operator with values of many kinds, which grow. Lists what would run for longer than the time of a template before
 * it has used a budget.
 *
 *   npm run bench -- growth [operation, such as '|sort' or .format] [size] [milliseconds each]
 */
import { DEFAULT_LIMITS, TemplateError, type Value, withRun } from '@platen/jinja';
import { run } from '../../../packages/jinja/src/budget.ts';
import { type Operation, OPERATIONS } from './operations.ts';
import { type Make, VALUES } from './values.ts';

const [only = 'all', size = '20000', enough = '2'] = process.argv.slice(2);
const SIZE = Number(size);
const ENOUGH_MS = Number(enough);
/** Nothing ends by a budget while it is measured; what takes seconds for one call is found in any case. */
const LIMITS = { ...DEFAULT_LIMITS, steps: 1e12, memory: 1e14, time: 3000 };
/** Steps of a loop around the operation. */
const LOOP_STEPS = 3;
/** A call that takes less has no measurable duration of its own. */
const LEAST_MS = 0.02;

const SMALL: Readonly<Record<string, Make>> = {
  two: () => 2,
  minus: () => -1,
  x: () => 'x',
  empty: () => '',
  a: () => 'a',
  yes: () => true,
  upper: () => 'upper',
  n: (n) => n,
};
const GROWING =
  'text word unicode blanks needle dots commas numbers words tuples pairs long tuple records dict shared markup big generator none';
const ARGUMENTS = { ...SMALL, ...Object.fromEntries(GROWING.split(' ').map((name) => [name, VALUES[name]])) };

/** Operations that change a value, which has to be a new one each time. */
const CHANGING = new Set(
  '.append .clear .extend .insert .pop .popitem .remove .reverse .sort .update'.split(' '),
);

interface Measurement {
  /** Of the fastest call. */
  milliseconds: number;
  /** Part of a budget that one call uses. */
  share: number;
  error: string | undefined;
}

/** Makes room in a list, whose storage is copied when it first grows: a call that appends does so once for thousands. */
function roomy(value: Value): Value {
  if (Array.isArray(value)) {
    value.push(null);
    value.pop();
  }
  return value;
}

function attempt(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    // An error of the host is one of the harness: the method does not exist for this type, or the call is wrong.
    return error instanceof TemplateError ? error.kind : 'no such operation';
  }
}

function measure({ run: work }: Operation, make: () => Value[], isFresh: boolean): Measurement {
  return withRun(LIMITS, 'default', () => {
    let [fastest, spent, calls] = [Number.POSITIVE_INFINITY, 0, 0];
    let [steps, memory] = [0, 0];
    let args = make();
    let error: string | undefined;
    do {
      if (isFresh && calls > 0) args = make();
      const before = { ...run };
      const start = performance.now();
      const [value = null, ...others] = args;
      error = attempt(() => work(value, ...others));
      const took = performance.now() - start;
      [steps, memory] = [run.steps - before.steps + LOOP_STEPS, run.memory - before.memory];
      fastest = Math.min(fastest, took);
      spent += took;
      calls++;
    } while (
      calls < 50 &&
      (spent < ENOUGH_MS || (calls < 5 && spent < 300)) &&
      (error === undefined || calls < 3)
    );
    const share = Math.max(steps / DEFAULT_LIMITS.steps, memory / DEFAULT_LIMITS.memory);
    return { milliseconds: fastest, share, error };
  });
}

const made = new Map<string, Value>();

/** Returns a value, the same one again unless an operation changes it or uses it up. */
function valueOf(name: string, make: Make, n: number, isFresh: boolean): Value {
  const key = `${name} ${n}`;
  const known = isFresh ? undefined : made.get(key);
  const value = known ?? make(n);
  if (!isFresh) made.set(key, value);
  return value;
}

/** Names and values of the arguments to try. */
function* combinations(most: number): Generator<[string, Make][]> {
  yield [];
  if (most === 0) return;
  for (const [name, make] of Object.entries(ARGUMENTS)) {
    if (make === undefined) continue;
    yield [[name, make]];
    if (most < 2) continue;
    yield [
      [name, make],
      ['text', (n) => VALUES['text']?.(n) ?? null],
    ];
    yield [
      [name, make],
      ['n', (n) => n],
    ];
  }
}

let [tried, found] = [0, 0];
for (const operation of OPERATIONS) {
  if (only !== 'all' && operation.name !== only) continue;
  for (const [valueName, makeValue] of Object.entries(VALUES)) {
    for (const others of combinations(operation.most)) {
      const name = others.map(([other]) => other).join(', ');
      const isFresh = CHANGING.has(operation.name) || `${valueName} ${name}`.includes('generator');
      const all: [string, Make][] = [[valueName, makeValue], ...others];
      const at = (n: number) =>
        measure(operation, () => all.map(([of, make]) => roomy(valueOf(of, make, n, isFresh))), isFresh);
      const small = at(64);
      if (small.error !== undefined && small.error !== 'BudgetError') continue;
      tried++;
      const { milliseconds, share, error } = at(SIZE);
      // An error ends the template.
      const seconds = error === undefined ? milliseconds / 1000 / share : milliseconds / 1000;
      if (milliseconds < LEAST_MS || seconds * 1000 < DEFAULT_LIMITS.time) continue;
      found++;
      console.log(
        `${seconds.toFixed(0).padStart(6)} s until a budget is used, ${milliseconds.toFixed(3).padStart(10)} ms for one:` +
          ` ${valueName} ${operation.name} (${name}) ${error ?? ''}`,
      );
    }
  }
}
console.log(`${tried} combinations of ${SIZE}, ${found} of them slower than what they charge`);
process.exitCode = found > 0 ? 1 : 0;
