import { withBreaks } from '../marks.ts';
import type { RichRun } from '../rich.ts';
import { make } from '../xml/build.ts';
import { legalText } from '../xml/serialize.ts';
import type { Element } from '../xml/tree.ts';
import { spaced } from './spaces.ts';
import type { AutomaticStyles } from './styles.ts';

/** OpenDocument text with its own format. */

/** Returns a run with the format of another one and its own changes. */
export function span(run: RichRun, model: Element | null, near: Element, styles: AutomaticStyles): Element {
  const parent = run.style ?? model?.get('text:style-name');
  const properties = textProperties(run);
  const name =
    Object.keys(properties).length === 0
      ? parent
      : styles.derive('text', parent, 'style:text-properties', properties);
  const element = make(near, 'text:span', { 'text:style-name': name });
  // The breaks become elements later, together with those of other values.
  for (const piece of withBreaks(run.text))
    element.append(...(typeof piece === 'string' ? spaced(legalText(piece), near, false) : [piece]));
  if (run.url === undefined) return element;
  return make(near, 'text:a', { 'xlink:type': 'simple', 'xlink:href': legalText(run.url) }, element);
}

function textProperties(run: RichRun): Record<string, string> {
  const properties: Record<string, string> = {};
  if (run.bold !== undefined) properties['fo:font-weight'] = run.bold ? 'bold' : 'normal';
  if (run.italic !== undefined) properties['fo:font-style'] = run.italic ? 'italic' : 'normal';
  if (run.strike !== undefined) properties['style:text-line-through-style'] = run.strike ? 'solid' : 'none';
  if (run.underline !== undefined) {
    properties['style:text-underline-style'] = run.underline === 'none' ? 'none' : 'solid';
    properties['style:text-underline-width'] = 'auto';
    properties['style:text-underline-color'] = 'font-color';
  }
  if (run.color !== undefined) properties['fo:color'] = `#${run.color}`;
  if (run.highlight !== undefined) properties['fo:background-color'] = `#${run.highlight}`;
  if (run.size !== undefined) properties['fo:font-size'] = `${run.size}pt`;
  if (run.font !== undefined) properties['fo:font-family'] = run.font;
  if (run.superscript === true) properties['style:text-position'] = 'super 58%';
  else if (run.subscript === true) properties['style:text-position'] = 'sub 58%';
  return properties;
}
