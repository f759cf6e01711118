import type * as ast from '../ast.ts';
import { capture, run, step, write } from '../budget.ts';
import { TemplateError } from '../errors.ts';
import type { Position } from '../findings.ts';
import { debugText } from '../runtime/debug.ts';
import { escapedText, markSafe } from '../values/escape.ts';
import { truthy } from '../values/iterate.ts';
import { str } from '../values/repr.ts';
import { Markup } from '../values/types.ts';
import type { Value } from '../values/types.ts';
import { compileExpression, compileFilter, pathOf } from './expressions.ts';
import { fold } from './fold.ts';
import type { CompileFrame, Evaluate, Execute, Signal } from './frame.ts';
import { BREAK, CONTINUE } from './frame.ts';
import { compileBlock, compileExtends, parentOf } from './inheritance.ts';
import { compileFromImport, compileImport, compileInclude } from './imports.ts';
import { compileFor } from './loops.ts';
import { compileCallBlock, compileMacro } from './macros.ts';
import { analyze } from './symbols.ts';
import { compileNamespaceChecks, compileTarget, enterFrame, leaveFrame, readVariable } from './variables.ts';

/** Compiles consecutive statements. */
export function compileBody(statements: readonly ast.Statement[], frame: CompileFrame): Execute {
  const compiled: Execute[] = [];
  for (const statement of statements) {
    const execute = compileStatement(statement, frame);
    if (execute === 'end') break;
    if (execute !== undefined) compiled.push(execute);
  }
  const [first, second] = compiled;
  if (first === undefined) return () => 0;
  if (second === undefined) return first;
  if (compiled.length === 2) return (at) => first(at) || second(at);
  return (at) => {
    for (const execute of compiled) {
      const signal = execute(at);
      if (signal !== 0) return signal;
    }
    return 0;
  };
}

/**
 * Returns a compiled statement; undefined for a statement without effect; `end` when nothing after it can be
 * reached.
 */
function compileStatement(node: ast.Statement, frame: CompileFrame): Execute | undefined | 'end' {
  step();
  switch (node.kind) {
    case 'output':
      return compileOutput(node, frame);
    case 'for':
      return compileFor(node, frame);
    case 'if':
      return compileIf(node, frame);
    case 'macro':
      return compileMacro(node, frame);
    case 'callBlock':
      return compileCallBlock(node, frame);
    case 'filterBlock':
      return compileFilterBlock(node, frame);
    case 'with':
      return compileWith(node, frame);
    case 'block':
      return compileBlock(node, frame);
    case 'extends':
      return compileExtends(node, frame);
    case 'include':
      return compileInclude(node, frame);
    case 'import':
      return compileImport(node, frame);
    case 'fromImport':
      return compileFromImport(node, frame);
    case 'assign':
      return compileAssign(node, frame);
    case 'assignBlock':
      return compileAssignBlock(node, frame);
    case 'autoescape':
      return compileAutoescape(node, frame);
    case 'do': {
      const evaluate = compileExpression(node.expression, frame);
      return (at) => {
        step();
        evaluate(at);
        return 0;
      };
    }
    case 'break':
    case 'continue':
      return compileLoopControl(node, frame);
    case 'debug':
      return compileWrite(node.offset, (at) => debugText(at.context), frame);
  }
}

function compileLoopControl({ kind, offset }: ast.LoopControl, frame: CompileFrame): Execute {
  if (!frame.inLoop) {
    const message = kind === 'break' ? "'break' outside loop" : "'continue' not properly in loop";
    throw new TemplateError('TemplateSyntaxError', message, offset);
  }
  const signal = kind === 'break' ? BREAK : CONTINUE;
  return () => signal;
}

/** Compiles the output of an expression: escaped, unescaped, or as determined at run time. */
function compileWrite(
  offset: number,
  evaluate: Evaluate,
  frame: CompileFrame,
  path: string | null = null,
): Execute {
  const { autoescape, volatile } = frame.escaping;
  const unescaped = (value: Value): string => {
    if (typeof value !== 'string') return str(value);
    run.findings?.print(value, path, placeOfOutput);
    return value;
  };
  if (volatile) {
    return (at) => {
      step();
      const value = evaluate(at);
      run.position = offset;
      write(at.context.autoescape ? escapedText(value) : unescaped(value));
      return 0;
    };
  }
  const toText = autoescape ? escapedText : unescaped;
  return (at) => {
    step();
    const value = evaluate(at);
    run.position = offset;
    write(toText(value));
    return 0;
  };
}

function compileItemOutput(item: ast.Expression, frame: CompileFrame): Execute {
  let source: ast.Expression = item;
  while (source.kind === 'filter' && source.input !== null) source = source.input;
  return compileWrite(item.offset, compileExpression(item, frame), frame, pathOf(source));
}

/** Returns the position of the output that is being written. */
function placeOfOutput(): Position {
  if (run.template === null) throw new Error('text is written outside of a template');
  return { template: run.template, offset: run.position };
}

function compileOutput(node: ast.Output, frame: CompileFrame): Execute | undefined {
  // Text outside of blocks is not output once the template extends another.
  if (frame.checksOutput && frame.compilation.hasKnownExtends) return undefined;
  const pieces: (string | Execute)[] = [];
  for (const item of node.items) {
    const constant = constantText(item, frame);
    if (constant === undefined) {
      pieces.push(compileItemOutput(item as ast.Expression, frame));
    } else if (typeof pieces.at(-1) === 'string') {
      pieces.push(String(pieces.pop()) + constant);
    } else {
      pieces.push(constant);
    }
  }
  const writers = pieces.map((piece): Execute => {
    if (typeof piece !== 'string') return piece;
    return () => {
      write(piece);
      return 0;
    };
  });
  const writeAll: Execute = (at) => {
    for (const writer of writers) writer(at);
    return 0;
  };
  const [only] = writers;
  const execute = writers.length === 1 && only !== undefined ? only : writeAll;
  if (!frame.checksOutput) return execute;
  const parent = parentOf(frame);
  return (at) => (parent(at) === undefined ? execute(at) : 0);
}

/** Returns the text of a constant item. */
function constantText(item: ast.TemplateData | ast.Expression, frame: CompileFrame): string | undefined {
  if (item.kind === 'data') return item.text;
  const constant = fold(item, frame);
  if (constant === undefined) return undefined;
  try {
    // For a constant, Jinja2 uses the escaping known at compile time, even when escaping depends on a
    // variable.
    return frame.escaping.autoescape ? escapedText(constant) : str(constant);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    // An error is reported when the statement runs, as in Jinja2.
    return undefined;
  }
}

function compileIf(node: ast.If, outer: CompileFrame): Execute {
  const frame = outer.softened();
  const branches = [node, ...node.elifs].map(({ test, body }) => ({
    test: compileExpression(test, frame),
    body: compileBody(body, frame),
    offset: test.offset,
  }));
  const otherwise = compileBody(node.otherwise, frame);
  const [only] = branches;
  if (only !== undefined && branches.length === 1) {
    const { test, body, offset } = only;
    return (at) => {
      step();
      run.position = offset;
      return truthy(test(at)) ? body(at) : otherwise(at);
    };
  }
  return (at) => {
    for (const { test, body, offset } of branches) {
      step();
      run.position = offset;
      if (truthy(test(at))) return body(at);
    }
    return otherwise(at);
  };
}

function compileFilterBlock(node: ast.FilterBlock, outer: CompileFrame): Execute {
  const frame = outer.inner();
  analyze(frame.symbols, [...node.body, node.filter]);
  const [enter, leave] = [enterFrame(frame), leaveFrame(frame)];
  const body = compileBody(node.body, frame);
  let signal: Signal = 0;
  const { autoescape, volatile } = frame.escaping;
  const filter = compileFilterChain(node.filter, frame, (at) => {
    const text = capture(() => {
      signal = body(at);
    });
    return asMarkup(volatile ? at.context.autoescape : autoescape, text);
  });
  const { offset } = node;
  return (at) => {
    step();
    enter(at);
    const value = filter(at);
    leave(at);
    if (signal !== 0) return signal;
    run.position = offset;
    write(str(value));
    return 0;
  };
}

function asMarkup(autoescape: boolean, text: string): Value {
  return autoescape ? new Markup(text) : text;
}

/** Compiles the filters of a block; the innermost one receives the result of `input`. */
function compileFilterChain(node: ast.Filter, frame: CompileFrame, input: Evaluate): Evaluate {
  if (node.input === null) return compileFilter(node, input, frame);
  if (node.input.kind !== 'filter') throw new Error('a block is only filtered by filters');
  return compileFilter(node, compileFilterChain(node.input, frame, input), frame);
}

function compileWith(node: ast.With, outer: CompileFrame): Execute {
  const frame = outer.inner();
  analyze(frame.symbols, [...node.targets, ...node.body]);
  const [enter, leave] = [enterFrame(frame), leaveFrame(frame)];
  const assignments = node.targets.map((target, i) => {
    const value = node.values[i];
    if (value === undefined) throw new Error('every target of a with has a value');
    return { store: compileTarget(target, frame), value: compileExpression(value, outer) };
  });
  const body = compileBody(node.body, frame);
  return (at) => {
    step();
    enter(at);
    for (const { store, value } of assignments) store(at, value(at));
    const signal = body(at);
    leave(at);
    return signal;
  };
}

/** Returns the names that a target assigns to. */
export function namesOf(target: ast.Target): string[] {
  if (target.kind === 'name') return [target.name];
  if (target.kind === 'namespaceRef') return [];
  return target.items.flatMap((item) => namesOf(item as ast.Target));
}

/** Adds variables assigned on the template's own level to the context. */
export function compileExport(
  names: readonly string[],
  frame: CompileFrame,
): (at: Parameters<Execute>[0]) => void {
  if (!frame.toplevel || names.length === 0) return () => undefined;
  const exports = names.map((name) => ({ name, read: readVariable(frame, frame.symbols.ref(name)) }));
  return (at) => {
    for (const { name, read } of exports) {
      const value = read(at);
      if (value === undefined) continue;
      at.context.vars.set(name, value);
      if (!name.startsWith('_')) at.context.exported.add(name);
    }
  };
}

function compileAssign(node: ast.Assign, frame: CompileFrame): Execute {
  const value = compileExpression(node.value, frame);
  const checkNamespaces = compileNamespaceChecks(node.target, frame);
  const store = compileTarget(node.target, frame);
  const exportNames = compileExport(namesOf(node.target), frame);
  return (at) => {
    step();
    checkNamespaces(at);
    store(at, value(at));
    exportNames(at);
    return 0;
  };
}

function compileAssignBlock(node: ast.AssignBlock, outer: CompileFrame): Execute {
  const frame = outer.inner();
  frame.checksOutput = false;
  analyze(frame.symbols, node.body);
  const [enter, leave] = [enterFrame(frame), leaveFrame(frame)];
  const body = compileBody(node.body, frame);
  const store = compileTarget(node.target, outer);
  const exportNames = compileExport(namesOf(node.target), outer);
  const { autoescape, volatile } = frame.escaping;
  let signal: Signal = 0;
  const take: Evaluate = (at) => {
    const text = capture(() => {
      signal = body(at);
    });
    return node.filter === null ? text : asMarkup(volatile ? at.context.autoescape : autoescape, text);
  };
  const value = node.filter === null ? take : compileFilterChain(node.filter, frame, take);
  return (at) => {
    step();
    enter(at);
    const text = value(at);
    if (signal === 0) {
      store(at, at.context.autoescape ? markSafe(text) : text);
      exportNames(at);
    }
    leave(at);
    return signal;
  };
}

function compileAutoescape(node: ast.Autoescape, outer: CompileFrame): Execute {
  const frame = outer.inner();
  analyze(frame.symbols, [node.value, ...node.body]);
  const [enter, leave] = [enterFrame(frame), leaveFrame(frame)];
  const value = compileExpression(node.value, frame);
  const { escaping } = frame;
  const outside = { ...escaping };
  const constant = fold(node.value, frame);
  if (constant === undefined) escaping.volatile = true;
  else escaping.autoescape = truthy(constant);
  const body = compileBody(node.body, frame);
  Object.assign(escaping, outside);
  return (at) => {
    step();
    enter(at);
    const { evalContext } = at.context;
    const before = evalContext.autoescape;
    evalContext.autoescape = truthy(value(at));
    const signal = body(at);
    // After a loop control, Jinja2 skips the code that would restore this value.
    if (signal === 0) evalContext.autoescape = before;
    leave(at);
    return signal;
  };
}
