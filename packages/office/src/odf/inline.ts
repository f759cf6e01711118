import { splitParagraph } from '../docx/inline.ts';
import { foreignIn } from '../foreign.ts';
import { Break, type RichValue } from '../marks.ts';
import { readRich, readRichParagraphs, type RichRun } from '../rich.ts';
import { make } from '../xml/build.ts';
import { legalText } from '../xml/serialize.ts';
import { closest, type Element, type Node, replace, shallowCopy, Text } from '../xml/tree.ts';
import { PARAGRAPHS, spaced } from './spaces.ts';
import type { AutomaticStyles } from './styles.ts';

/** Breaks of values in OpenDocument text. */
export function resolveBreaks(root: Element, styles: AutomaticStyles, kind: 'odt' | 'ods' | 'odp'): void {
  for (const mark of foreignIn(root)) {
    if (!(mark instanceof Break) || mark.parent === null) continue;
    const paragraph = closest(mark.parent, PARAGRAPHS);
    if (paragraph === null) replace(mark, new Text(' '));
    // Lines of a spreadsheet's cell are paragraphs.
    else if (mark.type === 'line' && kind !== 'ods') replace(mark, make(mark.parent, 'text:line-break'));
    else if (mark.type === 'tab') replace(mark, make(mark.parent, 'text:tab'));
    else {
      const startsPage = mark.type === 'page';
      splitParagraph(mark, paragraph.tag, []);
      const next = paragraph.parent?.children[paragraph.parent.children.indexOf(paragraph) + 1];
      if (startsPage && next?.kind === 'element') startPage(next, styles);
    }
  }
}

function startPage(paragraph: Element, styles: AutomaticStyles): void {
  const parent = paragraph.get('text:style-name');
  const name = styles.derive('paragraph', parent, 'style:paragraph-properties', {
    'fo:break-before': 'page',
  });
  paragraph.set('text:style-name', name);
}

/** Rich text: spans, or paragraphs where it takes the place of one. */
export function richNodes(value: RichValue, styles: AutomaticStyles): Node[] {
  const { format, parent } = value;
  if (parent === null) return [];
  if (format !== null && PARAGRAPHS.has(format.tag)) {
    return readRichParagraphs(value.json).map((runs) => {
      const paragraph = shallowCopy(format);
      paragraph.append(...runs.map((run) => span(run, null, parent, styles)));
      return paragraph;
    });
  }
  return readRich(value.json).map((run) => span(run, format, parent, styles));
}

function span(run: RichRun, model: Element | null, near: Element, styles: AutomaticStyles): Element {
  const parent = run.style ?? model?.get('text:style-name');
  const properties = textProperties(run);
  const name =
    Object.keys(properties).length === 0
      ? parent
      : styles.derive('text', parent, 'style:text-properties', properties);
  const element = make(near, 'text:span', { 'text:style-name': name });
  for (const piece of run.text.split(/([\n\t\f\v])/)) {
    if (piece === '\t') element.append(make(near, 'text:tab'));
    else if (/^[\n\f\v]$/.test(piece)) element.append(make(near, 'text:line-break'));
    else if (piece !== '') element.append(...spaced(legalText(piece), near, false));
  }
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
