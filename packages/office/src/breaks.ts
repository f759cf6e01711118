import type { FormatTable } from './formats/table.ts';
import { closes, divides } from './groups.ts';
import { isOn } from './ooxml/on-off.ts';
import type { Tag } from './tags.ts';
import { make } from './xml/build.ts';
import { all, type Element, remove, shallowCopy } from './xml/tree.ts';

/** Breaks of pages, columns and sections in paragraphs that contain only block tags: they stay without the tags. */

/** Returns whether a break of a page, a column, a section or a page style belongs to a paragraph. */
export type Breaks = (paragraph: Element) => boolean;

/** Returns the function that tells it for the paragraphs of a part. */
export function breaksOf(root: Element): Breaks {
  const styles = new Map(
    root
      .elements('office:automatic-styles')
      .flatMap((container) => container.elements('style:style'))
      .map((style) => [style.get('style:name'), style]),
  );
  return (paragraph) => {
    if (paragraph.tag !== 'w:p') {
      const style = styles.get(paragraph.get('text:style-name'));
      return style !== undefined && (changesPage(style, paragraph) || isBreaking(style, paragraph));
    }
    const properties = paragraph.first('w:pPr');
    return (
      properties?.first('w:sectPr') !== undefined ||
      (isOn(properties?.first('w:pageBreakBefore')) && !isFirst(paragraph)) ||
      breakMarks(paragraph).length > 0
    );
  };
}

/** Returns whether a style has another page style begin. */
function changesPage(style: Element, paragraph: Element): boolean {
  const page = style.get('style:master-page-name') ?? '';
  return page !== '' && !(page === 'Standard' && isFirst(paragraph));
}

function isBreaking(style: Element, paragraph: Element): boolean {
  const properties = style.first('style:paragraph-properties');
  const breaks = [
    isFirst(paragraph) ? undefined : properties?.get('fo:break-before'),
    properties?.get('fo:break-after'),
  ];
  return breaks.some((value) => value === 'page' || value === 'column');
}

/** Returns whether nothing is before a paragraph in its document, so that a break before it has no effect. */
function isFirst(paragraph: Element): boolean {
  const { parent } = paragraph;
  if (parent?.tag !== 'w:body' && parent?.tag !== 'office:text') return false;
  const before = parent.elements().slice(0, parent.elements().indexOf(paragraph));
  return before.every(({ tag }) =>
    /^(?:text:(?:sequence-decls|variable-decls|user-field-decls|tracked-changes)|office:forms|w:bookmark\w+)$/.test(
      tag,
    ),
  );
}

function breakMarks(paragraph: Element): Element[] {
  return all(paragraph, 'w:br').filter((mark) => /^(?:page|column)$/.test(mark.get('w:type') ?? ''));
}

/** Removes everything but the breaks from a paragraph, and puts tags beside it, with the block on their side. */
export function keepBreak(paragraph: Element, tags: readonly Tag[], table: FormatTable): void {
  const marks = breakMarks(paragraph);
  const runs = marks.map((mark) => {
    const run = mark.parent === null ? make(paragraph, 'w:r') : shallowCopy(mark.parent);
    run.append(mark);
    return run;
  });
  const properties = paragraph.elements().filter(({ tag }) => table.properties.has(tag));
  for (const tag of tags) remove(tag);
  paragraph.replaceChildren(...properties, ...runs);
  const first = tags.findIndex((tag) => !closes(tag) && !divides(tag));
  const ended = first === -1 ? tags.length : first;
  paragraph.parent?.insertBefore(paragraph, ...tags.slice(0, ended));
  paragraph.parent?.insertAfter(paragraph, ...tags.slice(ended));
}
