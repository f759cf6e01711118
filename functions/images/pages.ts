import { deflateSync } from 'node:zlib';
import { type PdfDict, PdfFile, type PdfValue } from '@platen/pdf/model';
import type { Size } from './placement.ts';

/** A page that is to be written. */
interface NewPage {
  size: Size;
  /** The operators of its content stream. */
  operators: readonly string[];
  resources: PdfDict;
}

/**
 * Writes a PDF of pages.
 *
 * @param newPage describes a page, and adds the objects that it needs to the file
 */
export async function writePages<P>(
  pages: readonly P[],
  newPage: (page: P, file: PdfFile) => NewPage,
): Promise<Uint8Array> {
  const file = PdfFile.create();
  const parent = file.catalog['/Pages'] as string;
  const kids = pages.map((page): PdfValue => {
    const { size, operators, resources } = newPage(page, file);
    const content = file.add({ '/Filter': '/FlateDecode' }, deflateSync(operators.join('\n')));
    return file.add({
      '/Type': '/Page',
      '/Parent': parent,
      '/MediaBox': [0, 0, size.width, size.height],
      '/Contents': content,
      '/Resources': resources,
    });
  });
  file.set(parent, { '/Type': '/Pages', '/Count': kids.length, '/Kids': kids });
  file.setTrailer('/Info', file.add({ '/Producer': 'u:Platen' }));
  return await file.save({ pack: false });
}
