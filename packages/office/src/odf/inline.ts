import { splitParagraph } from '../docx/inline.ts';
import { foreignIn } from '../foreign.ts';
import { Break, pictureOf, type RichValue } from '../marks.ts';
import { readHtmlBlocks, readRich, readRichParagraphs } from '../rich.ts';
import { make } from '../xml/build.ts';
import { closest, type Element, type Node, replace, shallowCopy, Text } from '../xml/tree.ts';
import type { OfficePackage } from '../package.ts';
import { OdfHtml } from './html.ts';
import { PARAGRAPHS } from './spaces.ts';
import { span } from './span.ts';
import type { AutomaticStyles } from './styles.ts';

/** Converts the breaks in values to OpenDocument elements. */
export function resolveBreaks(root: Element, styles: AutomaticStyles, kind: 'odt' | 'ods' | 'odp'): void {
  for (const mark of foreignIn(root)) {
    if (!(mark instanceof Break) || mark.parent === null) continue;
    const paragraph = closest(mark.parent, PARAGRAPHS);
    if (paragraph === null) replace(mark, new Text(' '));
    // Lines of a spreadsheet cell are paragraphs.
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

/** Converts rich text to spans, or to paragraphs when it replaces one. */
export function richNodes(value: RichValue, styles: AutomaticStyles, file: OfficePackage): Node[] {
  const { format, parent } = value;
  if (parent === null) return [];
  const blocks = format !== null && PARAGRAPHS.has(format.tag) ? readHtmlBlocks(value.json) : null;
  if (format !== null && blocks !== null)
    return new OdfHtml({ file, styles, format, near: parent }).write(blocks);
  if (format !== null && PARAGRAPHS.has(format.tag)) {
    return readRichParagraphs(value.json).map((runs) => {
      const paragraph = shallowCopy(format);
      paragraph.append(...runs.map((run) => span(run, null, parent, styles)));
      return paragraph;
    });
  }
  return readRich(value.json).map((run) =>
    run.picture === undefined ? span(run, format, parent, styles) : pictureOf(run.picture),
  );
}
