import {
  type PdfFile,
  destinationArray,
  isName,
  isString,
  nameText,
  type PdfDict,
  type PdfValue,
  stringText,
} from '@platen/pdf/model';
import { furnitureOf } from '../by-page.ts';
import { INSIDE } from '../overlay.ts';
import type { PrintOptions } from '../print.ts';
import { decoded } from './destinations.ts';

/** Links of headers, footers and running elements, which are drawn apart from the pages on which they are. */

/** A sign of a link to an element of the document, in html that was prepared for printing. */
const LEADS_INSIDE = / href="#/;

/** Returns whether headers or footers may have links to elements of the document. */
export function leadsInside(options: PrintOptions): boolean {
  return furnitureOf(options).some((html) => LEADS_INSIDE.test(html));
}

/**
 * Returns the body of a function that makes a printed document report the targets of links in its headers and footers, as
 * `MARKS` does.
 */
export function targetsScript(options: PrintOptions): string {
  const parts = new Set(furnitureOf(options));
  return `
  for (const html of ${JSON.stringify([...parts])}) {
    const parsed = document.createElement('template');
    parsed.innerHTML = html;
    for (const within of parsed.content.querySelectorAll('a[href^="#"]')) {
      const link = document.createElement('a');
      link.href = within.getAttribute('href');
      document.head.append(link);
    }
  }`;
}

/**
 * Returns where a link of a document leads in another one, on whose pages it is drawn: to the same URL, or to the
 * destination of the same name.
 *
 * @returns entries of the link; null if it leads nowhere
 */
export function linkTargets(file: PdfFile, source: PdfFile): (link: PdfDict) => PdfDict | null {
  const places = new Map<string, PdfValue>();
  for (const [name, place] of Object.entries(file.dict(file.catalog['/Dests'])))
    places.set(decoded(nameText(name)), place);
  const inside = (fragment: string): PdfDict | null => {
    const place = places.get(decoded(fragment));
    return place === undefined ? null : { '/Dest': destinationArray(file, place) };
  };
  return (link) => {
    const name = source.resolve(link['/Dest']);
    if (isName(name)) return inside(nameText(name));
    const address = source.resolve(source.dict(link['/A'])['/URI']);
    if (!isString(address)) return null;
    const text = stringText(address);
    if (text.startsWith(INSIDE)) return inside(text.slice(INSIDE.length));
    return text === '' ? null : { '/A': { '/Type': '/Action', '/S': '/URI', '/URI': address } };
  };
}
