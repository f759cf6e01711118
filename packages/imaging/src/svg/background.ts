import { viewBoxOf } from './boxes.ts';
import { element, type SvgElement } from './tree.ts';
import { paint } from './values.ts';

/** Paints the background of the root element, which browsers do and engines of SVG do not. */
export function withBackground(root: SvgElement, value: string): void {
  const colour = paint(value);
  if (colour === null || colour === 'none') return;
  const box = viewBoxOf(root);
  // With a ratio of its own, the viewBox leaves strips at two sides; the root cuts off what lies beyond.
  const place =
    box === null
      ? [
          ['width', '100%'],
          ['height', '100%'],
        ]
      : [
          ['x', box.x - box.width * 50],
          ['y', box.y - box.height * 50],
          ['width', box.width * 101],
          ['height', box.height * 101],
        ];
  const attributes = place.map(([name, length]) => [String(name), String(length)] as const);
  root.children.unshift(element(root, 'rect', [...attributes, ['fill', colour]]));
}
