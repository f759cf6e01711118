import { type ast, descendants, parseTemplate } from '@platen/jinja/syntax';
import type { NamePattern, Reference } from './reference.ts';

/** The function that inserts a docx partial into a docx template. */
export const SUBDOCUMENT = 'subdocument';

/**
 * Returns the names in a Jinja template's `include`, `import`, `extends` and `subdocument()`.
 *
 * @throws TemplateError for a text that cannot be parsed
 */
export function jinjaReferences(source: string): Reference[] {
  const found: Reference[] = [];
  for (const node of descendants(parseTemplate(source))) {
    if (node.kind === 'include')
      found.push(reference(node.template, node.offset, 'text', node.ignoreMissing));
    else if (node.kind === 'import' || node.kind === 'fromImport' || node.kind === 'extends')
      found.push(reference(node.template, node.offset, 'text'));
    else if (node.kind === 'call' && node.callee.kind === 'name' && node.callee.name === SUBDOCUMENT) {
      const [name] = node.args;
      if (name) found.push(reference(name, node.offset, 'document'));
    }
  }
  return found;
}

/** Returns the reference for one name expression. */
export function reference(
  name: ast.Expression,
  offset: number,
  kind: Reference['kind'],
  mayBeMissing = false,
): Reference {
  const given = name.kind === 'list' || name.kind === 'tuple' ? name.items : [name];
  const names = given.flatMap((one) =>
    one.kind === 'const' && typeof one.value === 'string' ? [one.value] : [],
  );
  const patterns = given.flatMap((one) => (one.kind === 'const' ? [] : patternsOf(one)));
  return {
    kind,
    names,
    patterns,
    required: !mayBeMissing && names.length > 0 && patterns.length === 0,
    offset,
  };
}

/** Maximum alternatives of one expression that are followed. */
const MAX_CHOICES = 100;

function patternsOf(node: ast.Expression, depth = 0): NamePattern[] {
  if (node.kind === 'conditional' && depth < MAX_CHOICES) {
    const otherwise = node.otherwise === null ? [] : patternsOf(node.otherwise, depth + 1);
    return [...patternsOf(node.whenTrue, depth + 1), ...otherwise].slice(0, MAX_CHOICES);
  }
  return [piecesOf(node)];
}

/** Returns the texts that `~` and `+` join into a name, with a gap for every other operand. */
function piecesOf(node: ast.Expression): string[] {
  // The loop replaces recursion: an expression may be as deep as the parser allows.
  const open: ast.Expression[] = [node];
  const pieces = [''];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'concat') open.push(...next.items.toReversed());
    else if (next.kind === 'binary' && next.operator === '+') open.push(next.right, next.left);
    else if (next.kind === 'const' && typeof next.value === 'string')
      pieces.push((pieces.pop() ?? '') + next.value);
    else pieces.push('');
  }
  return pieces;
}
