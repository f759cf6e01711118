import type { OfficePackage } from '../package.ts';
import { all } from '../xml/tree.ts';
import { relatedPart } from '../ooxml/related.ts';

const kept = new WeakMap<OfficePackage, ReadonlyMap<string, string>>();

/**
 * Returns the ids of a document's styles by name in lower case; style names are English in every language of
 * Word.
 */
export function styleIds(file: OfficePackage): ReadonlyMap<string, string> {
  const known = kept.get(file);
  if (known !== undefined) return known;
  const path = relatedPart(file, 'styles');
  const styles = path === undefined ? [] : all(file.xml(path).root, 'w:style');
  const ids = new Map(
    styles.map((style) => [
      (style.first('w:name')?.get('w:val') ?? '').toLowerCase(),
      style.get('w:styleId') ?? '',
    ]),
  );
  kept.set(file, ids);
  return ids;
}
