import type { PdfFile } from '../model/index.ts';
import type { PdfDict } from '../model/values.ts';
import { boxOf, inverse, mappedBox, type Matrix, product, viewOf } from './geometry.ts';
import type { OpenPage } from './page-spans.ts';

/**
 * Adds the links of a page to another page on which its content is painted, in the same places.
 *
 * @param from the document with the painted page, that page, and the matrix with which it is painted (paint.ts)
 * @param targetOf returns `/A` or `/Dest` of the new link (ISO 32000-2, 12.5.6.5) for a link; null: it is left out
 */
export function addLinks(
  file: PdfFile,
  page: OpenPage,
  { source, look, matrix }: { source: PdfFile; look: PdfDict; matrix: Matrix },
  targetOf: (link: PdfDict) => PdfDict | null,
): void {
  const annotations = source.array(look['/Annots']);
  if (annotations.length === 0) return;
  const inView = product(inverse(viewOf(source, look).toPage), matrix);
  const toPage = product(inView, viewOf(file, page.dict).toPage);
  const links = annotations.flatMap((annotation) => {
    const link = source.dict(annotation);
    const box = boxOf(source, link['/Rect']);
    const target = link['/Subtype'] === '/Link' && box !== undefined ? targetOf(link) : null;
    if (box === undefined || target === null) return [];
    const { x, y, width, height } = mappedBox(box, toPage);
    const rect = [x, y, x + width, y + height];
    const dict = { '/Type': '/Annot', '/Subtype': '/Link', '/Rect': rect, '/Border': [0, 0, 0], '/F': 4 };
    return [file.add({ ...dict, ...target })];
  });
  if (links.length === 0) return;
  const dict = file.dict(page.ref);
  file.set(page.ref, { ...dict, '/Annots': [...file.array(dict['/Annots']), ...links] });
}
