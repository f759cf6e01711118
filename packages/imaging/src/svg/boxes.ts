import type { SvgElement } from './tree.ts';
import type { ReferenceBox } from './transform.ts';
import { cssLength } from './values.ts';

/** Boxes that percentages and origins of transforms refer to. */

function number(element: SvgElement, name: string): number {
  const value = element.attributes.get(name)?.trim() ?? '0';
  const plain = Number(value);
  return Number.isFinite(plain) ? plain : Number(cssLength(value) ?? Number.NaN);
}

/** Returns the numbers of a `viewBox`; null for none. */
export function viewBoxOf({ attributes }: SvgElement): ReferenceBox | null {
  const numbers = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [x, y, width, height] = numbers;
  if (x === undefined || y === undefined || width === undefined || height === undefined) return null;
  return numbers.every(Number.isFinite) ? { x, y, width, height } : null;
}

/** The size of replaced elements that have none (CSS 2, 10.3.2). */
export const DEFAULT_BOX: ReferenceBox = { x: 0, y: 0, width: 300, height: 150 };

/** The nearest viewport, from its origin: `transform-box: view-box` (CSS Transforms Level 1, 8). */
export function referenceBox(element: SvgElement): ReferenceBox {
  for (let at = element.parent ?? element; ; at = at.parent) {
    const box = viewBoxOf(at);
    if (box !== null) return { x: 0, y: 0, width: box.width, height: box.height };
    if (at.local === 'svg') {
      const outer = at.parent === null ? DEFAULT_BOX : referenceBox(at);
      return { x: 0, y: 0, width: size(at, 'width', outer.width), height: size(at, 'height', outer.height) };
    }
    if (at.parent === null) return DEFAULT_BOX;
  }
}

/** A length of an element in user units, where percentages and what is missing refer to its viewport. */
function size(element: SvgElement, name: string, outer: number): number {
  const written = element.attributes.get(name) ?? '100%';
  const value = written.endsWith('%') ? (Number(written.slice(0, -1)) / 100) * outer : number(element, name);
  return Number.isFinite(value) ? value : outer;
}

/** The box of a simple shape without its stroke; null for other elements. */
export function boxOf(element: SvgElement): ReferenceBox | null {
  const of = (name: string): number => number(element, name);
  const box = ((): ReferenceBox | null => {
    switch (element.local) {
      case 'rect':
      case 'image':
        return { x: of('x'), y: of('y'), width: of('width'), height: of('height') };
      case 'circle':
        return { x: of('cx') - of('r'), y: of('cy') - of('r'), width: 2 * of('r'), height: 2 * of('r') };
      case 'ellipse':
        return { x: of('cx') - of('rx'), y: of('cy') - of('ry'), width: 2 * of('rx'), height: 2 * of('ry') };
      case 'line':
        return spanned([of('x1'), of('x2')], [of('y1'), of('y2')]);
      case 'polygon':
      case 'polyline': {
        const points = (element.attributes.get('points') ?? '')
          .trim()
          .split(/[\s,]+/)
          .map(Number);
        return spanned(
          points.filter((_, index) => index % 2 === 0),
          points.filter((_, index) => index % 2 === 1),
        );
      }
      default:
        return null;
    }
  })();
  return box !== null && Object.values(box).every(Number.isFinite) ? box : null;
}

function spanned(xs: readonly number[], ys: readonly number[]): ReferenceBox {
  const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);
  const [x, y] = [least(xs), least(ys)];
  return { x, y, width: most(xs) - x, height: most(ys) - y };
}
