import { compile } from 'css-select';
import type { CssNode, Declaration, Rule } from 'css-tree';
import generate from 'css-tree/generator';
import parse from 'css-tree/parser';
import type { SvgElement, SvgNode, SvgTree } from './tree.ts';

/** The cascade of CSS (CSS Cascading and Inheritance Level 5) for an SVG: the declarations that win. */

/** The values of an element's properties as written; custom properties included. */
export type Declarations = ReadonlyMap<string, string>;

export interface Styles {
  of: ReadonlyMap<SvgElement, Declarations>;
  /** Families of `@font-face` rules. */
  embeddedFamilies: readonly string[];
  /** Addresses of `@import` rules, which nobody loads. */
  imports: readonly string[];
}

/** Where a declaration stands, from the weakest: in a layer, in a sheet, at the element; then what is important. */
const ORIGINS = { layer: 0, sheet: 1, element: 2, importantSheet: 3, importantElement: 4 } as const;

interface Candidate {
  value: string;
  rank: readonly [origin: number, specificity: number, order: number];
}

interface Sheet {
  rules: { rule: Rule; isLayered: boolean }[];
  families: string[];
  imports: string[];
}

/**
 * Computes the declarations of each element: those of its sheets and of its `style` attribute.
 *
 * @param note called with what is left out
 */
export function cascade(tree: SvgTree, note: (text: string) => void): Styles {
  const sheet: Sheet = { rules: [], families: [], imports: [] };
  for (const { local, attributes, children } of tree.elements) {
    if (local !== 'style') continue;
    if (!['', 'text/css'].includes((attributes.get('type') ?? '').trim().toLowerCase())) continue;
    const text = children.map((child) => (child.kind === 'text' ? child.text : '')).join('');
    if (applies(attributes.get('media') ?? '', note)) collect(parsed(text), sheet, note, false);
  }
  const winners = new Map<SvgElement, Map<string, Candidate>>();
  for (const [order, { rule, isLayered }] of sheet.rules.entries()) {
    for (const { selector, specificity } of selectorsOf(rule)) {
      const matches = predicate(selector, note);
      if (matches === null) continue;
      const matched = tree.elements.filter(matches);
      for (const declaration of declarationsOf(rule.block.children.toArray())) {
        const plain = isLayered ? ORIGINS.layer : ORIGINS.sheet;
        const origin = declaration.important ? ORIGINS.importantSheet : plain;
        for (const element of matched) offer(winners, element, declaration, [origin, specificity, order]);
      }
    }
  }
  for (const element of tree.elements) {
    const style = element.attributes.get('style');
    if (style === undefined) continue;
    for (const declaration of declarationsOf(parsed(style, 'declarationList'))) {
      const origin = declaration.important ? ORIGINS.importantElement : ORIGINS.element;
      offer(winners, element, declaration, [origin, 0, 0]);
    }
  }
  const values = Array.from(winners, ([element, properties]) => {
    const entries = Array.from(properties, ([name, { value }]) => [name, value] as const);
    return [element, new Map(entries)] as const;
  });
  return { of: new Map(values), embeddedFamilies: sheet.families, imports: sheet.imports };
}

function parsed(text: string, context: 'stylesheet' | 'declarationList' = 'stylesheet'): CssNode[] {
  const root = parse(text, { context, parseValue: false, parseCustomProperty: false });
  return 'children' in root && root.children !== null ? root.children.toArray() : [];
}

function collect(
  nodes: readonly CssNode[],
  sheet: Sheet,
  note: (text: string) => void,
  isLayered: boolean,
): void {
  for (const node of nodes) {
    if (node.type === 'Rule') {
      sheet.rules.push({ rule: node, isLayered });
      if (node.block.children.some(({ type }) => type === 'Rule')) note('nested rules of style sheets');
    }
    if (node.type !== 'Atrule') continue;
    const name = node.name.toLowerCase();
    const condition = node.prelude === null ? '' : generate(node.prelude);
    const inner = node.block?.children.toArray() ?? [];
    if (name === 'media' && applies(condition, note)) collect(inner, sheet, note, isLayered);
    else if (name === 'supports' && !/^\s*not\b/i.test(condition)) collect(inner, sheet, note, isLayered);
    else if (name === 'layer') collect(inner, sheet, note, true);
    else if (name === 'import') sheet.imports.push(condition.slice(0, 80));
    else if (name === 'font-face') {
      const family = declarationsOf(inner).find(({ property }) => property === 'font-family')?.value;
      if (family !== undefined) sheet.families.push(family.replace(/^["']|["']$/g, ''));
    }
  }
}

/** Returns whether a media query applies: browsers show pictures as on a screen, on paper too. */
function applies(query: string, note: (text: string) => void): boolean {
  return query.split(',').some((part) => {
    const plain = part
      .toLowerCase()
      .replace(/^\s*only\s+/, '')
      .replaceAll(/\s+/g, '');
    if (['', 'all', 'screen', '(prefers-color-scheme:light)'].includes(plain)) return true;
    if (!['print', '(prefers-color-scheme:dark)'].includes(plain))
      note(`the media query ${part.trim().slice(0, 80)}`);
    return false;
  });
}

interface CssDeclaration {
  property: string;
  value: string;
  important: boolean;
}

function declarationsOf(nodes: readonly CssNode[]): CssDeclaration[] {
  return nodes
    .filter((node): node is Declaration => node.type === 'Declaration')
    .map(({ property, value, important }) => ({
      property: property.startsWith('--') ? property : property.toLowerCase(),
      value: generate(value).trim(),
      important: important !== false,
    }));
}

function offer(
  winners: Map<SvgElement, Map<string, Candidate>>,
  element: SvgElement,
  { property, value }: CssDeclaration,
  rank: Candidate['rank'],
): void {
  const properties = winners.get(element) ?? new Map<string, Candidate>();
  winners.set(element, properties);
  const known = properties.get(property);
  if (known !== undefined && compared(known.rank, rank) > 0) return;
  // Properties are written in the order of their declarations.
  properties.delete(property);
  properties.set(property, { value, rank });
}

function compared(a: Candidate['rank'], b: Candidate['rank']): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function selectorsOf({ prelude }: Rule): { selector: string; specificity: number }[] {
  if (prelude.type !== 'SelectorList') return [];
  return prelude.children.toArray().map((selector) => ({
    // bounded: css-tree writes no white space around the parts of a selector
    selector: generate(selector).replaceAll(/(^|[\s>+~(,])(?:[\w-]+|\*)?\|(?!\|)/g, '$1'),
    specificity: specificityOf(selector),
  }));
}

const IDS = 1_000_000;
const CLASSES = 1000;

/** Selectors Level 4, section 17. */
function specificityOf(node: CssNode): number {
  const below = 'children' in node && node.children ? node.children.toArray().map(specificityOf) : [];
  const sum = below.reduce((total, value) => total + value, 0);
  switch (node.type) {
    case 'IdSelector':
      return IDS;
    case 'ClassSelector':
    case 'AttributeSelector':
      return CLASSES;
    case 'TypeSelector':
      return node.name.endsWith('*') ? 0 : 1;
    case 'PseudoElementSelector':
      return 1;
    case 'PseudoClassSelector':
      if (node.name === 'where') return 0;
      return ['is', 'not', 'has', 'matches'].includes(node.name) ? sum : CLASSES;
    case 'SelectorList':
      return Math.max(0, ...below);
    default:
      return sum;
  }
}

const isElement = (node: SvgNode): node is SvgElement => node.kind === 'element';

/** How css-select walks through the tree. */
const adapter = {
  isTag: isElement,
  getAttributeValue: ({ attributes }: SvgElement, name: string) => attributes.get(name),
  getChildren: (node: SvgNode) => (isElement(node) ? node.children : []),
  getName: ({ local }: SvgElement) => local,
  getParent: ({ parent }: SvgElement) => parent,
  getSiblings: (node: SvgNode) => node.parent?.children ?? [node],
  getText: (node: SvgNode) => (isElement(node) ? '' : node.text),
  hasAttrib: ({ attributes }: SvgElement, name: string) => attributes.has(name),
  removeSubsets: (nodes: SvgNode[]) => nodes,
};

/** @returns null for a selector that matches nothing or is not supported */
function predicate(
  selector: string,
  note: (text: string) => void,
): ((element: SvgElement) => boolean) | null {
  if (/::|:(?:hover|active|focus|visited|link|target)\b/.test(selector)) return null;
  try {
    return compile<SvgNode, SvgElement>(selector, { xmlMode: true, adapter });
  } catch {
    note(`the selector ${selector.slice(0, 80)}`);
    return null;
  }
}
