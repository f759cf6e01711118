import type * as ast from '../ast.ts';
import { endCapture, run, startCapture, step, write } from '../budget.ts';
import { TemplateError } from '../errors.ts';
import { Frame } from '../runtime/frame.ts';
import { Macro } from '../runtime/macro.ts';
import type { MacroShape } from '../runtime/macro.ts';
import { notCallable } from '../values/attributes.ts';
import { str } from '../values/repr.ts';
import { Obj } from '../values/types.ts';
import type { Value } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import { compileArguments } from './calls.ts';
import { compileExpression } from './expressions.ts';
import type { CompileFrame, Evaluate, Execute } from './frame.ts';
import { analyze, findUndeclared } from './symbols.ts';
import { enterFrame, writeVariable } from './variables.ts';

/** Creates a macro in the frame that defines it. */
type Define = (definedIn: Frame) => Macro;

/** Compiles the function of a macro or of a call block. */
function compileMacroBody(node: ast.Macro | ast.CallBlock, outer: CompileFrame): Define {
  const frame = outer.inner(outer.newFunction());
  frame.checksOutput = false;
  const names = node.parameters.map(({ name }) => name);
  for (const name of names) frame.symbols.declareParameter(name);
  const undeclared = findUndeclared(node.body, ['caller', 'kwargs', 'varargs']);
  const shape: MacroShape = {
    name: node.kind === 'macro' ? node.name : null,
    parameters: names,
    usesCaller: undeclared.has('caller'),
    catchesKeywords: undeclared.has('kwargs') && !names.includes('kwargs'),
    catchesRest: undeclared.has('varargs') && !names.includes('varargs'),
  };
  refuseCallerWithoutDefault(node, shape);
  const slots = names.map((name) => frame.symbols.ref(name).slot);
  // In the order in which Macro passes the values.
  if (shape.usesCaller && !names.includes('caller'))
    slots.push(frame.symbols.declareParameter('caller').slot);
  if (shape.catchesKeywords) slots.push(frame.symbols.declareParameter('kwargs').slot);
  if (shape.catchesRest) slots.push(frame.symbols.declareParameter('varargs').slot);
  analyze(frame.symbols, [...node.defaults, ...node.body]);

  const enter = enterFrame(frame);
  const defaults = compileDefaults(node, frame);
  const body = frame.compilation.compileBody(node.body, frame);
  const runBody = frame.compilation.guard((at: Frame) => {
    enter(at);
    for (const fill of defaults) fill(at);
    const outer = startCapture();
    body(at);
    return endCapture(outer);
  });
  const { owner } = frame;
  return (definedIn) =>
    new Macro(shape, (values) => {
      const at = new Frame(owner.size, definedIn, definedIn.context);
      for (let i = 0; i < slots.length; i++) at.vars[slots[i] ?? 0] = values[i];
      return runBody(at);
    });
}

function refuseCallerWithoutDefault(node: ast.Macro | ast.CallBlock, shape: MacroShape): void {
  const explicit = shape.parameters.indexOf('caller');
  if (!shape.usesCaller || explicit === -1) return;
  if (explicit >= node.parameters.length - node.defaults.length) return;
  throw new TemplateError(
    'TemplateAssertionError',
    'When defining macros or call blocks the special "caller" argument must be omitted or be given a default.',
    node.offset,
  );
}

/** Sets missing parameters to their defaults, in order: a default may use the parameters before it. */
function compileDefaults(node: ast.Parameters, frame: CompileFrame): ((at: Frame) => void)[] {
  const withoutDefault = node.parameters.length - node.defaults.length;
  return node.parameters.map(({ name }, i) => {
    const { slot } = frame.symbols.ref(name);
    const expression = node.defaults[i - withoutDefault];
    const evaluate: Evaluate =
      expression === undefined
        ? () => new Undefined({ hint: `parameter '${name}' was not provided`, name })
        : compileExpression(expression, frame);
    return (at) => {
      if (at.vars[slot] === undefined) at.vars[slot] = evaluate(at);
    };
  });
}

export function compileMacro(node: ast.Macro, frame: CompileFrame): Execute {
  const define = compileMacroBody(node, frame);
  const store = writeVariable(frame, frame.symbols.ref(node.name));
  const { toplevel } = frame;
  return (at) => {
    step();
    const macro = define(at);
    store(at, macro);
    if (toplevel) {
      if (!node.name.startsWith('_')) at.context.exported.add(node.name);
      at.context.vars.set(node.name, macro);
    }
    return 0;
  };
}

export function compileCallBlock(node: ast.CallBlock, frame: CompileFrame): Execute {
  const define = compileMacroBody(node, frame);
  const callee = compileExpression(node.call.callee, frame);
  const args = compileArguments(node.call, frame, compileExpression);
  const { offset } = node.call;
  return (at) => {
    step();
    const caller = define(at);
    const target: Value = callee(at);
    const positional = args.positional(at);
    const named = new Map(args.named(at)).set('caller', caller);
    run.position = offset;
    if (!(target instanceof Obj)) return notCallable(target);
    write(str(target.call(positional, named, at.context)));
    return 0;
  };
}
