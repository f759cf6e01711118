import type * as ast from '../ast.ts';
import { claimList, claimString, step } from '../budget.ts';
import { TemplateError } from '../errors.ts';
import { getAttribute, getItem } from '../values/attributes.ts';
import { Dict, Tuple } from '../values/containers.ts';
import { toList, truthy } from '../values/iterate.ts';
import { NativeFunction } from '../values/native.ts';
import { binary, unary } from '../values/operators.ts';
import { Range } from '../values/range.ts';
import { str } from '../values/repr.ts';
import { slice } from '../values/slices.ts';
import type { CallSite, Kwargs, Value } from '../values/types.ts';
import { Float, Markup } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import { COMPARISONS } from './comparisons.ts';
import type { CompileFrame } from './frame.ts';

/**
 * Computes constants during compilation. This is not only for speed: Jinja2 does so too, and some results
 * differ from those at run time (`~` loses markup, a slice of a value without slices is undefined).
 */

/** Larger strings and lists are created at run time, because compiled templates stay in memory. */
const MAX_SIZE = 1000;
/** Maximum values in a constant, with those in the lists within its lists. */
const MAX_VALUES = 10_000;

/** Thrown for an expression that is not constant. */
const NOT_CONSTANT = new Error('not constant');

/** Returns the value of a constant expression; undefined when it is not constant. */
export function fold(node: ast.Expression, frame: CompileFrame): Value | undefined {
  const { folded } = frame.compilation;
  // Each node is compiled once, so the cached result stays valid.
  if (folded.has(node)) return folded.get(node);
  const value = tryCompute(node, frame);
  folded.set(node, value);
  return value;
}

/** Like `fold`, for values that can replace the expression: plain data. */
export function foldToData(node: ast.Expression, frame: CompileFrame): Value | undefined {
  const value = fold(node, frame);
  return value !== undefined && isData(value) ? value : undefined;
}

/**
 * Returns a copy of plain data, because a template may change its list and has to start with the original
 * next time.
 */
export function copyData(value: Value): Value {
  if (Array.isArray(value)) {
    claimList(value.length);
    return value.map(copyData);
  }
  if (value instanceof Tuple) return new Tuple(value.items.map(copyData));
  if (!(value instanceof Dict)) return value;
  return Dict.from(Array.from(value.entries(), ([key, item]) => [key, copyData(item)] as const));
}

/** Returns whether a value never changes, so that it need not be copied. */
export function isImmutable(value: Value): boolean {
  if (value instanceof Tuple) return value.items.every(isImmutable);
  return !Array.isArray(value) && !(value instanceof Dict);
}

function isData(value: Value): boolean {
  if (Array.isArray(value)) return value.every(isData);
  if (value instanceof Tuple) return value.items.every(isData);
  if (value instanceof Dict) return [...value.entries()].every(([key, item]) => isData(key) && isData(item));
  if (typeof value !== 'object' || value === null) return true;
  return value instanceof Float || value instanceof Markup || value instanceof Range;
}

function tryCompute(node: ast.Expression, frame: CompileFrame): Value | undefined {
  try {
    const value = compute(node, frame);
    return isSmall(value) ? value : undefined;
  } catch (error) {
    // An error is reported when the expression is evaluated.
    if (error === NOT_CONSTANT || error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** @param room how many values are still allowed */
function isSmall(value: Value, room = { values: MAX_VALUES }): boolean {
  step();
  if (room.values-- <= 0) return false;
  if (typeof value === 'string') return value.length <= MAX_SIZE;
  if (value instanceof Markup) return value.text.length <= MAX_SIZE;
  const items = value instanceof Tuple ? value.items : value;
  if (Array.isArray(items)) return items.length <= MAX_SIZE && items.every((item) => isSmall(item, room));
  if (!(value instanceof Dict)) return true;
  for (const [key, item] of value.entries()) if (!isSmall(key, room) || !isSmall(item, room)) return false;
  return true;
}

function need(node: ast.Expression, frame: CompileFrame): Value {
  const value = fold(node, frame);
  if (value === undefined) throw NOT_CONSTANT;
  return value;
}

function compute(node: ast.Expression, frame: CompileFrame): Value {
  const get = (part: ast.Expression): Value => need(part, frame);
  switch (node.kind) {
    case 'const':
      return node.value;
    case 'tuple':
      return new Tuple(node.items.map(get));
    case 'list':
      return node.items.map(get);
    case 'dict':
      return Dict.from(node.items.map(({ key, value }) => [get(key), get(value)] as const));
    case 'conditional':
      if (truthy(get(node.test))) return get(node.whenTrue);
      if (node.otherwise === null) throw NOT_CONSTANT;
      return get(node.otherwise);
    case 'binary':
      return binary(node.operator, get(node.left), get(node.right));
    case 'and': {
      const left = get(node.left);
      return truthy(left) ? get(node.right) : left;
    }
    case 'or': {
      const left = get(node.left);
      return truthy(left) ? left : get(node.right);
    }
    case 'unary': {
      const operand = get(node.operand);
      return node.operator === 'not' ? !truthy(operand) : unary(node.operator, operand);
    }
    case 'compare':
      return compare(node, get);
    case 'concat':
      return concatenated(node.items.map((item) => str(get(item))));
    case 'getattr':
      return getAttribute(get(node.object), node.name);
    case 'getitem':
      return node.key.kind === 'slice'
        ? sliceOrUndefined(get(node.object), node.key, get)
        : getItem(get(node.object), get(node.key));
    case 'filter':
    case 'test':
      return callNative(node, frame);
    case 'name':
    case 'namespaceRef':
    case 'slice':
    case 'call':
    case 'markSafe':
      throw NOT_CONSTANT;
  }
}

function concatenated(parts: readonly string[]): string {
  claimString(parts.reduce((sum, part) => sum + part.length, 0));
  return parts.join('');
}

type Get = (node: ast.Expression) => Value;

function compare(node: ast.Compare, get: Get): boolean {
  let left = get(node.left);
  for (const { operator, right } of node.operations) {
    const value = get(right);
    if (!COMPARISONS[operator](left, value)) return false;
    left = value;
  }
  return true;
}

function sliceOrUndefined(object: Value, { start, stop, step }: ast.SliceNode, get: Get): Value {
  const part = (node: ast.Expression | null): Value => (node === null ? null : get(node));
  const bounds = [part(start), part(stop), part(step)] as const;
  try {
    return slice(object, ...bounds);
  } catch (error) {
    if (!(error instanceof TemplateError) || error.kind !== 'TypeError') throw error;
    return new Undefined({ object, name: null });
  }
}

/** Calls a filter or a test, unless it depends on the context or is not built in. */
function callNative(node: ast.Filter | ast.Test, frame: CompileFrame): Value {
  const { environment, escaping } = frame.compilation;
  const known = (node.kind === 'filter' ? environment.filters : environment.tests).get(node.name);
  const isPure = known instanceof NativeFunction && !known.signature.usesContext;
  if (!isPure || escaping.volatile || node.input === null) throw NOT_CONSTANT;
  const { filters, tests } = environment;
  const newline = environment.syntax.newlineSequence;
  const lookup = (): never => {
    throw NOT_CONSTANT;
  };
  const site: CallSite = { autoescape: escaping.autoescape, filters, tests, newline, lookup };
  const args = [need(node.input, frame), ...node.args.map((arg) => need(arg, frame))];
  if (node.rest !== null) args.push(...toList(need(node.rest, frame)));
  return known.call(args, foldKwargs(node, frame), site);
}

function foldKwargs(node: ast.CallArguments, frame: CompileFrame): Kwargs {
  const kwargs = new Map<string, Value>();
  for (const { name, value } of node.kwargs) kwargs.set(name, need(value, frame));
  if (node.keywords === null) return kwargs;
  const more = need(node.keywords, frame);
  if (!(more instanceof Dict)) throw NOT_CONSTANT;
  for (const [key, value] of more.entries()) kwargs.set(str(key), value);
  return kwargs;
}
