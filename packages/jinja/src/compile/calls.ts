import type * as ast from '../ast.ts';
import { run, spend, step } from '../budget.ts';
import type { Environment } from '../environment.ts';
import { raise } from '../errors.ts';
import type { Frame } from '../runtime/frame.ts';
import { notCallable } from '../values/attributes.ts';
import { Dict } from '../values/containers.ts';
import { iteratorOf, toList } from '../values/iterate.ts';
import { ScopeFunction } from '../values/native.ts';
import type { Kwargs, Value } from '../values/types.ts';
import { isString, NO_KWARGS, Obj, textOf, typeName } from '../values/types.ts';
import type { CompileExpression, CompileFrame, Evaluate } from './frame.ts';

/** Compiled arguments of a call. */
export interface CompiledArguments {
  positional: (frame: Frame) => Value[];
  named: (frame: Frame) => Kwargs;
}

/** @param compile compiles the given expressions */
export function compileArguments(
  node: ast.CallArguments,
  frame: CompileFrame,
  compile: CompileExpression,
): CompiledArguments {
  const one = (expression: ast.Expression): Evaluate => compile(expression, frame);
  return { positional: compilePositional(node, one), named: compileNamed(node, one) };
}

type CompileOne = (expression: ast.Expression) => Evaluate;

function compilePositional(node: ast.CallArguments, compile: CompileOne): CompiledArguments['positional'] {
  const args = node.args.map(compile);
  const [first, second] = args;
  if (node.rest !== null) {
    const rest = compile(node.rest);
    const { offset } = node.rest;
    return (at) => {
      const values = args.map((arg) => arg(at));
      const more = rest(at);
      run.position = offset;
      return [...values, ...spread(more)];
    };
  }
  if (first === undefined) return () => [];
  if (args.length === 1) return (at) => [first(at)];
  if (args.length === 2 && second !== undefined) return (at) => [first(at), second(at)];
  return (at) => args.map((arg) => arg(at));
}

function spread(value: Value): Value[] {
  if (iteratorOf(value) === undefined) {
    raise('TypeError', `Value after * must be an iterable, not ${typeName(value)}`);
  }
  return toList(value);
}

function compileNamed(node: ast.CallArguments, compile: CompileOne): CompiledArguments['named'] {
  if (node.kwargs.length === 0 && node.keywords === null) return () => NO_KWARGS;
  const kwargs = node.kwargs.map(({ name, value }): [string, Evaluate] => [name, compile(value)]);
  const keywords = node.keywords === null ? undefined : compile(node.keywords);
  const offset = node.keywords?.offset ?? 0;
  return (at) => {
    const result = new Map<string, Value>();
    for (const [name, value] of kwargs) result.set(name, value(at));
    if (keywords !== undefined) {
      const more = keywords(at);
      run.position = offset;
      addKeywords(result, more);
    }
    return result;
  };
}

function addKeywords(result: Map<string, Value>, value: Value): void {
  if (!(value instanceof Dict)) {
    return raise('TypeError', `argument after ** must be a mapping, not ${typeName(value)}`);
  }
  spend(value.size);
  for (const [key, item] of value.entries()) {
    if (!isString(key)) return raise('TypeError', 'keywords must be strings');
    const name = textOf(key);
    if (result.has(name)) return raise('TypeError', `got multiple values for keyword argument '${name}'`);
    result.set(name, item);
  }
}

/** Returns whether a call names a function that gets the variables of its place. */
export function seesVariables({ callee }: ast.Call, { globals }: Environment): boolean {
  return callee.kind === 'name' && globals.get(callee.name) instanceof ScopeFunction;
}

/**
 * Calls a value with compiled arguments.
 *
 * @param locals the variables of the frame, if the value was found by its name
 */
export function callValue(
  callee: Value,
  args: CompiledArguments,
  frame: Frame,
  offset: number,
  locals?: (at: Frame) => [string, Value][],
): Value {
  const positional = args.positional(frame);
  const named = args.named(frame);
  run.position = offset;
  step();
  if (!(callee instanceof Obj)) return notCallable(callee);
  if (locals !== undefined && callee instanceof ScopeFunction)
    return callee.callWith(frame.context.derived(locals(frame)).all(), positional, named);
  return callee.call(positional, named, frame.context);
}
