import { relativeTarget } from '../ooxml/relationships.ts';
import type { OfficePackage } from '../package.ts';
import { addressOf } from '../xml/namespaces.ts';

/** The parts of a Word document: relationships lead to them, and their paths are free (ECMA-376 part 2, 9.1). */

/** Content types of the parts with text. */
export const TEXT_PARTS = /[.-](?:main|header|footer|footnotes|endnotes)\+xml$/;
/** Content types of the parts that a Word document can be given, with the tags of their roots. */
const ADDED = {
  styles: 'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml',
  numbering: 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml',
} as const;

/** Returns the path of the part with the text. */
export function mainPart(file: OfficePackage): string {
  const relations = file.relationships('').list();
  return relations.find(({ type }) => type === 'officeDocument')?.path ?? 'word/document.xml';
}

/** Returns the path of the part of a type, such as `footnotes`, that belongs to the text. */
export function relatedPart(file: OfficePackage, type: string): string | undefined {
  const relations = file.relationships(mainPart(file)).list();
  return (
    relations.find((one) => one.type === type && one.path !== null && file.has(one.path))?.path ?? undefined
  );
}

/** Returns the path of the styles or lists; adds the part if there is none. */
export function requiredPart(file: OfficePackage, type: keyof typeof ADDED): string {
  const known = relatedPart(file, type);
  if (known !== undefined) return known;
  const main = mainPart(file);
  const path = `${main.slice(0, main.lastIndexOf('/') + 1)}${type}.xml`;
  file.set(path, Buffer.from(`<w:${type} xmlns:w="${addressOf('w')}"/>`));
  file.contentTypes().set(path, ADDED[type]);
  file.relationships(main).add(type, relativeTarget(main, path));
  return path;
}
