import type { PictureValue } from '../marks.ts';
import { MediaStore } from '../ooxml/media.ts';
import type { OfficePackage } from '../package.ts';
import type { PictureRegistry } from '../pictures/registry.ts';
import { make } from '../xml/build.ts';
import { all, closest, type Element, remove } from '../xml/tree.ts';

const PER_CM = 360_000;
const SHAPE: ReadonlySet<string> = new Set(['p:sp']);
const FRAME: ReadonlySet<string> = new Set(['p:graphicFrame']);

interface Box {
  x: number;
  y: number;
  cx: number;
  cy: number;
}

/** Pictures on slides: a slide has no text that flows, so a picture stands where the shape or cell with its tag is. */
export class SlidePictures {
  private readonly file: OfficePackage;
  private readonly part: string;
  private readonly media: MediaStore;
  private readonly registry: PictureRegistry;
  private readonly emptied = new Set<Element>();

  constructor(file: OfficePackage, part: string, registry: PictureRegistry) {
    this.file = file;
    this.part = part;
    this.registry = registry;
    this.media = new MediaStore(file, part, 'ppt/media/');
  }

  show(value: PictureValue, leaf: Element): void {
    const shape = closest(leaf, SHAPE) ?? closest(leaf, FRAME);
    if (shape?.parent == null) return;
    const box = shape.tag === 'p:sp' ? this.boxOf(shape) : cellBox(shape, leaf);
    const picture = this.registry.place(value, { width: box.cx / PER_CM, height: box.cy / PER_CM });
    if (picture === null) return;
    if (shape.tag === 'p:sp') this.emptied.add(shape);
    const size = { cx: Math.round(picture.width * PER_CM), cy: Math.round(picture.height * PER_CM) };
    const descr = picture.alt === '' ? undefined : picture.alt;
    shape.parent.insertAfter(
      shape,
      make(
        shape,
        'p:pic',
        {},
        make(
          shape,
          'p:nvPicPr',
          {},
          make(shape, 'p:cNvPr', { id: '', name: 'Picture', descr }),
          make(shape, 'p:cNvPicPr', {}, make(shape, 'a:picLocks', { noChangeAspect: 1 })),
          make(shape, 'p:nvPr'),
        ),
        make(
          shape,
          'p:blipFill',
          {},
          make(shape, 'a:blip', { 'r:embed': this.media.add(picture) }),
          make(shape, 'a:stretch', {}, make(shape, 'a:fillRect')),
        ),
        make(
          shape,
          'p:spPr',
          {},
          make(shape, 'a:xfrm', {}, make(shape, 'a:off', { x: box.x, y: box.y }), make(shape, 'a:ext', size)),
          make(shape, 'a:prstGeom', { prst: 'rect' }, make(shape, 'a:avLst')),
        ),
      ),
    );
  }

  /** Shapes that held nothing but the picture go; ids become unique. */
  finish(root: Element): void {
    for (const shape of this.emptied)
      if (all(shape, 'a:t').every((leaf) => leaf.textContent().trim() === '')) remove(shape);
    const taken = new Set<string>();
    const shapes = all(root, 'p:cNvPr');
    let next = Math.max(1, ...shapes.map((shape) => Number(shape.get('id') ?? 0))) + 1;
    for (const shape of shapes) {
      const id = shape.get('id') ?? '';
      if (id === '' || taken.has(id)) shape.set('id', String(next++));
      taken.add(shape.get('id') ?? '');
    }
  }

  /** A placeholder without a place of its own has that of the layout, or of the master. */
  private boxOf(shape: Element): Box {
    const own = xfrmBox(shape.first('p:spPr')?.first('a:xfrm'));
    if (own) return own;
    const [placeholder] = all(shape, 'p:ph');
    let part: string | null | undefined = this.part;
    for (const step of ['slideLayout', 'slideMaster']) {
      if (!placeholder || part == null) break;
      part = this.file
        .relationships(part)
        .list()
        .find(({ type }) => type === step)?.path;
      if (part == null || !this.file.has(part)) break;
      const box = placeholderBox(this.file.xml(part).root, placeholder);
      if (box) return box;
    }
    return { x: PER_CM * 2, y: PER_CM * 2, cx: PER_CM * 20, cy: PER_CM * 14 };
  }
}

function xfrmBox(xfrm: Element | undefined): Box | null {
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

function placeholderBox(root: Element, placeholder: Element): Box | null {
  for (const shape of all(root, 'p:sp')) {
    const [other] = all(shape, 'p:ph');
    const isSame =
      other &&
      ((placeholder.get('idx') !== undefined && other.get('idx') === placeholder.get('idx')) ||
        (other.get('type') ?? 'obj') === (placeholder.get('type') ?? 'obj'));
    const box = isSame ? xfrmBox(shape.first('p:spPr')?.first('a:xfrm')) : null;
    if (box) return box;
  }
  return null;
}

/** The place of a table's cell: the sum of the columns and rows before it. */
function cellBox(frame: Element, leaf: Element): Box {
  const place = xfrmBox(frame.first('p:xfrm')) ?? { x: 0, y: 0, cx: PER_CM * 10, cy: PER_CM * 10 };
  const cell = closest(leaf, new Set(['a:tc']));
  const row = cell?.parent;
  const table = row?.parent;
  if (!cell || !row || !table) return place;
  const widths = all(table, 'a:gridCol').map((column) => Number(column.get('w') ?? 0));
  const at = row.elements('a:tc').indexOf(cell);
  const before = table.elements('a:tr');
  const heights = before.map((other) => Number(other.get('h') ?? 0));
  const number = before.indexOf(row);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    x: place.x + sum(widths.slice(0, at)),
    y: place.y + sum(heights.slice(0, number)),
    cx: widths[at] ?? place.cx,
    cy: heights[number] ?? place.cy,
  };
}
