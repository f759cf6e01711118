import { boxOf, referenceBox } from './boxes.ts';
import {
  around,
  IDENTITY,
  type Matrix,
  matrixText,
  multiplied,
  originOf,
  transformList,
} from './transform.ts';
import type { SvgElement } from './tree.ts';

/** The properties that make a transform. */
export const TRANSFORMS: ReadonlySet<string> = new Set([
  'transform',
  'transform-origin',
  'transform-box',
  'translate',
  'rotate',
  'scale',
]);
/** Transforms of these stand in attributes of other names. */
export const TRANSFORM_ATTRIBUTES: Readonly<Record<string, string>> = {
  linearGradient: 'gradientTransform',
  radialGradient: 'gradientTransform',
  pattern: 'patternTransform',
};

/**
 * Writes the transform of an element into its attribute.
 *
 * @param declared its values of `TRANSFORMS`
 * @param note called with a transform that only browsers know
 */
export function writeTransform(
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
