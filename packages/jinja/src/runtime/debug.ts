import { prettyPrint } from '../format/pprint.ts';
import { Dict } from '../values/containers.ts';
import type { Context } from './context.ts';

/** Returns the output of `{% debug %}`: the variables, filters and tests. */
export function debugText(context: Context): string {
  return prettyPrint(
    Dict.from([
      ['context', Dict.from(context.all())],
      ['filters', [...context.filters.keys()].sort()],
      ['tests', [...context.tests.keys()].sort()],
    ]),
    { depth: 3, compact: true },
  );
}
