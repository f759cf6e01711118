import { openPdf } from '../model/index.ts';
import { pdfText, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';

const BEGIN = '/Figure <</MCID 0>> BDC';
const END = 'EMC';

/**
 * Adds tags to a document without any: each page is a figure with an alternate text.
 *
 * @throws PlatenError as `openPdf`
 */
export async function withAlternateText(pdf: Uint8Array, text: string): Promise<Uint8Array> {
  const file = await openPdf(pdf);
  const root = file.add({ '/Type': '/StructTreeRoot' });
  const whole = file.add({ '/Type': '/StructElem', '/S': '/Document', '/P': root });
  const [begin, end] = [file.add({}, Buffer.from(BEGIN)), file.add({}, Buffer.from(END))];
  const figures: Ref[] = [];
  const owners: PdfValue[] = [];
  for (const [number, page] of file.pages().entries()) {
    const figure = file.add({
      '/Type': '/StructElem',
      '/S': '/Figure',
      '/P': whole,
      '/Pg': page,
      '/K': 0,
      '/Alt': pdfText(text),
    });
    figures.push(figure);
    owners.push(number, [figure]);
    const dict: PdfDict = file.dict(page);
    const contents = file.resolve(dict['/Contents']);
    const shown = Array.isArray(contents) ? contents : [dict['/Contents'] ?? null];
    file.set(page, {
      ...dict,
      '/Contents': [begin, ...shown.filter((part) => part !== null), end],
      '/StructParents': number,
    });
  }
  file.set(whole, { ...file.dict(whole), '/K': figures });
  const tree = { '/ParentTree': file.add({ '/Nums': owners }), '/ParentTreeNextKey': figures.length };
  file.set(root, { ...file.dict(root), '/K': whole, ...tree });
  file.set(file.catalogRef, {
    ...file.catalog,
    '/StructTreeRoot': root,
    '/MarkInfo': { '/Marked': true },
  });
  return await file.save();
}
