import type * as ast from '../ast.ts';
import { descendants } from '../ast.ts';
import { withDepth } from '../budget.ts';
import type { Environment } from '../environment.ts';
import { TemplateError } from '../errors.ts';
import { superBlock, TemplateReference } from '../runtime/blocks.ts';
import { Frame } from '../runtime/frame.ts';
import { Compilation, CompileFrame } from './frame.ts';
import type { Guard, Render } from './frame.ts';
import { declareParent, parentOf } from './inheritance.ts';
import { compileBody } from './statements.ts';
import { analyze, findUndeclared } from './symbols.ts';
import { enterFrame } from './variables.ts';

/** A compiled template: its root and its blocks, each writing its text for a context. */
export interface CompiledTemplate {
  root: Render;
  blocks: ReadonlyMap<string, Render>;
}

/** Compiles a syntax tree to closures. @throws TemplateError with its offset */
export function compileTemplate(
  tree: ast.TemplateNode,
  environment: Environment,
  name: string | null,
  source: string,
  guard: Guard,
): CompiledTemplate {
  const compilation = new Compilation(environment, name, source, guard, compileBody);
  for (const node of descendants(tree)) {
    if (node.kind !== 'block') continue;
    if (compilation.blocks.has(node.name)) {
      throw new TemplateError('TemplateAssertionError', `block '${node.name}' defined twice`, node.offset);
    }
    compilation.blocks.set(node.name, node);
  }
  const root = compileRoot(tree, compilation);
  const blocks = new Map(
    Array.from(compilation.blocks.values(), (block) => [block.name, compileBlockBody(block, compilation)]),
  );
  return { root, blocks };
}

function compileRoot(tree: ast.TemplateNode, compilation: Compilation): Render {
  const frame = CompileFrame.root(compilation);
  const usesSelf = findUndeclared(tree.body, ['self']).has('self');
  const self = usesSelf ? frame.symbols.declareParameter('self') : undefined;
  const hasExtends = [...descendants(tree)].some((node) => node.kind === 'extends');
  if (hasExtends) declareParent(frame);
  analyze(frame.symbols, tree.body);
  frame.toplevel = true;
  frame.rootlevel = true;
  frame.checksOutput = hasExtends;
  const enter = enterFrame(frame);
  const body = compileBody(tree.body, frame);
  const parent = hasExtends ? parentOf(frame) : undefined;
  const { owner } = frame;
  return compilation.guard((context) => {
    const at = new Frame(owner.size, null, context);
    if (self !== undefined) at.vars[self.slot] = new TemplateReference(context);
    enter(at);
    body(at);
    const extended = parent?.(at);
    if (extended !== undefined) withDepth(() => extended.renderRoot(context));
  });
}

function compileBlockBody(block: ast.Block, compilation: Compilation): Render {
  const frame = CompileFrame.root(compilation);
  const undeclared = findUndeclared(block.body, ['self', 'super']);
  const self = undeclared.has('self') ? frame.symbols.declareParameter('self') : undefined;
  const parent = undeclared.has('super') ? frame.symbols.declareParameter('super') : undefined;
  analyze(frame.symbols, block.body);
  const enter = enterFrame(frame);
  const body = compileBody(block.body, frame);
  const { owner } = frame;
  const render: Render = compilation.guard((context) => {
    const at = new Frame(owner.size, null, context);
    if (self !== undefined) at.vars[self.slot] = new TemplateReference(context);
    if (parent !== undefined) at.vars[parent.slot] = superBlock(context, block.name, render);
    enter(at);
    body(at);
  });
  return render;
}
