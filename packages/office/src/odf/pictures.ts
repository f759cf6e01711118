import type { PictureValue } from '../marks.ts';
import type { OfficePackage } from '../package.ts';
import type { PictureRegistry, PlacedPicture } from '../pictures/registry.ts';
import { make } from '../xml/build.ts';
import { all, closest, type Element, remove, replace } from '../xml/tree.ts';
import { storePicture } from './manifest.ts';
import { lengthOf, OdfRooms } from './room.ts';

const FRAME: ReadonlySet<string> = new Set(['draw:frame', 'draw:custom-shape']);
const CELL: ReadonlySet<string> = new Set(['table:table-cell']);

/** Pictures in OpenDocument. */
export class OdfPictures {
  private readonly file: OfficePackage;
  private readonly registry: PictureRegistry;
  private readonly kind: 'odt' | 'ods' | 'odp';
  private readonly rooms: OdfRooms;
  private count = 0;

  constructor(root: Element, file: OfficePackage, registry: PictureRegistry, kind: 'odt' | 'ods' | 'odp') {
    this.file = file;
    this.registry = registry;
    this.kind = kind;
    this.rooms = new OdfRooms(root, file);
  }

  show(value: PictureValue): void {
    const near = value.parent;
    if (near === null) return;
    if (this.kind === 'odt') this.inText(value, near);
    else if (this.kind === 'ods') this.inCell(value, near);
    else this.onSlide(value, near);
  }

  /** Inserts a picture as a character, in text. */
  private inText(value: PictureValue, near: Element): void {
    const picture = this.registry.place(value, this.rooms.at(near));
    if (picture === null) remove(value);
    else replace(value, this.frame(picture, near, { 'text:anchor-type': 'as-char' }));
  }

  /** Puts a picture on the sheet, at the corner of its cell. */
  private inCell(value: PictureValue, near: Element): void {
    const cell = closest(near, CELL);
    const picture = this.registry.place(value, null);
    if (picture === null || cell === null) remove(value);
    else {
      cell.insertBefore(
        cell.children[0] ?? null,
        this.frame(picture, cell, { 'svg:x': '0cm', 'svg:y': '0cm' }),
      );
      remove(value);
    }
  }

  /** Puts a picture at the position of the box or cell that contained its tag. */
  private onSlide(value: PictureValue, near: Element): void {
    const shape = closest(near, FRAME);
    if (shape?.parent == null) {
      remove(value);
      return;
    }
    const box = boxOf(shape, closest(near, CELL));
    const picture = this.registry.place(value, box);
    remove(value);
    if (picture === null) return;
    const place = { 'svg:x': `${box.x.toFixed(3)}cm`, 'svg:y': `${box.y.toFixed(3)}cm` };
    const layer = { 'draw:layer': shape.get('draw:layer') };
    shape.parent.insertAfter(shape, this.frame(picture, shape.parent, { ...place, ...layer }));
    const isEmpty = shape.textContent().trim() === '' && all(shape, 'table:table', 'draw:image').length === 0;
    if (isEmpty && shape.tag === 'draw:frame') remove(shape);
  }

  private frame(
    picture: PlacedPicture,
    near: Element,
    place: Readonly<Record<string, string | undefined>>,
  ): Element {
    const path = storePicture(this.file, picture);
    this.count += 1;
    return make(
      near,
      'draw:frame',
      {
        'draw:name': `Picture ${this.count}`,
        ...place,
        'svg:width': `${picture.width.toFixed(3)}cm`,
        'svg:height': `${picture.height.toFixed(3)}cm`,
      },
      make(near, 'draw:image', {
        'xlink:href': path,
        'xlink:type': 'simple',
        'xlink:show': 'embed',
        'xlink:actuate': 'onLoad',
      }),
      ...(picture.alt === '' ? [] : [make(near, 'svg:desc', {}, picture.alt)]),
    );
  }
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function boxOf(shape: Element, cell: Element | null): Box {
  const box = {
    x: lengthOf(shape, 'svg:x', 2),
    y: lengthOf(shape, 'svg:y', 2),
    width: lengthOf(shape, 'svg:width', 20),
    height: lengthOf(shape, 'svg:height', 14),
  };
  const row = cell?.parent;
  const table = row?.parent;
  if (!cell || !row || !table) return box;
  // Columns and rows of a slide's table have equal sizes unless the author changed them.
  const cells = row.elements().length;
  const rows = all(table, 'table:table-row');
  const width = box.width / cells;
  const height = box.height / rows.length;
  return {
    x: box.x + width * row.elements().indexOf(cell),
    y: box.y + height * rows.indexOf(row),
    width,
    height,
  };
}
