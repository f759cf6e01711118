import { cascade, type Declarations } from './cascade.ts';
import { withBackground } from './background.ts';
import { type SvgElement, type SvgTree } from './tree.ts';
import {
  around,
  IDENTITY,
  type Matrix,
  matrixText,
  multiplied,
  originOf,
  transformList,
} from './transform.ts';
import { boxOf, referenceBox } from './boxes.ts';
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
/** Properties whose numbers need a unit in CSS, unlike in attributes. */
const LENGTHS: ReadonlySet<string> = new Set([
  'font-size',
  'letter-spacing',
  'word-spacing',
  'baseline-shift',
]);
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
const TRANSFORMS: ReadonlySet<string> = new Set([
  'transform',
  'transform-origin',
  'transform-box',
  'translate',
  'rotate',
  'scale',
]);
/** Transforms of these stand in attributes of other names. */
const TRANSFORM_ATTRIBUTES: Readonly<Record<string, string>> = {
  linearGradient: 'gradientTransform',
  radialGradient: 'gradientTransform',
  pattern: 'patternTransform',
};

/** What no engine but a browser does, by property: the values that are meant. */
const UNSUPPORTED: readonly (readonly [property: RegExp, value: RegExp])[] = [
  [/^vector-effect$/, /^non-scaling-stroke/],
  [/^offset-path$/, /[^]/],
  [/^animation(?:-name)?$/, /^(?!none)/],
  [/^clip-path$/, /^(?!none|url|inherit)/i],
  [/^mask(?:-image)?$/, /^(?!none|url|inherit)/i],
  [/^text-shadow$/, /^(?!none)/],
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
  for (const element of tree.elements) {
    const declared = styles.of.get(element) ?? new Map<string, string>();
    const custom = customProperties(declared, variables.get(element.parent ?? element));
    variables.set(element, custom);
    describe(element, notes);
    write(element, valuesOf(declared, custom), note);
  }
  for (const { children } of tree.elements) removeSheets(children);
  return { ...tree, elements: tree.elements.filter(({ local }) => local !== 'style') };
}

function removeSheets(children: SvgElement['children']): void {
  for (let at = children.length - 1; at >= 0; at -= 1) {
    const child = children[at];
    if (child?.kind === 'element' && child.local === 'style') children.splice(at, 1);
  }
}

/** Names what an element is that no engine draws. */
function describe({ local, attributes, children, parent }: SvgElement, notes: Notes): void {
  if (local === 'foreignObject' && children.length > 0 && parent?.local !== 'switch')
    notes.forBrowser('`foreignObject`');
  if (ANIMATIONS.has(local)) notes.forAll('animations');
  const address = attributes.get('href') ?? attributes.get('xlink:href') ?? '';
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

/** Returns the declarations without custom properties. */
function valuesOf(declared: Declarations, custom: Record<string, string>): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of declared) {
    if (name.startsWith('--')) continue;
    values.set(name, withVariables(value, (property) => custom[property]) ?? 'unset');
  }
  return values;
}

function write(element: SvgElement, declared: Map<string, string>, note: (text: string) => void): void {
  const { attributes, local } = element;
  const geometry = GEOMETRY[local] ?? [];
  const transforms = new Map<string, string>();
  const style: string[] = [];
  // There, `fill` has another meaning.
  if (ANIMATIONS.has(local)) return;
  for (const [name, value] of attributes) {
    const plain = name === 'style' ? null : computedValue(name, value, true, note);
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
  if (!isAttribute && LENGTHS.has(name) && /^[+-]?[\d.]+/.test(value)) {
    const length = cssLength(value);
    return length === null ? null : length.replace(/\d$/, '$&px');
  }
  return value;
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

function writeTransform(
  element: SvgElement,
  declared: ReadonlyMap<string, string>,
  note: (text: string) => void,
): void {
  const { attributes, local } = element;
  const name = TRANSFORM_ATTRIBUTES[local] ?? 'transform';
  const origin = declared.get('transform-origin') ?? attributes.get('transform-origin');
  if (declared.size === 0 && origin === undefined) return;
  const ofBox = declared.get('transform-box') ?? attributes.get('transform-box') ?? 'view-box';
  const isOwn = /^(?:fill|content|stroke|border)-box$/.test(ofBox);
  const box = isOwn ? boxOf(element) : referenceBox(element);
  const unsupported = (): void => {
    const text = declared.get('transform') ?? Array.from(declared.values()).join(' ');
    note(`\`transform: ${text.slice(0, 60)}\``);
  };
  if (box === null) return unsupported();
  const css = declared.get('transform');
  const own = css ?? attributes.get(name) ?? '';
  const parts = [
    functionOf(declared, 'translate', (value) => `translate(${value})`),
    functionOf(declared, 'rotate', (value) => `rotate(${value})`),
    functionOf(declared, 'scale', (value) => `scale(${value})`),
  ].map((text) => transformList(text, box, false));
  const matrices = [
    ...parts,
    transformList(/^(?:initial|unset)$/.test(own) ? '' : own, box, css === undefined),
  ];
  const product = matrices.reduce<Matrix | null>(
    (total, matrix) => (total === null || matrix === null ? null : multiplied(total, matrix)),
    IDENTITY,
  );
  const point = origin === undefined ? { x: isOwn ? box.x : 0, y: isOwn ? box.y : 0 } : originOf(origin, box);
  if (product === null || point === null) return unsupported();
  attributes.delete('transform-origin');
  attributes.set(name, matrixText(around(product, point.x, point.y)));
}

function functionOf(
  declared: ReadonlyMap<string, string>,
  name: string,
  written: (value: string) => string,
): string {
  const value = declared.get(name);
  return value === undefined || value === 'none' ? '' : written(value);
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
