import {
  type PdfFile,
  openPdf,
  readNumbers,
  writeNumbers,
  isName,
  isRef,
  type Ref,
  serialize,
} from '@platen/pdf/model';

/**
 * Links that nobody can follow: Chromium writes a link in the head or foot of a table on each page as often as the head is
 * repeated, and keeps links to elements on pages that are not printed.
 */

const LINK = '/Subtype /Link';
const OWN_NUMBER = /\/StructParent \d+/;

/**
 * Returns a printed document without such links; what they cover stays.
 *
 * @param isPart whether only some of its pages are printed
 */
export async function withoutIdleLinks(pdf: Buffer, isPart: boolean): Promise<Buffer> {
  if (!repeatsLinks(pdf) && !(isPart && pdf.includes('/Dest /'))) return pdf;
  const file = await openPdf(pdf);
  const removed = removeLinks(file);
  if (removed.size === 0) return pdf;
  removeTags(file, removed);
  // Every PDF is packed before it is sent (decision record 0028).
  return Buffer.from(await file.save({ pack: false }));
}

/** Returns whether two links that follow each other in the file are alike; they may be on two pages. */
function repeatsLinks(pdf: Buffer): boolean {
  let before = '';
  for (let at = pdf.indexOf(LINK); at !== -1; at = pdf.indexOf(LINK, at + 1)) {
    const [start, end] = [pdf.lastIndexOf(' obj', at), pdf.indexOf('endobj', at)];
    const text = pdf.toString('latin1', start, end).replace(OWN_NUMBER, '');
    if (text === before) return true;
    before = text;
  }
  return false;
}

/** Removes links from their pages. @returns their references, with their numbers in the parent tree */
function removeLinks(file: PdfFile): Map<Ref, number | null> {
  const removed = new Map<Ref, number | null>();
  const places = file.dict(file.catalog['/Dests']);
  for (const page of file.pages()) {
    const seen = new Set<string>();
    const dict = file.dict(page);
    const annotations = file.array(dict['/Annots']);
    const kept = annotations.filter((annotation) => {
      const { '/StructParent': number = null, ...link } = file.dict(annotation);
      if (link['/Subtype'] !== '/Link' || !isRef(annotation)) return true;
      const key = serialize(link);
      const place = link['/Dest'];
      const leads = !isName(place) || places[place] !== undefined;
      if (leads && !seen.has(key)) {
        seen.add(key);
        return true;
      }
      removed.set(annotation, typeof number === 'number' ? number : null);
      return false;
    });
    if (kept.length < annotations.length) file.set(page, { ...dict, '/Annots': kept });
  }
  for (const link of removed.keys()) file.remove(link);
  return removed;
}

/** Removes links from the structure tree (ISO 32000-1, 14.7.4); an element without any other is a plain part of the text. */
function removeTags(file: PdfFile, removed: ReadonlyMap<Ref, number | null>): void {
  const root = file.catalog['/StructTreeRoot'];
  if (!isRef(root)) return;
  const numbers = new Set(removed.values());
  const entries = readNumbers(file, file.dict(root)['/ParentTree']);
  const owners = entries.flatMap(([key, value]) => (numbers.has(key) && isRef(value) ? [value] : []));
  for (const owner of new Set(owners)) {
    const element = file.dict(owner);
    const kids = file.items(element['/K']).filter((kid) => {
      const link = file.dict(kid)['/Obj'];
      return !isRef(link) || !removed.has(link);
    });
    const leads = kids.some((kid) => file.dict(kid)['/Obj'] !== undefined);
    file.set(owner, { ...element, ...(leads ? {} : { '/S': '/Span' }), '/K': kids });
  }
  const left = entries.filter(([key]) => !numbers.has(key));
  const tree = file.add(writeNumbers(left, (node) => file.add(node)));
  file.set(root, { ...file.dict(root), '/ParentTree': tree });
}
