import { DEFAULT_BOX, viewBoxOf } from './boxes.ts';
import { lengthInPixels } from './lengths.ts';
import type { SvgElement } from './tree.ts';
import { cssLength } from './values.ts';

/**
 * Completes the size of the root element as browsers do for pictures (CSS Images Level 3, 5.3): a side that is
 * missing, `auto` or a percentage follows from the other one by the ratio of the viewBox. Without a viewBox it
 * gets the size of a picture that has none.
 *
 * @param fontSize of the root in pixels
 */
export function completeRoot(root: SvgElement, fontSize: number): void {
  const box = viewBoxOf(root);
  const width = pixels(root, 'width', fontSize);
  const height = pixels(root, 'height', fontSize);
  const set = (name: 'width' | 'height', value: number): void => {
    root.attributes.set(name, String(value));
  };
  if (box === null) {
    if (width === null) set('width', DEFAULT_BOX.width);
    if (height === null) set('height', DEFAULT_BOX.height);
  } else if (box.width > 0 && box.height > 0 && (width === null) !== (height === null)) {
    if (width === null) set('width', ((height ?? 0) * box.width) / box.height);
    else set('height', (width * box.height) / box.width);
  }
}

/** @returns null for a length that the root does not have by itself */
function pixels({ attributes }: SvgElement, name: string, fontSize: number): number | null {
  const value = (attributes.get(name) ?? '').trim();
  if (value !== '' && Number.isFinite(Number(value))) return Number(value);
  const length = cssLength(value);
  return length === null || length.endsWith('%') ? null : lengthInPixels(length, fontSize);
}
