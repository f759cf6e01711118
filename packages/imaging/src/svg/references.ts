import { referenceBox } from './boxes.ts';
import { TRANSFORM_ATTRIBUTES } from './element-transform.ts';
import type { SvgElement, SvgTree } from './tree.ts';

/** Follows references between elements where the engine loses what the other element says. */

const SIDES = ['width', 'height'] as const;
const ORIGIN = ['x', 'y'] as const;

/** @param note called with what only browsers know */
export function resolveReferences({ elements }: SvgTree, note: (text: string) => void): void {
  const byId = new Map<string, SvgElement>();
  for (const element of elements) {
    const id = element.attributes.get('id');
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
  }
  for (const element of elements) {
    if (element.local in TRANSFORM_ATTRIBUTES) inheritTransform(element, byId);
    else if (element.local === 'use') placeUse(element, byId, note);
  }
}

function target({ attributes }: SvgElement, byId: ReadonlyMap<string, SvgElement>): SvgElement | undefined {
  const address = (attributes.get('href') ?? attributes.get('xlink:href') ?? '').trim();
  return address.startsWith('#') ? byId.get(address.slice(1)) : undefined;
}

/** A gradient or pattern without a transform has the one of its template (SVG 2, 14.2.2 and 14.3). */
function inheritTransform(element: SvgElement, byId: ReadonlyMap<string, SvgElement>): void {
  const name = TRANSFORM_ATTRIBUTES[element.local] ?? '';
  const seen = new Set<SvgElement>();
  for (let at: SvgElement | undefined = element; at !== undefined && !seen.has(at); at = target(at, byId)) {
    if (TRANSFORM_ATTRIBUTES[at.local] !== name) return;
    const transform = at.attributes.get(name);
    if (transform !== undefined) element.attributes.set(name, transform);
    if (transform !== undefined) return;
    seen.add(at);
  }
}

/**
 * Gives a `use` the place and size that its `symbol` states (SVG 2, 5.5), as numbers: the engine takes only those of the
 * `use`, and percentages of them for none.
 */
function placeUse(
  use: SvgElement,
  byId: ReadonlyMap<string, SvgElement>,
  note: (text: string) => void,
): void {
  const symbol = target(use, byId);
  if (symbol?.local !== 'symbol' && symbol?.local !== 'svg') return;
  const { attributes } = use;
  if (symbol.local === 'symbol') {
    for (const side of SIDES) {
      const own = symbol.attributes.get(side);
      if (own !== undefined && /^(?:auto)?$/i.test(attributes.get(side) ?? '')) attributes.set(side, own);
    }
  }
  const box = referenceBox(use);
  for (const name of [...ORIGIN, ...SIDES]) {
    const value = attributes.get(name) ?? '';
    const side = name === 'x' || name === 'width' ? box.width : box.height;
    if (value.endsWith('%')) attributes.set(name, String((Number(value.slice(0, -1)) / 100) * side));
  }
  if (symbol.local !== 'symbol') return;
  const moved = ORIGIN.filter((name) => Number.parseFloat(symbol.attributes.get(name) ?? '0') !== 0);
  for (const name of moved) {
    const [own, place] = [Number(symbol.attributes.get(name)), Number(attributes.get(name) ?? '0')];
    if (Number.isFinite(own + place)) attributes.set(name, String(own + place));
    else note(`\`${name}\` of a symbol`);
  }
}
