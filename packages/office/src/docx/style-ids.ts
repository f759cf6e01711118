import type { OfficePackage } from '../package.ts';
import { all } from '../xml/tree.ts';

const kept = new WeakMap<OfficePackage, ReadonlyMap<string, string>>();

/**
 * Returns the ids of a document's styles by name in lower case; style names are English in every language of
 * Word.
 */
export function styleIds(file: OfficePackage): ReadonlyMap<string, string> {
  const known = kept.get(file);
  if (known !== undefined) return known;
  const { path } =
    file
      .relationships('word/document.xml')
      .list()
      .find(({ type }) => type === 'styles') ?? {};
  const styles = path != null && file.has(path) ? all(file.xml(path).root, 'w:style') : [];
  const ids = new Map(
    styles.map((style) => [
      (style.first('w:name')?.get('w:val') ?? '').toLowerCase(),
      style.get('w:styleId') ?? '',
    ]),
  );
  kept.set(file, ids);
  return ids;
}
