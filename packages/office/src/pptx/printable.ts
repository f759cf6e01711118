import { listed } from '@platen/core/listed';
import { OfficePackage, relationshipsPath } from '../package.ts';
import { folderOf } from '../ooxml/related.ts';
import { relativeTarget } from '../ooxml/relationships.ts';
import { dropLinks, MAX_NAMED } from './slide-links.ts';
import { slidePaths } from './slides.ts';

/**
 * Prepares presentations for LibreOffice, which takes the number in the file name of a linked slide for the slide's
 * place: `slide3.xml` is the third slide to it, wherever that one stands, and it ends if there are only two.
 */

/**
 * Returns a presentation's parts by path, with the slides named after their places, and without links to slides that
 * the presentation does not show.
 *
 * @param warn called with a sentence about links that were removed
 * @throws PlatenError `office_file_damaged`
 */
export function printableSlides(
  parts: ReadonlyMap<string, Buffer>,
  warn: (text: string) => void = () => undefined,
): ReadonlyMap<string, Buffer> {
  const file = OfficePackage.of(parts);
  const slides = slidePaths(file);
  const names = new Map(slides.map((path, at) => [path, `${folderOf(path)}slide${at + 1}.xml`]));
  const lost = dropLinks(file, (path) => !names.has(path));
  if (lost.size > 0)
    warn(`Links to slides that the presentation does not show are gone: ${listed(lost, MAX_NAMED)}.`);
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
