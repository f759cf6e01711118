import type { OfficePackage } from '../package.ts';
import { all, type Element } from '../xml/tree.ts';

/** Positions of shapes on slides. */

/** EMU, the unit of DrawingML. */
export const PER_CM = 360_000;

/** In EMU. */
export interface Box {
  x: number;
  y: number;
  cx: number;
  cy: number;
}

/** Returns a shape's position; a placeholder without one takes that of the layout or the master. */
export function shapeBox(file: OfficePackage, part: string, shape: Element): Box {
  const own = xfrmBox(shape.first('p:spPr')?.first('a:xfrm'));
  if (own) return own;
  for (const other of inherited(file, part, shape)) {
    const box = xfrmBox(other.first('p:spPr')?.first('a:xfrm'));
    if (box) return box;
  }
  return { x: PER_CM * 2, y: PER_CM * 2, cx: PER_CM * 20, cy: PER_CM * 14 };
}

/** Returns the shapes of the layout and the master from which a placeholder inherits. */
export function inherited(file: OfficePackage, part: string, shape: Element): Element[] {
  const [placeholder] = all(shape, 'p:ph');
  if (!placeholder) return [];
  return aboveSlide(file, part).flatMap((root) => placeholderIn(root, placeholder));
}

/** Returns the layout and the master of a slide. */
export function aboveSlide(file: OfficePackage, part: string): Element[] {
  const roots: Element[] = [];
  let at: string | null | undefined = part;
  for (const step of ['slideLayout', 'slideMaster']) {
    at = file
      .relationships(at)
      .list()
      .find(({ type }) => type === step)?.path;
    if (at == null || !file.has(at)) break;
    roots.push(file.xml(at).root);
  }
  return roots;
}

function placeholderIn(root: Element, placeholder: Element): Element[] {
  return all(root, 'p:sp').filter((shape) => {
    const [other] = all(shape, 'p:ph');
    return (
      other !== undefined &&
      ((placeholder.get('idx') !== undefined && other.get('idx') === placeholder.get('idx')) ||
        (other.get('type') ?? 'obj') === (placeholder.get('type') ?? 'obj'))
    );
  });
}

export function xfrmBox(xfrm: Element | undefined): Box | null {
  const off = xfrm?.first('a:off');
  const ext = xfrm?.first('a:ext');
  if (!off || !ext) return null;
  return {
    x: Number(off.get('x')),
    y: Number(off.get('y')),
    cx: Number(ext.get('cx')),
    cy: Number(ext.get('cy')),
  };
}
