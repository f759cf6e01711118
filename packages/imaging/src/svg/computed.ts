import { cascade, type Declarations } from './cascade.ts';
import { withBackground } from './background.ts';
import { TRANSFORMS, writeTransform } from './element-transform.ts';
import { fontShorthand } from './font-shorthand.ts';
import { hasLengths, INITIAL_SIZE, plainLengths, rootFontSize, withRootSize } from './lengths.ts';
import { resolveReferences } from './references.ts';
import { completeRoot } from './root-size.ts';
import type { SvgElement, SvgTree } from './tree.ts';
import { cssLength, paint, withVariables } from './values.ts';

/**
 * Prepares an SVG for engines that know less of CSS than a browser: the declarations that win stand in the
 * `style` attribute of each element, colours in the notation that every reader knows, and geometry and
 * transforms in their attributes.
 */

const PAINTS: ReadonlySet<string> = new Set([
  'fill',
  'stroke',
  'color',
  'stop-color',
  'flood-color',
  'lighting-color',
]);
const OPACITIES = /^(?:(?:fill|stroke|stop|flood)-)?opacity$/;
const NOT_INHERITED =
  /^(?:opacity|(?:stop|flood)-|lighting-color|clip-path|mask|filter|display|overflow|text-decoration)/;
/** Initial values of properties that are inherited (SVG 2, appendix F). */
const INITIAL: Readonly<Record<string, string>> = {
  fill: '#000000',
  stroke: 'none',
  color: '#000000',
  'fill-opacity': '1',
  'stroke-opacity': '1',
  'stroke-width': '1',
  'stroke-dasharray': 'none',
  visibility: 'visible',
  'font-size': '16px',
  'font-style': 'normal',
  'font-weight': 'normal',
  'text-anchor': 'start',
};

const RECTANGLE = ['x', 'y', 'width', 'height'];
/** Attributes that are properties as well (SVG 2, 8.11 "Geometry properties"). */
const GEOMETRY: Readonly<Record<string, readonly string[]>> = {
  svg: RECTANGLE,
  image: RECTANGLE,
  foreignObject: RECTANGLE,
  use: RECTANGLE,
  rect: [...RECTANGLE, 'rx', 'ry'],
  circle: ['cx', 'cy', 'r'],
  ellipse: ['cx', 'cy', 'rx', 'ry'],
};
const ALL_GEOMETRY: ReadonlySet<string> = new Set(Object.values(GEOMETRY).flat());
/** What no engine but a browser does, by property: the values that are meant. */
const UNSUPPORTED: readonly (readonly [property: RegExp, value: RegExp])[] = [
  [/^vector-effect$/, /^non-scaling-stroke/],
  [/^offset-path$/, /[^]/],
  [/^animation(?:-name)?$/, /^(?!none)/],
  [/^clip-path$/, /^(?!none|url|inherit)/i],
  [/^mask(?:-image)?$/, /^(?!none|url|inherit)/i],
  [/^text-shadow$/, /^(?!none)/],
  [/^font-variant(?:-caps)?$/, /\b(?:small|petite|titling)-caps|unicase/],
];
const ANIMATIONS: ReadonlySet<string> = new Set(['animate', 'animateTransform', 'animateMotion', 'set']);

/** What a drawing has that is not drawn as written, each once, as parts of a sentence. */
export class Notes {
  /** What nobody can draw. */
  readonly missing = new Set<string>();
  /** What browsers draw. */
  readonly lacking = new Set<string>();

  forAll(text: string): void {
    this.missing.add(text);
  }

  forBrowser(text: string): void {
    this.lacking.add(text);
  }
}

/** Returns a tree that an engine without CSS draws; the elements are changed. */
export function computed(tree: SvgTree, notes: Notes): SvgTree {
  const note = (text: string): void => notes.forBrowser(text);
  const styles = cascade(tree, note);
  for (const family of styles.embeddedFamilies) note(`the font ${family.slice(0, 80)} within the file`);
  for (const address of styles.imports) notes.forAll(`the style sheet ${address}`);
  const variables = new Map<SvgElement, Record<string, string>>();
  let rootSize = INITIAL_SIZE;
  for (const element of tree.elements) {
    const declared = styles.of.get(element) ?? new Map<string, string>();
    const custom = customProperties(declared, variables.get(element.parent ?? element));
    variables.set(element, custom);
    describe(element, notes);
    const values = valuesOf(declared, custom, rootSize);
    if (element === tree.root) {
      rootSize = rootFontSize(values.get('font-size') ?? element.attributes.get('font-size'));
      values.set('font-size', `${rootSize}px`);
    }
    write(element, values, rootSize, note);
  }
  completeRoot(tree.root, rootSize);
  resolveReferences(tree, note);
  for (const { children } of tree.elements) removeSheets(children);
  return { ...tree, elements: tree.elements.filter(({ local }) => local !== 'style') };
}

function removeSheets(children: SvgElement['children']): void {
  for (let at = children.length - 1; at >= 0; at -= 1) {
    const child = children[at];
    if (child?.kind === 'element' && child.local === 'style') children.splice(at, 1);
  }
}

/** Returns whether an address has an SVG that needs more than shapes, which only the outer drawing is prepared for. */
function isStyledDrawing(address: string): boolean {
  const [head = '', ...rest] = address.split(',');
  if (!/^\s*data:image\/svg\+xml/i.test(head)) return false;
  const data = rest.join(',');
  const isPlain = !/;\s*base64\s*$/i.test(head);
  const text = isPlain ? data.replaceAll(/%3c/gi, '<') : Buffer.from(data, 'base64').toString();
  return /<(?:[\w.-]+:)?(?:text|style|use|foreignObject|image)\b/.test(text);
}

/** Names what an element is that no engine draws. */
function describe({ local, attributes, children, parent }: SvgElement, notes: Notes): void {
  if (local === 'radialGradient' && Number.parseFloat(attributes.get('fr') ?? '0') > 0)
    notes.forBrowser('`fr` of a gradient');
  if (local === 'foreignObject' && children.length > 0 && parent?.local !== 'switch')
    notes.forBrowser('`foreignObject`');
  if (ANIMATIONS.has(local)) notes.forAll('animations');
  const address = attributes.get('href') ?? attributes.get('xlink:href') ?? '';
  if (local === 'image' && isStyledDrawing(address))
    notes.forBrowser('text and styles of a drawing within it');
  if (['image', 'use', 'feImage'].includes(local) && !/^\s*(?:data:|#|$)/i.test(address)) {
    notes.forAll(`the file ${address.trim().slice(0, 80)}`);
    // The engine would refuse the whole drawing.
    for (const name of ['href', 'xlink:href']) attributes.delete(name);
  }
}

function customProperties(
  declared: Declarations,
  inherited: Record<string, string> = {},
): Record<string, string> {
  const own = Array.from(declared).filter(([name]) => name.startsWith('--'));
  if (own.length === 0) return inherited;
  return Object.assign(Object.create(inherited) as Record<string, string>, Object.fromEntries(own));
}

/** Returns the declarations without custom properties and without `font`. */
function valuesOf(
  declared: Declarations,
  custom: Record<string, string>,
  rootSize: number,
): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, written] of declared) {
    if (name.startsWith('--')) continue;
    const value = withRootSize(withVariables(written, (property) => custom[property]) ?? 'unset', rootSize);
    for (const [longhand, part] of name === 'font' ? fontShorthand(value) : [[name, value] as const]) {
      values.delete(longhand);
      values.set(longhand, part);
    }
  }
  return values;
}

function write(
  element: SvgElement,
  declared: Map<string, string>,
  rootSize: number,
  note: (text: string) => void,
): void {
  const { attributes, local } = element;
  const geometry = GEOMETRY[local] ?? [];
  const transforms = new Map<string, string>();
  const style: string[] = [];
  // There, `fill` has another meaning.
  if (ANIMATIONS.has(local)) return;
  for (const [name, value] of attributes) {
    const absolute = hasLengths(name) ? withRootSize(value, rootSize) : value;
    const plain = name === 'style' ? null : computedValue(name, absolute, true, note);
    if (plain !== null && plain !== value) attributes.set(name, plain);
    if (plain === null && PAINTS.has(name)) attributes.delete(name);
  }
  for (const [name, value] of declared) {
    if (TRANSFORMS.has(name)) transforms.set(name, value);
    else if (ALL_GEOMETRY.has(name)) {
      if (geometry.includes(name)) writeGeometry(attributes, name, value, note);
    } else if (name === 'd' && local === 'path') {
      const path = pathIn(value);
      if (path !== null) attributes.set('d', path);
    } else if (name === 'white-space') {
      attributes.set('xml:space', /^(?:pre|pre-wrap|break-spaces)$/i.test(value) ? 'preserve' : 'default');
    } else if (name === 'background' || name === 'background-color') {
      if (element.parent === null) withBackground(element, value);
    } else {
      const plain = computedValue(name, value, false, note);
      // It was the weaker one.
      if (plain !== null) attributes.delete(name);
      if (plain !== null && plain !== '') style.push(`${name}:${plain}`);
    }
  }
  writeTransform(element, transforms, note);
  if (style.length === 0) attributes.delete('style');
  else attributes.set('style', style.join(';'));
}

/** @returns null for a value that is not valid, an empty text for one that leaves the property as it is without */
function computedValue(
  name: string,
  value: string,
  isAttribute: boolean,
  note: (text: string) => void,
): string | null {
  const keyword = value.toLowerCase();
  if (['unset', 'revert', 'revert-layer', 'initial'].includes(keyword)) {
    return keyword === 'initial' && !NOT_INHERITED.test(name) ? (INITIAL[name] ?? '') : '';
  }
  if (UNSUPPORTED.some(([property, values]) => property.test(name) && values.test(value))) {
    note(`\`${name}: ${value.slice(0, 60)}\``);
    return '';
  }
  if (PAINTS.has(name)) {
    const plain = paint(value);
    if (plain === null) note(`the colour ${value.slice(0, 80)}`);
    return plain;
  }
  if (OPACITIES.test(name) && value.endsWith('%')) return String(Number(value.slice(0, -1)) / 100);
  return hasLengths(name) ? plainLengths(name, value, isAttribute, note) : value;
}

function writeGeometry(
  attributes: Map<string, string>,
  name: string,
  value: string,
  note: (text: string) => void,
): void {
  if (/^(?:auto|unset|initial|revert)$/i.test(value)) {
    attributes.delete(name);
    return;
  }
  const length = cssLength(value);
  if (length !== null) attributes.set(name, length);
  // A number without a unit is not valid.
  else if (!/^[+-]?[\d.]+$/.test(value)) note(`\`${name}: ${value.slice(0, 60)}\``);
}

/** The data of `path("…")` (SVG 2, 9.3.2); null for anything else. */
function pathIn(value: string): string | null {
  if (!value.startsWith('path(') || !value.endsWith(')')) return null;
  const quoted = value.slice('path('.length, -1).trim();
  const quote = quoted.charAt(0);
  return quoted.length > 1 && (quote === '"' || quote === "'") && quoted.endsWith(quote)
    ? quoted.slice(1, -1)
    : null;
}
