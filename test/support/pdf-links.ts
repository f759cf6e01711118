import { openPdf } from '../../packages/pdf/src/model/open.ts';
import { destinationArray } from '../../packages/pdf/src/model/name-tree.ts';
import { boxOf, type Box } from '../../packages/pdf/src/steps/geometry.ts';
import { isName, isString, stringText } from '../../packages/pdf/src/model/values.ts';

/** A link annotation of a PDF. */
export interface PdfLink {
  /** 1-based. */
  page: number;
  /** A URL, `page` and a number, or `nowhere`. */
  target: string;
  box: Box | undefined;
}

/** Returns the links of a document in the order of its pages. */
export async function pdfLinks(pdf: Uint8Array): Promise<PdfLink[]> {
  const file = await openPdf(pdf);
  const pages = file.pages();
  const places = file.dict(file.catalog['/Dests']);
  return file.pageDicts().flatMap((dict, index) =>
    file.array(dict['/Annots']).flatMap((annotation) => {
      const link = file.dict(annotation);
      if (link['/Subtype'] !== '/Link') return [];
      const address = file.resolve(file.dict(link['/A'])['/URI']);
      const place = isName(link['/Dest']) ? (places[link['/Dest']] ?? null) : (link['/Dest'] ?? null);
      const number = pages.findIndex((page) => page === destinationArray(file, place)[0]) + 1;
      const inside = number === 0 ? 'nowhere' : `page ${number}`;
      const target = isString(address) ? stringText(address) : inside;
      return [{ page: index + 1, target, box: boxOf(file, link['/Rect']) }];
    }),
  );
}

/** Returns the targets of the links of each page. */
export async function linkTargets(pdf: Uint8Array): Promise<Record<number, string[]>> {
  const found: Record<number, string[]> = {};
  for (const { page, target } of await pdfLinks(pdf)) (found[page] ??= []).push(target);
  return found;
}
