import type { PdfFile } from '../model/index.ts';
import { destinationArray, readNames } from '../name-tree.ts';
import type { PdfValue, Ref } from '../values.ts';

/** Named destinations, from the dictionary and from the name tree. */
export function destinationsOf(file: PdfFile): [string, PdfValue][] {
  const { catalog } = file;
  const named: [string, PdfValue][] = [
    ...Object.entries(file.dict(catalog['/Dests'])),
    ...readNames(file, file.dict(catalog['/Names'])['/Dests']),
  ];
  const pages = file.pages();
  return named.map(([name, value]) => {
    const destination = destinationArray(file, value);
    return [name, withPage(file, pages, destination) ?? destination];
  });
}

/**
 * Returns a destination whose page is a number, as many programs write it although only destinations in other files
 * should have one, with the page itself; undefined for any other value.
 */
export function withPage(file: PdfFile, pages: readonly Ref[], value: PdfValue): PdfValue[] | undefined {
  const [number, ...view] = file.array(value);
  return typeof number === 'number' ? [pages[number] ?? null, ...view] : undefined;
}
