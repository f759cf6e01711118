import type { PdfFile } from '../model/index.ts';
import { annotationsOf } from '../model/page-geometry.ts';
import { isRef, type Ref } from '../model/values.ts';

/**
 * Fields form a tree (ISO 32000-1, 12.7.3.1). If the parents of a field form a cycle, the chain is cut, because
 * readers follow it endlessly.
 */
export function repairFieldParents(file: PdfFile): void {
  const places = file.pageDicts().flatMap((page) => annotationsOf(file, page));
  const fields = file.array(file.dict(file.catalog['/AcroForm'])['/Fields']);
  const seen = new Set<Ref>();
  for (const start of [...fields, ...places]) {
    const way = new Set<Ref>();
    for (let at = start; isRef(at) && !seen.has(at);) {
      seen.add(at);
      way.add(at);
      const { '/Parent': parent = null, ...rest } = file.dict(at);
      if (isRef(parent) && way.has(parent)) file.set(at, rest);
      at = parent;
    }
  }
}
