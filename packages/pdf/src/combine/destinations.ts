import type { PdfFile } from '../model/index.ts';
import { destinationArray, namedDestinations } from '../model/name-tree.ts';
import type { PdfValue, Ref } from '../model/values.ts';

/** Named destinations, with the pages that they lead to. */
export function destinationsOf(file: PdfFile): [string, PdfValue][] {
  const pages = file.pages();
  return namedDestinations(file).map(([name, value]) => {
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
