import { listed } from '@platen/core/listed';
import { OfficePackage } from '../package.ts';
import { isNumbered, noSlideError, numberedName, numberIn } from '../slide-names.ts';
import { all, type Element, walk } from '../xml/tree.ts';

/**
 * Prepares presentations of OpenDocument for LibreOffice. It writes links to slides without a name of their own as
 * `#Slide 2`, in the language of its interface, or `#page2`, and only finds the first ones, of its own language.
 */

/** Most links that a warning names. */
const MAX_NAMED = 8;
const CONTENT = 'content.xml';

/**
 * Returns a presentation's parts by path, with a name for each slide that links name by its number.
 *
 * @param warn called with a sentence about links that lead nowhere
 * @throws PlatenError `office_file_damaged`; `print_failed` for a presentation without slides
 */
export function printablePages(
  parts: ReadonlyMap<string, Buffer>,
  warn: (text: string) => void = () => undefined,
): ReadonlyMap<string, Buffer> {
  const content = parts.get(CONTENT);
  if (content?.includes('<draw:page') === true && !content.includes('href="#')) return parts;
  const file = OfficePackage.of(parts);
  const document = file.xml(CONTENT);
  const pages = all(document.root, 'draw:page');
  if (pages.length === 0) throw noSlideError();
  // Links may lead to shapes as well.
  const names = new Set(Array.from(walk(document.root), (element) => element.get('draw:name')));
  const lost = new Set<string>();
  for (const element of walk(document.root)) {
    const name = slideNamed(element);
    if (name === null) continue;
    const number = numberIn(name);
    const page = number === null ? undefined : pages[number - 1];
    if (page !== undefined && isNumbered(page.get('draw:name') ?? '')) {
      page.set('draw:name', numberedName(number ?? 0));
      element.set('xlink:href', `#${numberedName(number ?? 0)}`);
    } else if (name !== '' && !names.has(name)) lost.add(name);
  }
  if (lost.size > 0) warn(`Links to slides that the presentation does not have: ${listed(lost, MAX_NAMED)}.`);
  file.setXml(CONTENT, document);
  return file.parts();
}

/** Returns the name of the slide that an element links to; null for any other element. */
function slideNamed(element: Element): string | null {
  if (element.tag !== 'text:a' && element.tag !== 'presentation:event-listener') return null;
  const address = element.get('xlink:href') ?? '';
  return address.startsWith('#') ? address.slice(1) : null;
}
