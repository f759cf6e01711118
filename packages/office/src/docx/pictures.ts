import type { PictureValue } from '../marks.ts';
import { MediaStore } from '../ooxml/media.ts';
import type { OfficePackage } from '../package.ts';
import type { PictureRegistry } from '../pictures/registry.ts';
import { make } from '../xml/build.ts';
import type { Element } from '../xml/tree.ts';
import { Rooms } from './room.ts';

/** EMU, the unit of DrawingML. */
const PER_CM = 360_000;

/** Pictures in Word text. */
export class DocxPictures {
  private readonly media: MediaStore;
  private readonly registry: PictureRegistry;
  private readonly rooms: Rooms;

  constructor(file: OfficePackage, part: string, registry: PictureRegistry, root: Element) {
    this.media = new MediaStore(file, part, 'word/media/');
    this.registry = registry;
    this.rooms = new Rooms(root);
  }

  /** @returns null when there is no picture to show */
  drawing(value: PictureValue, near: Element): Element | null {
    const picture = this.registry.place(value, this.rooms.at(near));
    if (picture === null) return null;
    const id = this.media.add(picture);
    const size = { cx: Math.round(picture.width * PER_CM), cy: Math.round(picture.height * PER_CM) };
    const name = 'Picture';
    const descr = picture.alt === '' ? undefined : picture.alt;
    // `id` becomes unique when the part is complete.
    return make(
      near,
      'w:drawing',
      {},
      make(
        near,
        'wp:inline',
        { distT: 0, distB: 0, distL: 0, distR: 0 },
        make(near, 'wp:extent', size),
        make(near, 'wp:docPr', { id: '', name, descr }),
        make(near, 'a:graphic', {}, pictureGraphic(near, id, size)),
      ),
    );
  }
}

function pictureGraphic(near: Element, id: string, size: { cx: number; cy: number }): Element {
  const uri = 'http://schemas.openxmlformats.org/drawingml/2006/picture';
  return make(
    near,
    'a:graphicData',
    { uri },
    make(
      near,
      'pic:pic',
      {},
      make(
        near,
        'pic:nvPicPr',
        {},
        make(near, 'pic:cNvPr', { id: 0, name: 'Picture' }),
        make(near, 'pic:cNvPicPr'),
      ),
      make(
        near,
        'pic:blipFill',
        {},
        make(near, 'a:blip', { 'r:embed': id }),
        make(near, 'a:stretch', {}, make(near, 'a:fillRect')),
      ),
      make(
        near,
        'pic:spPr',
        {},
        make(near, 'a:xfrm', {}, make(near, 'a:off', { x: 0, y: 0 }), make(near, 'a:ext', size)),
        make(near, 'a:prstGeom', { prst: 'rect' }, make(near, 'a:avLst')),
      ),
    ),
  );
}
