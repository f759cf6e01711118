import { mainFolder, mainPart, relatedPart } from '../ooxml/related.ts';
import { relativeTarget } from '../ooxml/relationships.ts';
import type { OfficePackage } from '../package.ts';
import { addressOf } from '../xml/namespaces.ts';

/** The parts of a Word document. */

/** Content types of the parts with text. */
export const TEXT_PARTS = /[.-](?:main|header|footer|footnotes|endnotes)\+xml$/;
/** Content types of the parts that a Word document can be given, with the tags of their roots. */
const ADDED = {
  styles: 'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml',
  numbering: 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml',
} as const;

/** Returns the path of the styles or lists; adds the part if there is none. */
export function requiredPart(file: OfficePackage, type: keyof typeof ADDED): string {
  const known = relatedPart(file, type);
  if (known !== undefined) return known;
  const main = mainPart(file);
  const path = `${mainFolder(file)}${type}.xml`;
  file.set(path, Buffer.from(`<w:${type} xmlns:w="${addressOf('w')}"/>`));
  file.contentTypes().set(path, ADDED[type]);
  file.relationships(main).add(type, relativeTarget(main, path));
  return path;
}
