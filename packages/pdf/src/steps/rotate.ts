import type { PdfFile } from '../model/index.ts';
import { pagesFor } from './page-spans.ts';
import type { StepOptions } from './types.ts';

/** Rotates pages clockwise, in addition to their existing rotation. */
export function rotate(file: PdfFile, { angle, pages }: StepOptions['rotate'], place: string): void {
  // A page that occurs twice in the document is one object and is rotated once.
  const turned = new Map(pagesFor(file, pages, place).map((page) => [page.ref, page.dict]));
  for (const [ref, dict] of turned) {
    const before = Number(file.resolve(dict['/Rotate']));
    const now = ((((Number.isFinite(before) ? before : 0) + angle) % 360) + 360) % 360;
    file.set(ref, { ...file.dict(ref), '/Rotate': now });
  }
}
