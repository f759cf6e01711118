import { listed } from '@platen/core/listed';
import { OfficePackage, relationshipsPath } from '../package.ts';
import { isNumbered, noSlideError, numberedName } from '../slide-names.ts';
import { folderOf } from '../ooxml/related.ts';
import { relativeTarget } from '../ooxml/relationships.ts';
import { dropLinks, MAX_NAMED } from './slide-links.ts';
import { slidePaths } from './slides.ts';
import { dropUnknownStyles } from './table-styles.ts';
import { all, remove } from '../xml/tree.ts';

/**
 * Prepares presentations for LibreOffice. It takes the number in the file name of a linked slide for the slide's place:
 * `slide3.xml` is the third slide to it, wherever that one stands, and it ends if there are only two.
 */

/**
 * Returns a presentation's parts by path, with the slides named after their places, and without links to slides that
 * the presentation does not show.
 *
 * @param warn called with a sentence about links that were removed
 * @throws PlatenError `office_file_damaged`; `print_failed` for a presentation without slides
 */
export function printableSlides(
  parts: ReadonlyMap<string, Buffer>,
  warn: (text: string) => void = () => undefined,
): ReadonlyMap<string, Buffer> {
  const file = OfficePackage.of(parts);
  dropUnknownStyles(file);
  const slides = slidePaths(file);
  if (slides.length === 0) throw noSlideError();
  const names = new Map(slides.map((path, at) => [path, `${folderOf(path)}slide${at + 1}.xml`]));
  const lost = dropLinks(file, (path) => !names.has(path));
  if (lost.size > 0)
    warn(`Links to slides that the presentation does not show are gone: ${listed(lost, MAX_NAMED)}.`);
  nameLinkedSlides(file, slides);
  for (const path of slides) keepPlaces(file, path);
  if (slides.every((path) => names.get(path) === path)) return file.parts();
  for (const part of file.partsWithRelationships()) {
    const relations = file.relationships(part);
    for (const { id, path } of relations.list()) {
      const name = names.get(path ?? '');
      if (name !== undefined) relations.retarget(id, relativeTarget(part, name));
    }
  }
  const types = file.contentTypes();
  const typed = slides.map((path) => [names.get(path) ?? path, file.typeOf(path)] as const);
  for (const path of slides) types.remove(path);
  for (const [name, type] of typed) types.set(name, type);
  for (const path of slides) names.set(relationshipsPath(path), relationshipsPath(names.get(path) ?? path));
  const entries = [...file.parts()];
  return new Map([
    ...entries.filter(([path]) => !names.has(path)),
    ...entries.flatMap(([path, bytes]) => {
      const name = names.get(path);
      return name === undefined ? [] : [[name, bytes] as const];
    }),
  ]);
}

/**
 * Names the slides to which others link. Without a title or a name, LibreOffice calls a slide by its number, and does not
 * find it by this name where a whole shape is the link.
 */
function nameLinkedSlides(file: OfficePackage, slides: readonly string[]): void {
  const linked = new Set(
    slides.flatMap((slide) =>
      file
        .relationships(slide)
        .list()
        .flatMap(({ type, path }) => (type === 'slide' && path !== null ? [path] : [])),
    ),
  );
  for (const [at, path] of slides.entries()) {
    if (!linked.has(path)) continue;
    const document = file.xml(path);
    const content = all(document.root, 'p:cSld')[0];
    if (content === undefined || !isNumbered(content.get('name') ?? '')) continue;
    content.set('name', numberedName(at + 1));
    file.setXml(path, document);
  }
}

/**
 * Has text without line breaks begin at its box, as PowerPoint shows it: where such a box follows its text in size,
 * LibreOffice widens it on both sides, so that a longer text moves to the left, even off the slide.
 */
function keepPlaces(file: OfficePackage, path: string): void {
  const bytes = file.bytes(path);
  if (bytes?.includes('wrap="none"') !== true || !bytes.includes(':spAutoFit')) return;
  const document = file.xml(path);
  for (const body of all(document.root, 'a:bodyPr'))
    if (body.get('wrap') === 'none') for (const fit of all(body, 'a:spAutoFit')) remove(fit);
  file.setXml(path, document);
}
