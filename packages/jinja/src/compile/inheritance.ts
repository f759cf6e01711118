import type * as ast from '../ast.ts';
import { withDepth, run, step } from '../budget.ts';
import { raise, TemplateError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import type { Frame } from '../runtime/frame.ts';
import type { Template } from '../template.ts';
import type { Value } from '../values/types.ts';
import { Obj } from '../values/types.ts';
import { compileExpression } from './expressions.ts';
import type { CompileFrame, Execute } from './frame.ts';
import { readLocals, readVariable, writeVariable } from './variables.ts';

/** Name of the variable that contains the extended template. No template can spell it. */
const PARENT = ' parent';

/** The extended template, as a value that never leaves its slot. */
class ParentTemplate extends Obj {
  readonly template: Template;

  constructor(template: Template) {
    super();
    this.template = template;
  }

  override get typeName(): string {
    return 'Template';
  }
}

/** Declares the variable for a template that contains an `extends`. */
export function declareParent(root: CompileFrame): void {
  root.symbols.declareParameter(PARENT);
}

/** Returns the extended template, once an `extends` has run. */
export function parentOf(frame: CompileFrame): (at: Frame) => Template | undefined {
  const read = readVariable(frame, frame.symbols.ref(PARENT));
  return (at) => {
    const value = read(at);
    return value instanceof ParentTemplate ? value.template : undefined;
  };
}

export function compileExtends(node: ast.Extends, frame: CompileFrame): Execute | 'end' {
  const { compilation } = frame;
  const { offset } = node;
  if (!frame.toplevel) {
    throw new TemplateError('TemplateAssertionError', 'cannot use extend from a non top-level scope', offset);
  }
  const twice = (): never => {
    run.position = offset;
    return raise('TemplateRuntimeError', 'extended multiple times');
  };
  if (compilation.extendsCount > 0 && compilation.hasKnownExtends) return twice;
  const mayBeSecond = compilation.extendsCount > 0;
  const parent = parentOf(frame);
  const setParent = writeVariable(frame, frame.symbols.ref(PARENT));
  const name = compileExpression(node.template, frame);
  if (frame.rootlevel) compilation.hasKnownExtends = true;
  compilation.extendsCount++;
  return (at) => {
    step();
    if (mayBeSecond && parent(at) !== undefined) return twice();
    const value: Value = name(at);
    run.position = offset;
    const template = compilation.environment.getTemplate(value);
    setParent(at, new ParentTemplate(template));
    addBlocks(at.context, template);
    return 0;
  };
}

/** Appends the blocks of an extended template to those of its children. */
function addBlocks(context: Context, template: Template): void {
  for (const [name, block] of template.blocks) {
    const stack = context.blocks.get(name);
    if (stack === undefined) context.blocks.set(name, [block]);
    else stack.push(block);
  }
}

export function compileBlock(node: ast.Block, frame: CompileFrame): Execute | undefined {
  const { compilation } = frame;
  if (frame.toplevel && compilation.hasKnownExtends) return undefined;
  const { name, offset, required } = node;
  const locals = node.scoped ? readLocals(frame) : undefined;
  const render: Execute = (at) => {
    step();
    run.position = offset;
    const stack = at.context.blocks.get(name) ?? [];
    if (required && stack.length <= 1) raise('TemplateRuntimeError', `Required block '${name}' not found`);
    const context = locals === undefined ? at.context : at.context.derived(locals(at));
    withDepth(() => stack[0]?.(context));
    return 0;
  };
  if (!frame.toplevel || compilation.extendsCount === 0) return render;
  const parent = parentOf(frame);
  return (at) => (parent(at) === undefined ? render(at) : 0);
}
