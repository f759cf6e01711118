import type { ComparisonOperator } from '../ast.ts';
import { compare, equal } from '../values/compare.ts';
import { contains } from '../values/operators.ts';
import type { Value } from '../values/types.ts';

/** The function of each comparison operator. */
export const COMPARISONS: Readonly<Record<ComparisonOperator, (a: Value, b: Value) => boolean>> = {
  '==': equal,
  '!=': (a, b) => !equal(a, b),
  '<': (a, b) => compare('<', a, b) < 0,
  '<=': (a, b) => compare('<=', a, b) <= 0,
  '>': (a, b) => compare('>', a, b) > 0,
  '>=': (a, b) => compare('>=', a, b) >= 0,
  in: (a, b) => contains(b, a),
  'not in': (a, b) => !contains(b, a),
};
