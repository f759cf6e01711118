import type { PictureValue } from '../marks.ts';
import { MediaStore } from '../ooxml/media.ts';
import { relativeTarget } from '../ooxml/relationships.ts';
import type { OfficePackage } from '../package.ts';
import type { PictureRegistry, PlacedPicture } from '../pictures/registry.ts';
import { make } from '../xml/build.ts';
import { parseXml, type XmlDocument } from '../xml/parse.ts';
import { all, type Element } from '../xml/tree.ts';
import { columnOf } from './prepare.ts';
import { addRowHeight } from './row-height.ts';

const PER_CM = 360_000;
const POINTS_PER_CM = 72 / 2.54;
const EMPTY =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/>';
const DRAWING_TYPE = 'application/vnd.openxmlformats-officedocument.drawing+xml';
/** Elements that follow a sheet's drawing (ECMA-376, 18.3.1.99). */
const LATER = [
  'legacyDrawing',
  'legacyDrawingHF',
  'drawingHF',
  'picture',
  'oleObjects',
  'controls',
  'webPublishItems',
  'tableParts',
  'extLst',
];

/** A picture from the text of a cell. */
export interface CellPicture {
  value: PictureValue;
  cell: Element;
  /** True when it came with text, which it must not cover. */
  isOfHtml: boolean;
}

/** Pictures on a sheet, anchored at the corner of their cell. */
export class SheetPictures {
  private readonly file: OfficePackage;
  private readonly part: string;
  private readonly registry: PictureRegistry;

  constructor(file: OfficePackage, part: string, registry: PictureRegistry) {
    this.file = file;
    this.part = part;
    this.registry = registry;
  }

  /** @param root root element of the sheet, with its rows in their new places */
  add(root: Element, pictures: readonly CellPicture[]): void {
    const placed = pictures
      .map((one) => ({ ...one, picture: this.registry.place(one.value, null) }))
      .filter((one): one is CellPicture & { picture: PlacedPicture } => one.picture !== null);
    if (placed.length === 0) return;
    const { path, document } = this.drawing(root);
    const media = new MediaStore(this.file, path, 'xl/media/');
    let id = all(document.root, 'xdr:cNvPr').reduce(
      (highest, one) => Math.max(highest, Number(one.get('id') ?? 0)),
      1,
    );
    const heights = new Map<Element, number>();
    for (const { cell, picture, isOfHtml } of placed) {
      id += 1;
      const above = isOfHtml ? (heights.get(cell) ?? 0) : 0;
      const names = { id, relation: media.add(picture) };
      document.root.append(anchor(document.root, cell, picture, names, above));
      if (!isOfHtml) continue;
      heights.set(cell, above + picture.height);
      if (cell.textContent().trim() !== '') addRowHeight(cell, (above + picture.height) * POINTS_PER_CM);
    }
    this.file.setXml(path, document);
  }

  /** Returns the sheet's drawing, which it creates when needed. */
  private drawing(root: Element): { path: string; document: XmlDocument } {
    const { file, part } = this;
    const known = file
      .relationships(part)
      .list()
      .find(({ type }) => type === 'drawing')?.path;
    if (known != null && file.has(known)) return { path: known, document: file.xml(known) };
    const path = file.freePath('xl/drawings/drawing', 'xml');
    const document = parseXml(Buffer.from(EMPTY));
    file.setXml(path, document);
    file.contentTypes().set(path, DRAWING_TYPE);
    const id = file.relationships(part).add('drawing', relativeTarget(part, path));
    const next = root.elements().find((child) => LATER.some((name) => child.tag === `x:${name}`));
    root.insertBefore(next ?? null, make(root, 'x:drawing', { 'r:id': id }));
    return { path, document };
  }
}

/** @param above centimetres from the top of the cell */
function anchor(
  near: Element,
  cell: Element,
  picture: PlacedPicture,
  { id, relation }: { id: number; relation: string },
  above: number,
): Element {
  const row = Number(/(?<!\d)\d+$/.exec(cell.get('r') ?? '1')?.[0] ?? 1);
  const size = { cx: Math.round(picture.width * PER_CM), cy: Math.round(picture.height * PER_CM) };
  const number = (tag: string, value: number): Element => make(near, tag, {}, String(value));
  const name = {
    id,
    name: 'Picture',
    descr: picture.alt === '' ? undefined : picture.alt,
  };
  return make(
    near,
    'xdr:oneCellAnchor',
    {},
    make(
      near,
      'xdr:from',
      {},
      number('xdr:col', columnOf(cell) - 1),
      number('xdr:colOff', 0),
      number('xdr:row', row - 1),
      number('xdr:rowOff', Math.round(above * PER_CM)),
    ),
    make(near, 'xdr:ext', size),
    make(
      near,
      'xdr:pic',
      {},
      make(
        near,
        'xdr:nvPicPr',
        {},
        make(near, 'xdr:cNvPr', name),
        make(near, 'xdr:cNvPicPr', {}, make(near, 'a:picLocks', { noChangeAspect: 1 })),
      ),
      make(
        near,
        'xdr:blipFill',
        {},
        make(near, 'a:blip', { 'r:embed': relation }),
        make(near, 'a:stretch', {}, make(near, 'a:fillRect')),
      ),
      make(
        near,
        'xdr:spPr',
        {},
        make(near, 'a:xfrm', {}, make(near, 'a:off', { x: 0, y: 0 }), make(near, 'a:ext', size)),
        make(near, 'a:prstGeom', { prst: 'rect' }, make(near, 'a:avLst')),
      ),
    ),
    make(near, 'xdr:clientData'),
  );
}
