import type { OfficePackage } from '../package.ts';

/** Parts of an OOXML file: relationships lead to them, and their paths are free (ECMA-376 part 2, 9.1). */

/** Returns the path of the main part: the text, the workbook or the presentation; empty if there is none. */
export function mainPart(file: OfficePackage): string {
  return relatedParts(file, '', 'officeDocument')[0] ?? '';
}

/** Returns the path of the part of a type, such as `styles`, that belongs to the main part. */
export function relatedPart(file: OfficePackage, type: string): string | undefined {
  return relatedParts(file, mainPart(file), type)[0];
}

/** Returns the paths of the parts to which a part has relationships of a type. */
export function relatedParts(file: OfficePackage, from: string, type: string): string[] {
  return file
    .relationships(from)
    .list()
    .flatMap((one) => (one.type === type && one.path !== null && file.has(one.path) ? [one.path] : []));
}

/** Returns the folder of the main part, which ends with a slash unless it is the root. */
export function mainFolder(file: OfficePackage): string {
  return folderOf(mainPart(file));
}

/** Returns the folder of a part, which ends with a slash unless it is the root. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
