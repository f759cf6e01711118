import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { growthOf } from './ambiguity.ts';

/**
 * A rule for oxlint: an expression takes time in proportion to the text it is given. One that may take its square is
 * allowed where a comment above it or beside it says what bounds the text (`// bounded: at most 40 characters`); one that
 * doubles with each character never is.
 */

interface Node {
  type: string;
  loc: { start: { line: number; column: number }; end: { line: number; column: number } };
  [property: string]: unknown;
}

interface Context {
  sourceCode: { getText(): string; getScope(node: Node): Scope };
  report(fault: { node: Node; message: string }): void;
}

interface Scope {
  upper: Scope | null;
  set: Map<string, { defs: { type: string; node: Node }[] }>;
}

const linear = {
  meta: { type: 'problem' },
  create(context: Context) {
    const lines = context.sourceCode.getText().split('\n');
    const judge = (node: Node, source: string, flags: string): void => {
      const growth = growthOf(source, flags, isSearch(source, flags));
      if (growth === null || (growth === 'polynomial' && isAllowed(lines, node))) return;
      const message =
        growth === 'exponential'
          ? 'This expression doubles its time with each repetition of some text. Read the text without one.'
          : 'This expression takes the square of the time of a text. Write it without two ways for the same text, or ' +
            'say what bounds the text: // bounded: …';
      context.report({ node, message });
    };
    const constructed = (node: Node): void => {
      if ((node['callee'] as Node)['name'] !== 'RegExp') return;
      const [first, second] = node['arguments'] as Node[];
      const source = first && constantOf(first, context.sourceCode.getScope(node));
      const flags = second === undefined ? '' : constantOf(second, context.sourceCode.getScope(node));
      if (typeof source === 'string' && typeof flags === 'string' && !isUnfinished(source))
        judge(node, source, flags);
    };
    return {
      Literal(node: Node) {
        const regex = node['regex'] as { pattern: string; flags: string } | undefined;
        if (regex !== undefined) judge(node, regex.pattern, regex.flags);
      },
      NewExpression: constructed,
      CallExpression: constructed,
    };
  },
};

export default { meta: { name: 'platen' }, rules: { 'linear-expression': linear } };

/** A text that is no expression by itself: the rest is only known when it runs. */
function isUnfinished(source: string): boolean {
  try {
    new RegExpParser().parsePattern(source);
    return false;
  } catch {
    return true;
  }
}

/** Whether it is tried at each place of a text: not where it is held to the beginning, or to one place. */
function isSearch(source: string, flags: string): boolean {
  if (flags.includes('y')) return false;
  const unicode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, unicode);
  return flags.includes('m') || !pattern.alternatives.every(({ elements }) => isHeld(elements[0]));
}

function isHeld(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && element.kind === 'start';
}

/** Such a comment beside the expression, or in the lines above it. */
function isAllowed(lines: readonly string[], { loc }: Node): boolean {
  const said = /\/\/ bounded: \S.{8}/;
  for (let line = loc.start.line - 1; line <= loc.end.line - 1; line++) {
    if (said.test(lines[line] ?? '')) return true;
  }
  for (let line = loc.start.line - 2; /^\s*(?:\/\/|\*|\/\*)/.test(lines[line] ?? ''); line--) {
    if (/\bbounded: \S.{8}/.test(lines[line] ?? '')) return true;
  }
  return false;
}

/** The text a node stands for, as far as the file itself says it; null for any other. */
function constantOf(node: Node, scope: Scope | null): string | null {
  switch (node.type) {
    case 'Literal':
      if (node['regex'] !== undefined) return (node['regex'] as { pattern: string }).pattern;
      return typeof node['value'] === 'string' ? node['value'] : null;
    case 'TemplateLiteral':
      return templateOf(node, scope, 'cooked');
    case 'TaggedTemplateExpression':
      return templateOf(node['quasi'] as Node, scope, 'raw');
    case 'BinaryExpression': {
      const [left, right] = [
        constantOf(node['left'] as Node, scope),
        constantOf(node['right'] as Node, scope),
      ];
      return node['operator'] === '+' && left !== null && right !== null ? left + right : null;
    }
    case 'CallExpression':
      return joinOf(node, scope);
    case 'Identifier':
      return variableOf(node['name'] as string, scope);
    default:
      return null;
  }
}

function templateOf(node: Node, scope: Scope | null, form: 'cooked' | 'raw'): string | null {
  const quasis = node['quasis'] as { value: { cooked: string; raw: string } }[];
  const values = (node['expressions'] as Node[]).map((expression) => constantOf(expression, scope));
  if (values.includes(null)) return null;
  return quasis.map(({ value }, n) => value[form] + (values[n] ?? '')).join('');
}

/** `[…].join('|')` */
function joinOf(node: Node, scope: Scope | null): string | null {
  const callee = node['callee'] as Node;
  const list = callee['object'] as Node | undefined;
  if ((callee['property'] as Node | undefined)?.['name'] !== 'join' || list?.type !== 'ArrayExpression')
    return null;
  const texts = (list['elements'] as Node[]).map((element) => constantOf(element, scope));
  const between = constantOf((node['arguments'] as Node[])[0] ?? node, scope);
  return between === null || texts.includes(null) ? null : texts.join(between);
}

function variableOf(name: string, scope: Scope | null): string | null {
  for (let at = scope; at !== null; at = at.upper) {
    const [definition] = at.set.get(name)?.defs ?? [];
    if (definition === undefined) continue;
    const init = definition.type === 'Variable' ? (definition.node['init'] as Node | null) : null;
    return init === null ? null : constantOf(init, at);
  }
  return null;
}
