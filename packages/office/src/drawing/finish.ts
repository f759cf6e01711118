import { foreignIn } from '../foreign.ts';
import { RichValue } from '../marks.ts';
import type { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import { all, type Element, remove, replace, Text } from '../xml/tree.ts';
import { resolveDrawingLeaf, richDrawingRuns } from './inline.ts';

/** Resolves the DrawingML text of a part of any format. */
export function finishDrawingText(
  root: Element,
  path: string,
  file: OfficePackage,
  show: Parameters<typeof resolveDrawingLeaf>[1],
): void {
  const values = foreignIn(root);
  for (const value of values) {
    if (value instanceof RichValue) replace(value, ...richDrawingRuns(value, file, path));
  }
  if (values.length > 0) {
    for (const leaf of all(root, 'a:t')) resolveDrawingLeaf(leaf, show);
    for (const left of foreignIn(root)) {
      // Equations have only text.
      if (left.parent?.tag === 'm:t') replace(left, new Text(' '));
      else remove(left);
    }
  }
  completeBodies(all(root, ...BODIES));
}

/** The elements of DrawingML that hold paragraphs. */
export const BODIES = ['a:txBody', 'p:txBody', 'c:rich'] as const;

/** Adds the paragraph that a text body needs at least (ECMA-376, 21.1.2.1.1). */
export function completeBodies(bodies: readonly Element[]): void {
  for (const body of bodies) if (!body.first('a:p')) body.append(make(body, 'a:p'));
}
