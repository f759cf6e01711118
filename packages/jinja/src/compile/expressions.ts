import type * as ast from '../ast.ts';
import { claimList, claimString, run, spend, step } from '../budget.ts';
import { raise, TemplateError } from '../errors.ts';
import { Dict, Tuple } from '../values/containers.ts';
import { getAttribute, getItem } from '../values/attributes.ts';
import { escapedText, markSafe, softStr } from '../values/escape.ts';
import { truthy } from '../values/iterate.ts';
import { DICT_METHODS } from '../values/methods/containers.ts';
import { binary, unary } from '../values/operators.ts';
import { repr, str } from '../values/repr.ts';
import { slice } from '../values/slices.ts';
import type { Callable, Value } from '../values/types.ts';
import { Markup, NO_KWARGS } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import { callValue, compileArguments, seesVariables } from './calls.ts';
import { COMPARISONS } from './comparisons.ts';
import { copyData, foldToData, isImmutable } from './fold.ts';
import type { CompileFrame, Evaluate } from './frame.ts';
import { readLocals, readVariable } from './variables.ts';

/** Compiles an expression and computes its constant parts. */
export function compileExpression(node: ast.Expression, frame: CompileFrame): Evaluate {
  step();
  const constant = foldToData(node, frame);
  if (constant !== undefined) return isImmutable(constant) ? () => constant : () => copyData(constant);
  switch (node.kind) {
    case 'const': {
      const { value } = node;
      return () => value;
    }
    case 'name':
      return compileName(node, frame);
    case 'tuple':
    case 'list':
      return compileSequence(node, frame);
    case 'dict':
      return compileDict(node, frame);
    case 'conditional':
      return compileConditional(node, frame);
    case 'binary': {
      const { operator, offset } = node;
      const left = compileExpression(node.left, frame);
      const right = compileExpression(node.right, frame);
      return (at) => {
        const a = left(at);
        const b = right(at);
        run.position = offset;
        return binary(operator, a, b);
      };
    }
    case 'and':
    case 'or':
      return compileLogical(node, frame);
    case 'unary':
      return compileUnary(node, frame);
    case 'compare':
      return compileCompare(node, frame);
    case 'concat':
      return compileConcat(node, frame);
    case 'getattr':
      return compileAttribute(node, frame);
    case 'getitem':
      return compileItem(node, frame);
    case 'call': {
      const callee = compileExpression(node.callee, frame);
      const { offset } = node;
      const args = compileArguments(node, frame, compileExpression);
      const locals = seesVariables(node, frame.compilation.environment) ? readLocals(frame) : undefined;
      return (at) => callValue(callee(at), args, at, offset, locals);
    }
    case 'filter': {
      if (node.input === null) throw new Error('the filter of a block is compiled with its block');
      return compileFilter(node, compileExpression(node.input, frame), frame);
    }
    case 'test':
      return compileTest(node, frame);
    case 'slice':
      // A slice among several keys, which no type in a template supports.
      return compileSequence(
        {
          kind: 'tuple',
          items: [node.start, node.stop, node.step].filter((part) => part !== null),
          offset: node.offset,
        },
        frame,
      );
    case 'markSafe': {
      const operand = compileExpression(node.operand, frame);
      return (at) => {
        const value = operand(at);
        return at.context.autoescape ? markSafe(value) : value;
      };
    }
    case 'namespaceRef':
      throw new Error('a namespace attribute can only be assigned to');
  }
}

function compileName({ name }: ast.Name, frame: CompileFrame): Evaluate {
  const read = readVariable(frame, frame.symbols.ref(name));
  return (at) => {
    const value = read(at);
    if (value !== undefined) return value;
    return new Undefined({ name, path: name, known: () => at.context.names() });
  };
}

/** Returns an expression that is a path of names and keys, as a template writes it; null for any other. */
export function pathOf(node: ast.Expression): string | null {
  if (node.kind === 'name') return node.name;
  if (node.kind !== 'getattr' && node.kind !== 'getitem') return null;
  const object = pathOf(node.object);
  if (object === null) return null;
  if (node.kind === 'getattr') return `${object}.${node.name}`;
  return node.key.kind === 'const' ? `${object}[${repr(node.key.value)}]` : null;
}

function compileSequence(node: ast.TupleNode | ast.ListNode, frame: CompileFrame): Evaluate {
  const items = node.items.map((item) => compileExpression(item, frame));
  const evaluate: (at: Parameters<Evaluate>[0]) => Value[] = (at) => {
    claimList(items.length);
    return items.map((item) => item(at));
  };
  return node.kind === 'list' ? evaluate : (at) => new Tuple(evaluate(at));
}

/** Steps for creating a dict. */
const DICT_STEPS = 8;

function compileDict(node: ast.DictNode, frame: CompileFrame): Evaluate {
  const items = node.items.map(({ key, value }) => ({
    key: compileExpression(key, frame),
    value: compileExpression(value, frame),
  }));
  const { offset } = node;
  return (at) => {
    spend(DICT_STEPS);
    claimList(items.length);
    // As in Python, all keys and values are evaluated before the first key is hashed.
    const pairs = items.map((item) => [item.key(at), item.value(at)] as const);
    run.position = offset;
    const dict = new Dict();
    for (const [key, value] of pairs) dict.set(key, value);
    return dict;
  };
}

function compileConditional(node: ast.Conditional, outer: CompileFrame): Evaluate {
  const frame = outer.softened();
  const test = compileExpression(node.test, frame);
  const whenTrue = compileExpression(node.whenTrue, frame);
  if (node.otherwise === null) {
    const position = frame.compilation.describePosition(node.whenTrue.offset);
    const hint = `the inline if-expression on ${position} evaluated to false and no else section was defined.`;
    return (at) => (truthy(test(at)) ? whenTrue(at) : new Undefined({ hint }, 'default'));
  }
  const otherwise = compileExpression(node.otherwise, frame);
  return (at) => (truthy(test(at)) ? whenTrue(at) : otherwise(at));
}

function compileLogical(node: ast.Logical, frame: CompileFrame): Evaluate {
  const left = compileExpression(node.left, frame);
  const right = compileExpression(node.right, frame);
  if (node.kind === 'and') {
    return (at) => {
      const value = left(at);
      return truthy(value) ? right(at) : value;
    };
  }
  return (at) => {
    const value = left(at);
    return truthy(value) ? value : right(at);
  };
}

function compileUnary(node: ast.Unary, frame: CompileFrame): Evaluate {
  const operand = compileExpression(node.operand, frame);
  const { operator, offset } = node;
  if (operator === 'not') return (at) => !truthy(operand(at));
  return (at) => {
    const value = operand(at);
    run.position = offset;
    return unary(operator, value);
  };
}

function compileCompare(node: ast.Compare, frame: CompileFrame): Evaluate {
  const first = compileExpression(node.left, frame);
  const operations = node.operations.map(({ operator, right, offset }) => ({
    holds: COMPARISONS[operator],
    right: compileExpression(right, frame),
    offset,
  }));
  const [only] = operations;
  if (operations.length === 1 && only !== undefined) {
    const { holds, right, offset } = only;
    return (at) => {
      const a = first(at);
      const b = right(at);
      run.position = offset;
      step();
      return holds(a, b);
    };
  }
  return (at) => {
    let left = first(at);
    for (const { holds, right, offset } of operations) {
      const value = right(at);
      run.position = offset;
      step();
      if (!holds(left, value)) return false;
      left = value;
    }
    return true;
  };
}

function compileConcat(node: ast.Concat, frame: CompileFrame): Evaluate {
  const items = node.items.map((item) => compileExpression(item, frame));
  const { offset } = node;
  const { autoescape, volatile } = frame.escaping;
  const join = autoescape && !volatile ? markupJoin : stringJoin;
  return (at) => {
    const values = items.map((item) => item(at));
    run.position = offset;
    step();
    return join(values);
  };
}

function stringJoin(values: Value[]): string {
  let text = '';
  for (const value of values) text += str(value);
  claimString(text.length);
  return text;
}

/** Joins values as strings; if one of them is markup, the others are escaped and the result is markup. */
function markupJoin(values: Value[]): string | Markup {
  const parts = values.map(softStr);
  if (!parts.some((part) => part instanceof Markup)) return stringJoin(parts);
  const text = parts.map(escapedText).join('');
  claimString(text.length);
  return new Markup(text);
}

function compileAttribute(node: ast.GetAttribute, frame: CompileFrame): Evaluate {
  const object = compileExpression(node.object, frame);
  const { name, offset } = node;
  const path = pathOf(node);
  if (DICT_METHODS.has(name)) {
    return (at) => {
      const value = object(at);
      run.position = offset;
      return getAttribute(value, name);
    };
  }
  // The usual case is a dict key that is not the name of a dict method.
  return (at) => {
    const value = object(at);
    if (value instanceof Dict) {
      const item = value.getName(name);
      if (item !== undefined) return item;
    }
    run.position = offset;
    const found = getAttribute(value, name);
    return found instanceof Undefined ? found.of(value, path) : found;
  };
}

function compileItem(node: ast.GetItem, frame: CompileFrame): Evaluate {
  const object = compileExpression(node.object, frame);
  const { key, offset } = node;
  if (key.kind === 'slice') {
    const part = (part: ast.Expression | null): Evaluate =>
      part === null ? () => null : compileExpression(part, frame);
    const [start, stop, stride] = [part(key.start), part(key.stop), part(key.step)];
    return (at) => {
      const value = object(at);
      const [from, to, by] = [start(at), stop(at), stride(at)];
      run.position = offset;
      step();
      return slice(value, from, to, by);
    };
  }
  const evaluateKey = compileExpression(key, frame);
  const path = pathOf(node);
  return (at) => {
    const value = object(at);
    const item = evaluateKey(at);
    run.position = offset;
    const found = getItem(value, item);
    return found instanceof Undefined ? found.of(value, path) : found;
  };
}

/** Returns the filter or test of a name, or a function that reports that it does not exist. */
function findCallable(
  kind: 'filter' | 'test',
  { name, offset }: ast.Filter | ast.Test,
  frame: CompileFrame,
): Callable {
  const { environment } = frame.compilation;
  const found = (kind === 'filter' ? environment.filters : environment.tests).get(name);
  if (found !== undefined) return found;
  if (!frame.soft) throw new TemplateError('TemplateAssertionError', `No ${kind} named '${name}'.`, offset);
  return { call: () => raise('TemplateRuntimeError', `No ${kind} named '${name}' found.`) };
}

/** Compiles a filter on the result of `input`. */
export function compileFilter(node: ast.Filter, input: Evaluate, frame: CompileFrame): Evaluate {
  return compileNamed(findCallable('filter', node, frame), node, input, frame);
}

function compileTest(node: ast.Test, frame: CompileFrame): Evaluate {
  return compileNamed(findCallable('test', node, frame), node, compileExpression(node.input, frame), frame);
}

function compileNamed(
  callable: Callable,
  node: ast.Filter | ast.Test,
  input: Evaluate,
  frame: CompileFrame,
): Evaluate {
  const { offset } = node;
  if (node.args.length === 0 && node.kwargs.length === 0 && node.rest === null && node.keywords === null) {
    return (at) => {
      const value = input(at);
      run.position = offset;
      step();
      return callable.call([value], NO_KWARGS, at.context);
    };
  }
  const { positional, named } = compileArguments(node, frame, compileExpression);
  return (at) => {
    const value = input(at);
    const args = [value, ...positional(at)];
    const kwargs = named(at);
    run.position = offset;
    step();
    return callable.call(args, kwargs, at.context);
  };
}
