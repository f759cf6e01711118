import type { OfficePackage } from '../package.ts';
import type { PlacedPicture } from '../pictures/registry.ts';

const stored = new WeakMap<OfficePackage, Map<string, string>>();

/** Stores a picture and adds it to the manifest. @returns its path */
export function storePicture(file: OfficePackage, picture: PlacedPicture): string {
  const paths = stored.get(file) ?? new Map<string, string>();
  stored.set(file, paths);
  const known = paths.get(picture.key);
  if (known !== undefined) return known;
  const path = file.freePath('Pictures/picture', picture.ending);
  file.set(path, picture.bytes);
  paths.set(picture.key, path);
  file.enlist(path, picture.mediaType);
  return path;
}
