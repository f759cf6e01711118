import { foreignIn } from '../foreign.ts';
import { RichValue } from '../marks.ts';
import type { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import { all, type Element, remove, replace } from '../xml/tree.ts';
import { resolveDrawingLeaf, richDrawingRuns } from './inline.ts';

/** Resolves the DrawingML text of a part of any format. */
export function finishDrawingText(
  root: Element,
  path: string,
  file: OfficePackage,
  show: Parameters<typeof resolveDrawingLeaf>[1],
): void {
  for (const value of foreignIn(root)) {
    if (value instanceof RichValue) replace(value, ...richDrawingRuns(value, file, path));
  }
  for (const leaf of all(root, 'a:t')) resolveDrawingLeaf(leaf, show);
  for (const left of foreignIn(root)) remove(left);
  // ECMA-376, 21.1.2.1.1: a text body needs at least one paragraph.
  for (const body of all(root, 'a:txBody', 'p:txBody', 'c:rich')) {
    if (!body.first('a:p')) body.append(make(body, 'a:p'));
  }
}
