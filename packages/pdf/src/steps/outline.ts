import { PlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import { pdfText, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';
import { viewOf } from './geometry.ts';
import type { OutlineEntry } from './types.ts';

/**
 * Replaces the outline of the document (ISO 32000-2, 12.3.3). An entry leads to the top of its page, and is open.
 *
 * @throws PlatenError `page_range_outside_document` for an entry whose page does not exist
 */
export function setOutline(
  file: PdfFile,
  { items }: { items: readonly OutlineEntry[] },
  place: string,
): void {
  const catalog: PdfDict = { ...file.catalog };
  delete catalog['/Outlines'];
  if (items.length > 0) {
    const root = file.add(null);
    const pages = file.pages();
    const tops = file.pageDicts().map((page) => viewOf(file, page));
    const target = (page: number, field: string): PdfValue => {
      const [ref, view] = [pages[page - 1], tops[page - 1]];
      if (ref === undefined || view === undefined) throw noPage(page, pages.length, field);
      const [, , c, d, e, f] = view.toPage;
      // The upper left corner as displayed.
      return [ref, '/XYZ', c * view.height + e, d * view.height + f, null];
    };
    const { first, last, count } = write(file, items, root, target, `${place}.items`);
    file.set(root, { '/Type': '/Outlines', '/First': first, '/Last': last, '/Count': count });
    catalog['/Outlines'] = root;
  }
  file.set(file.catalogRef, catalog);
}

function write(
  file: PdfFile,
  items: readonly OutlineEntry[],
  parent: Ref,
  target: (page: number, field: string) => PdfValue,
  place: string,
): { first: PdfValue; last: PdfValue; count: number } {
  const refs = items.map(() => file.add(null));
  let count = 0;
  for (const [index, { title, page, items: below = [] }] of items.entries()) {
    const ref = refs[index] ?? '';
    const where = `${place}[${index}]`;
    const entry: PdfDict = {
      '/Title': pdfText(title.toWellFormed()),
      '/Parent': parent,
      '/Prev': refs[index - 1] ?? null,
      '/Next': refs[index + 1] ?? null,
      '/Dest': target(page, `${where}.page`),
    };
    count += 1;
    if (below.length > 0) {
      const kids = write(file, below, ref, target, `${where}.items`);
      Object.assign(entry, { '/First': kids.first, '/Last': kids.last, '/Count': kids.count });
      count += kids.count;
    }
    file.set(ref, entry);
  }
  return { first: refs[0] ?? null, last: refs.at(-1) ?? null, count };
}

function noPage(page: number, pages: number, field: string): PlatenError {
  const message = `there is no page ${page}: the document has ${pages === 1 ? '1 page' : `${pages} pages`}`;
  return new PlatenError('page_range_outside_document', `\`${field}\`: ${message}.`, {
    faults: [{ field, message, value: page }],
  });
}
