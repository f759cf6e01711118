import type { OfficePackage } from '../package.ts';
import type { PlacedPicture } from '../pictures/registry.ts';
import { make } from '../xml/build.ts';

const MANIFEST = 'META-INF/manifest.xml';
const stored = new WeakMap<OfficePackage, Map<string, string>>();

/** Stores a picture and lists it in the manifest (ODF 1.3 part 2, 4). @returns its path */
export function storePicture(file: OfficePackage, picture: PlacedPicture): string {
  const paths = stored.get(file) ?? new Map<string, string>();
  stored.set(file, paths);
  const known = paths.get(picture.key);
  if (known !== undefined) return known;
  const path = file.freePath('Pictures/picture', picture.ending);
  file.set(path, picture.bytes);
  paths.set(picture.key, path);
  const document = file.xml(MANIFEST);
  const { root } = document;
  root.append(
    make(root, 'manifest:file-entry', {
      'manifest:full-path': path,
      'manifest:media-type': picture.mediaType,
    }),
  );
  file.setXml(MANIFEST, document);
  return path;
}
