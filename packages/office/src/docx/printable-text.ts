import { make } from '../xml/build.ts';
import { all, type Element, remove } from '../xml/tree.ts';

/** Prepares frames and comments of Word for LibreOffice 7.4. */

/** Matches parts with them. */
export const SUSPECT_TEXT = /framePr|commentR(?:eference|ange)/;

/**
 * Ends each section that ends with a text frame with a paragraph, without which LibreOffice has the text of the frame
 * before it stand in the text.
 */
export function endFrames(body: Element): void {
  const blocks = body.elements();
  blocks.forEach((block, i) => {
    const properties = block.first('w:pPr');
    if (properties?.first('w:framePr') === undefined) return;
    const section = properties.first('w:sectPr');
    const next = blocks[i + 1];
    if (section === undefined && next !== undefined && next.tag !== 'w:sectPr') return;
    if (section !== undefined) remove(section);
    // As low as possible, so that it needs no page of its own.
    const spacing = { 'w:before': 0, 'w:after': 0, 'w:line': 20, 'w:lineRule': 'exact' };
    const empty = make(body, 'w:p', {}, make(body, 'w:pPr', {}, make(body, 'w:spacing', spacing)));
    if (section !== undefined) empty.first('w:pPr')?.append(section);
    body.insertAfter(block, empty);
  });
}

/** Removes comments, which are not printed: LibreOffice loads no document with one in a header, footer or note. */
export function removeComments(root: Element): void {
  for (const mark of all(root, 'w:commentReference', 'w:commentRangeStart', 'w:commentRangeEnd'))
    remove(mark);
}
