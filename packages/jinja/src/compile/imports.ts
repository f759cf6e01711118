import type * as ast from '../ast.ts';
import { withDepth, run, step, write } from '../budget.ts';
import { TemplateError } from '../errors.ts';
import type { Frame } from '../runtime/frame.ts';
import type { TemplateModule } from '../runtime/module.ts';
import type { Template } from '../template.ts';
import { repr } from '../values/repr.ts';
import type { Value } from '../values/types.ts';
import { Undefined } from '../values/undefined.ts';
import { compileExpression } from './expressions.ts';
import type { CompileFrame, Execute } from './frame.ts';
import { readLocals, writeVariable } from './variables.ts';

export function compileInclude(node: ast.Include, frame: CompileFrame): Execute {
  const name = compileExpression(node.template, frame);
  const { environment } = frame.compilation;
  const { offset, ignoreMissing, withContext } = node;
  const locals = readLocals(frame);
  return (at) => {
    step();
    const value = name(at);
    run.position = offset;
    const template = findTemplate(() => environment.getOrSelectTemplate(value), ignoreMissing);
    if (template === undefined) return 0;
    if (withContext) {
      const context = template.newContext(at.context.allLayers(locals(at)), at.context.session);
      withDepth(() => template.renderRoot(context));
    } else {
      write(template.defaultModule(at.context.session).body);
    }
    return 0;
  };
}

function findTemplate(find: () => Template, ignoreMissing: boolean): Template | undefined {
  try {
    return find();
  } catch (error) {
    const isMissing =
      error instanceof TemplateError &&
      (error.kind === 'TemplateNotFound' || error.kind === 'TemplatesNotFound');
    if (ignoreMissing && isMissing) return undefined;
    throw error;
  }
}

function compileModule(
  node: ast.Import | ast.FromImport,
  frame: CompileFrame,
): (at: Frame) => TemplateModule {
  const name = compileExpression(node.template, frame);
  const { environment } = frame.compilation;
  const { offset, withContext } = node;
  const locals = readLocals(frame);
  return (at) => {
    step();
    const value = name(at);
    run.position = offset;
    const template = environment.getTemplate(value);
    const { session } = at.context;
    if (!withContext) return template.defaultModule(session);
    return template.makeModule(template.newContext(at.context.allLayers(locals(at)), session));
  };
}

export function compileImport(node: ast.Import, frame: CompileFrame): Execute {
  const load = compileModule(node, frame);
  const { target } = node;
  const store = writeVariable(frame, frame.symbols.ref(target));
  const { toplevel } = frame;
  return (at) => {
    const module = load(at);
    store(at, module);
    if (toplevel) publish(at, target, module);
    return 0;
  };
}

/** Adds an imported name to the context, but not to the template's exports. */
function publish(at: Frame, name: string, value: Value): void {
  at.context.vars.set(name, value);
  at.context.exported.delete(name);
}

export function compileFromImport(node: ast.FromImport, frame: CompileFrame): Execute {
  const load = compileModule(node, frame);
  const position = frame.compilation.describePosition(node.offset);
  const names = node.names.map(({ name, alias }) => ({
    name,
    alias,
    store: writeVariable(frame, frame.symbols.ref(alias)),
  }));
  const { toplevel } = frame;
  return (at) => {
    const module = load(at);
    for (const { name, alias, store } of names) {
      const exported = module.attribute(name);
      const value =
        exported === undefined ? notExported(module.attribute('__name__'), position, name) : exported;
      store(at, value);
      if (toplevel) publish(at, alias, value);
    }
    return 0;
  };
}

function notExported(template: Value | undefined, position: string, name: string): Undefined {
  const shown = template === undefined ? 'None' : repr(template);
  return new Undefined({
    hint: `the template ${shown} (imported on ${position}) does not export the requested name '${name}'`,
    name,
  });
}
