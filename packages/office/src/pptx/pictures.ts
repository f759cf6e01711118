import type { PictureValue } from '../marks.ts';
import { MediaStore } from '../ooxml/media.ts';
import type { OfficePackage } from '../package.ts';
import type { PictureRegistry, PlacedPicture } from '../pictures/registry.ts';
import { make } from '../xml/build.ts';
import { all, closest, type Element, remove } from '../xml/tree.ts';
import { takeNumber } from './numbers.ts';
import { type Box, PER_CM, shapeBox, xfrmBox } from './boxes.ts';

const SHAPE: ReadonlySet<string> = new Set(['p:sp']);
const FRAME: ReadonlySet<string> = new Set(['p:graphicFrame']);
const CELL: ReadonlySet<string> = new Set(['a:tc']);

/**
 * Pictures on slides: slide text does not flow, so a picture takes the position of the shape or cell with its
 * tag.
 */
export class SlidePictures {
  private readonly file: OfficePackage;
  private readonly part: string;
  private readonly media: MediaStore;
  private readonly registry: PictureRegistry;
  private readonly emptied = new Set<Element>();
  /** Pictures by the shape or table that contained their tags. */
  private readonly lying = new Map<Element, Element[]>();
  /** Height in EMU that the pictures of a cell take. */
  private readonly inCells = new Map<Element, number>();

  constructor(file: OfficePackage, part: string, registry: PictureRegistry) {
    this.file = file;
    this.part = part;
    this.registry = registry;
    this.media = new MediaStore(file, part, 'ppt/media/');
  }

  show(value: PictureValue, leaf: Element): void {
    const shape = closest(leaf, SHAPE) ?? closest(leaf, FRAME);
    if (shape?.parent == null) return;
    const cell = shape.tag === 'p:sp' ? null : closest(leaf, CELL);
    const box = shape.tag === 'p:sp' ? shapeBox(this.file, this.part, shape) : cellBox(shape, cell);
    const picture = this.registry.place(value, { width: box.cx / PER_CM, height: box.cy / PER_CM });
    if (picture === null) return;
    if (shape.tag === 'p:sp') this.emptied.add(shape);
    if (cell !== null) box.y += this.above(cell, Math.round(picture.height * PER_CM));
    const shown = this.pictureAt(box, picture, shape);
    const others = this.lying.get(shape) ?? [];
    others.push(shown);
    this.lying.set(shape, others);
    shape.parent.insertAfter(shape, shown);
  }

  /** Moves the pictures on a table along with it. @param by EMU */
  moveAlong(table: Element, by: number): void {
    for (const picture of this.lying.get(table) ?? []) {
      const [offset] = all(picture, 'a:off');
      offset?.set('y', String(Math.round(Number(offset.get('y')) + by)));
    }
  }

  /** Stacks the pictures of a cell above its text. @returns the height of the previous ones */
  private above(cell: Element, height: number): number {
    const used = this.inCells.get(cell) ?? 0;
    this.inCells.set(cell, used + height);
    if (cell.textContent().trim() !== '') {
      let properties = cell.first('a:tcPr');
      if (properties === undefined) cell.append((properties = make(cell, 'a:tcPr')));
      properties.set('marT', String(used + height + 45_720));
    }
    return used;
  }

  /** Returns a picture at the corner of a box. */
  pictureAt({ x, y }: Pick<Box, 'x' | 'y'>, picture: PlacedPicture, near: Element): Element {
    const size = { cx: Math.round(picture.width * PER_CM), cy: Math.round(picture.height * PER_CM) };
    const descr = picture.alt === '' ? undefined : picture.alt;
    return make(
      near,
      'p:pic',
      {},
      make(
        near,
        'p:nvPicPr',
        {},
        make(near, 'p:cNvPr', { id: '', name: 'Picture', descr }),
        make(near, 'p:cNvPicPr', {}, make(near, 'a:picLocks', { noChangeAspect: 1 })),
        make(near, 'p:nvPr'),
      ),
      make(
        near,
        'p:blipFill',
        {},
        make(near, 'a:blip', { 'r:embed': this.media.add(picture) }),
        make(near, 'a:stretch', {}, make(near, 'a:fillRect')),
      ),
      make(
        near,
        'p:spPr',
        {},
        make(near, 'a:xfrm', {}, make(near, 'a:off', { x, y }), make(near, 'a:ext', size)),
        make(near, 'a:prstGeom', { prst: 'rect' }, make(near, 'a:avLst')),
      ),
    );
  }

  /** Removes shapes whose only content was the picture, and makes ids unique. */
  finish(root: Element): void {
    for (const shape of this.emptied) {
      if (!all(shape, 'a:t').every((leaf) => leaf.textContent().trim() === '')) continue;
      const [first] = this.lying.get(shape) ?? [];
      if (first !== undefined) takeNumber(shape, first);
      remove(shape);
    }
    const taken = new Set<string>();
    const shapes = all(root, 'p:cNvPr');
    let next = Math.max(1, ...shapes.map((shape) => Number(shape.get('id') ?? 0))) + 1;
    for (const shape of shapes) {
      const id = shape.get('id') ?? '';
      if (id === '' || taken.has(id)) shape.set('id', String(next++));
      taken.add(shape.get('id') ?? '');
    }
  }
}

/** Returns the position of a table cell: the sum of the columns and rows before it. */
function cellBox(frame: Element, cell: Element | null): Box {
  const place = xfrmBox(frame.first('p:xfrm')) ?? { x: 0, y: 0, cx: PER_CM * 10, cy: PER_CM * 10 };
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
