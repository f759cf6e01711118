import { SaxesParser } from 'saxes';

/** An SVG as a tree that can be changed and written again. */

export interface SvgElement {
  readonly kind: 'element';
  /** With its prefix, as in the file. */
  readonly name: string;
  readonly local: string;
  /** By their names with prefixes. */
  readonly attributes: Map<string, string>;
  children: SvgNode[];
  readonly parent: SvgElement | null;
}

export interface SvgText {
  readonly kind: 'text';
  text: string;
  readonly parent: SvgElement;
}

export type SvgNode = SvgElement | SvgText;

export interface SvgTree {
  root: SvgElement;
  /** All elements in the order of the document: parents stand before their children. */
  elements: readonly SvgElement[];
}

/** Most characters that entities may add: they could repeat each other without end. */
const MAX_ENTITIES = 4_000_000;

/** No engine draws more. */
const MAX_DEPTH = 2000;

/** @returns null for a file that is not well-formed, is nested too deeply, or whose entities are not within it */
export function parseSvg(text: string): SvgTree | null {
  const expanded = withoutEntities(text);
  if (expanded === null) return null;
  const parser = new SaxesParser({ xmlns: true });
  const elements: SvgElement[] = [];
  let current: SvgElement | null = null;
  let depth = 0;
  const addText = (content: string): void => {
    const last = current?.children.at(-1);
    if (last?.kind === 'text') last.text += content;
    else if (current !== null) current.children.push({ kind: 'text', text: content, parent: current });
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ name, local, attributes }) => {
    const values = Object.values(attributes).map((attribute) => [attribute.name, attribute.value] as const);
    const parent = current;
    depth += 1;
    if (depth > MAX_DEPTH) throw new Error('too deep');
    const element: SvgElement = {
      kind: 'element',
      name,
      local,
      attributes: new Map(values),
      children: [],
      parent,
    };
    parent?.children.push(element);
    elements.push(element);
    current = element;
  });
  parser.on('closetag', () => {
    depth -= 1;
    current = current?.parent ?? null;
  });
  try {
    parser.write(expanded).close();
  } catch {
    return null;
  }
  const [root] = elements;
  return root === undefined ? null : { root, elements };
}

/** Replaces the entities that the doctype declares (Adobe Illustrator names namespaces by them). */
function withoutEntities(text: string): string | null {
  const start = text.indexOf('<!DOCTYPE');
  if (start < 0) return text;
  const pattern = /<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/y;
  pattern.lastIndex = start;
  const doctype = pattern.exec(text);
  if (doctype === null) return text;
  if (/<!ENTITY\s+(?:%\s+)?[\w.:-]+\s+(?:SYSTEM|PUBLIC)/.test(doctype[0])) return null;
  const declared = doctype[0].matchAll(/<!ENTITY\s+([\w.:-]+)\s+("[^"]*"|'[^']*')\s*>/g);
  const entities = new Map(Array.from(declared, ([, name = '', quoted = '']) => [name, quoted.slice(1, -1)]));
  let expanded = text.slice(doctype.index + doctype[0].length);
  const most = expanded.length + MAX_ENTITIES;
  // Each pass replaces entities within the values of others.
  for (let pass = 0; pass < entities.size; pass += 1) {
    const before = expanded;
    expanded = before.replaceAll(/&([\w.:-]+);/g, (whole, name: string) => entities.get(name) ?? whole);
    if (expanded === before) break;
    if (expanded.length > most) return null;
  }
  return expanded;
}

export function element(
  like: SvgElement,
  local: string,
  attributes: readonly (readonly [string, string])[],
): SvgElement {
  const prefix = like.name.slice(0, like.name.length - like.local.length);
  return {
    kind: 'element',
    name: prefix + local,
    local,
    attributes: new Map(attributes),
    children: [],
    parent: like,
  };
}

/** Writes a tree without recursion: drawings of machines may be nested deeply. */
export function serializeSvg({ root }: SvgTree): string {
  const pieces: string[] = [];
  const stack: (SvgNode | string)[] = [root];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next === 'string') pieces.push(next);
    else if (next.kind === 'text') pieces.push(escaped(next.text));
    else {
      const attributes = Array.from(next.attributes, ([name, value]) => ` ${name}="${escaped(value)}"`);
      pieces.push(`<${next.name}${attributes.join('')}${next.children.length === 0 ? '/' : ''}>`);
      if (next.children.length === 0) continue;
      stack.push(`</${next.name}>`);
      for (let at = next.children.length - 1; at >= 0; at -= 1) stack.push(next.children[at] ?? '');
    }
  }
  return pieces.join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
