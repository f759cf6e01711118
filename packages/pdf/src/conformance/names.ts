import type { PdfFile } from '../model/index.ts';
import { isName, nameText, type PdfValue } from '../model/values.ts';
import type { Violations } from './violations.ts';

/**
 * Names that people see and that must be UTF-8 (ISO 19005-2, 6.1.8): those of fonts, inks, and types of elements.
 */

/** Keys of such names. */
export const VISIBLE_NAMES: ReadonlySet<string> = new Set(['/S', '/BaseFont', '/FontName']);

/** Checks a name. */
export function checkName(name: PdfValue | undefined, violations: Violations): void {
  // Names that are not valid text have another prefix (values.ts).
  if (!isName(name) || name.startsWith('/')) return;
  const detail = `The name ${JSON.stringify(nameText(name))} of a font, an ink or a tag is not UTF-8: rename it in the program that creates the file.`;
  violations.add({ archive: '6.1.8' }, detail);
}

/** Checks the inks in an array that may be a colour space (ISO 32000-1, 8.6.6). */
export function checkInks(file: PdfFile, array: readonly PdfValue[], violations: Violations): void {
  if (array[0] === '/Separation') checkName(file.resolve(array[1]), violations);
  else if (array[0] === '/DeviceN') for (const ink of file.array(array[1])) checkName(ink, violations);
}

/** Checks the names of element types in the role map. */
export function checkTypes(file: PdfFile, roles: PdfValue | undefined, violations: Violations): void {
  for (const [type, known] of Object.entries(file.dict(roles))) {
    checkName(type, violations);
    checkName(known, violations);
  }
}
