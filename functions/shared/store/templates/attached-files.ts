import { PlatenError } from '@platen/core/errors';
import { MAX_IMAGE_FILES, MAX_STYLE_FILES } from '@platen/contract/templates';
import type { NewAttached, NewFiles } from './new-files.ts';
import type { ImageFile, StyleFile } from './record.ts';

/** Style and image files, of which a template has any number. */

interface AttachedOf {
  style: StyleFile;
  image: ImageFile;
}
export type AttachedKind = keyof AttachedOf;

const MAX_FILES: Readonly<Record<AttachedKind, number>> = { style: MAX_STYLE_FILES, image: MAX_IMAGE_FILES };

/**
 * Returns the style or image files of a version.
 *
 * @param given existing files, and new ones, which get an id
 * @throws PlatenError `template_too_large`
 */
export function attachedFiles<K extends AttachedKind>(
  kind: K,
  given: readonly (AttachedOf[K] | NewAttached<AttachedOf[K]>)[],
  files: NewFiles,
): AttachedOf[K][] {
  checkCount(kind, given.length);
  return given.map((file) => ('bytes' in file ? files.attached<AttachedOf[K]>(file) : file));
}

/** @throws PlatenError `template_too_large` */
export function checkCount(kind: AttachedKind, count: number): void {
  if (count <= MAX_FILES[kind]) return;
  const message = `A template may have ${MAX_FILES[kind]} ${kind} files; this one would have more.`;
  throw new PlatenError('template_too_large', message);
}
