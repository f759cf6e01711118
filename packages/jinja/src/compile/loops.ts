import type * as ast from '../ast.ts';
import { descendants } from '../ast.ts';
import { capture, withDepth, run, step, write } from '../budget.ts';
import type { Environment } from '../environment.ts';
import { TemplateError } from '../errors.ts';
import { Frame } from '../runtime/frame.ts';
import { LoopContext } from '../runtime/loop.ts';
import { Iter } from '../values/containers.ts';
import { iterate, lengthOf, truthy } from '../values/iterate.ts';
import { Markup, textOf } from '../values/types.ts';
import type { Next, Value } from '../values/types.ts';
import { seesVariables } from './calls.ts';
import { compileExpression } from './expressions.ts';
import type { CompileFrame, Evaluate, Execute, Signal } from './frame.ts';
import { BREAK } from './frame.ts';
import type { FunctionScope, Ref } from './symbols.ts';
import { analyze, analyzeLoopTarget, findUndeclared } from './symbols.ts';
import { compileTarget, enterFrame, leaveFrame } from './variables.ts';
import type { Store } from './variables.ts';

/** Renders the body of a recursive loop once more for other items. */
type Recurse = (items: Value, depth: number) => string | Markup;

/** Iterates over the elements of a loop, in a frame of the function that contains the loop. */
type RunLoop = (at: Frame, items: Value, recurse: Recurse | undefined, depth: number) => Signal;

export function compileFor(node: ast.For, outer: CompileFrame): Execute {
  refuseAssignmentToLoop(node);
  const iterable = compileExpression(node.iterable, outer);
  if (node.recursive) return compileRecursive(node, outer, iterable);
  const { offset } = node;
  const loop = compileLoop(node, outer, outer.owner);
  return (at) => {
    step();
    const items = iterable(at);
    run.position = offset;
    return loop(at, items, undefined, 0);
  };
}

/**
 * Compiles a recursive loop, which is a function: each level has its own variables and returns its text as a
 * value.
 */
function compileRecursive(node: ast.For, outer: CompileFrame, iterable: Evaluate): Execute {
  const owner = outer.newFunction();
  const { offset } = node;
  const loop = compileLoop(node, outer, owner);
  const { autoescape, volatile } = outer.escaping;
  return (definedIn) => {
    step();
    const recurse: Recurse = (items, depth) =>
      withDepth(() => {
        const at = new Frame(owner.size, definedIn, definedIn.context);
        const text = capture(() => loop(at, items, recurse, depth));
        return (volatile ? definedIn.context.autoescape : autoescape) ? new Markup(text) : text;
      });
    const items = iterable(definedIn);
    run.position = offset;
    write(textOf(recurse(items, 0)));
    return 0;
  };
}

function refuseAssignmentToLoop(node: ast.For): void {
  for (const inner of descendants(node)) {
    if (inner.kind === 'name' && inner.context === 'store' && inner.name === 'loop') {
      throw new TemplateError(
        'TemplateAssertionError',
        "Can't assign to special loop variable in for-loop target",
        inner.offset,
      );
    }
  }
}

function needsLoopVariable(node: ast.For, environment: Environment): boolean {
  if (node.recursive || findUndeclared(node.body, ['loop']).has('loop')) return true;
  for (const inner of descendants(node)) {
    if (inner.kind === 'block' && inner.scoped) return true;
    if (inner.kind === 'call' && seesVariables(inner, environment)) return true;
  }
  return false;
}

function compileLoop(node: ast.For, outer: CompileFrame, owner: FunctionScope): RunLoop {
  const frame = outer.inner(owner);
  const loopRef = needsLoopVariable(node, frame.compilation.environment)
    ? frame.symbols.declareParameter('loop')
    : undefined;
  analyzeLoopTarget(frame.symbols, node.target);
  analyze(frame.symbols, node.body);
  const filter = node.test === null ? undefined : compileLoopFilter(node.target, node.test, outer);
  const store = compileTarget(node.target, frame);
  frame.inLoop = true;
  const [enter, leave] = [enterFrame(frame), leaveFrame(frame)];
  const body = frame.compilation.compileBody(node.body, frame);
  const otherwise = compileElse(node.otherwise, outer.inner(owner));
  const go =
    loopRef === undefined ? plainLoop(store, enter, body) : extendedLoop(store, enter, body, loopRef);
  return (at, iterable, recurse, depth) => {
    const definedIn = node.recursive && at.up !== null ? at.up : at;
    const items = filter === undefined ? iterable : new Iter(filter(definedIn, iterate(iterable)));
    const completed = go(at, items, recurse, depth);
    leave(at);
    return completed ? 0 : otherwise(at);
  };
}

function compileElse(statements: ast.Statement[], frame: CompileFrame): Execute {
  if (statements.length === 0) return () => 0;
  analyze(frame.symbols, statements);
  const [enter, leave] = [enterFrame(frame), leaveFrame(frame)];
  const body = frame.compilation.compileBody(statements, frame);
  return (at) => {
    enter(at);
    const signal = body(at);
    leave(at);
    return signal;
  };
}

/** Compiles the `if` of a loop: a function that is called for each element when the loop reaches it. */
function compileLoopFilter(
  target: ast.Target,
  test: ast.Expression,
  outer: CompileFrame,
): (at: Frame, next: Next) => Next {
  const frame = outer.inner(outer.newFunction());
  analyzeLoopTarget(frame.symbols, target);
  analyze(frame.symbols, [test]);
  const enter = enterFrame(frame);
  const store = compileTarget(target, frame);
  const passes = compileExpression(test, frame);
  return (definedIn, next) => {
    const at = new Frame(frame.owner.size, definedIn, definedIn.context);
    let entered = false;
    return () => {
      if (!entered) enter(at);
      entered = true;
      for (let item = next(); item !== undefined; item = next()) {
        step();
        store(at, item);
        if (truthy(passes(at))) return item;
      }
      return undefined;
    };
  };
}

/** Runs the body for each element. Returns whether a pass completed, so that there is no `else`. */
type Go = (at: Frame, items: Value, recurse: Recurse | undefined, depth: number) => boolean;

function plainLoop(store: Store, enter: (at: Frame) => void, body: Execute): Go {
  return (at, items) => {
    const next = iterate(items);
    let completed = false;
    for (let item = next(); item !== undefined; item = next()) {
      step();
      store(at, item);
      enter(at);
      const signal = body(at);
      if (signal === BREAK) break;
      // A pass that `break` or `continue` ended does not prevent the `else`, as in Jinja2.
      if (signal === 0) completed = true;
    }
    return completed;
  };
}

function extendedLoop(store: Store, enter: (at: Frame) => void, body: Execute, loopRef: Ref): Go {
  const { slot } = loopRef;
  return (at, items, recurse, depth) => {
    const loop = new LoopContext(iterate(items), () => lengthOf(items), recurse, depth);
    let completed = false;
    for (let item = loop.advance(); item !== undefined; item = loop.advance()) {
      step();
      store(at, item);
      at.vars[slot] = loop;
      enter(at);
      const signal = body(at);
      if (signal === BREAK) break;
      if (signal === 0) completed = true;
    }
    return completed;
  };
}
