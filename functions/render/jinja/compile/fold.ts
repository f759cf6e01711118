import type * as ast from '../ast.ts';
import type { Value } from '../values/types.ts';
import type { CompileFrame } from './frame.ts';

/** The value of an expression that does not depend on anything, or undefined. */
export function fold(node: ast.Expression, _frame: CompileFrame): Value | undefined {
  return node.kind === 'const' ? node.value : undefined;
}
