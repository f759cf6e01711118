import { createHash } from 'node:crypto';
import { PlatenError } from '@platen/core/errors';
import { detectImageFormat } from '@platen/imaging/image-type';
import { isUpright, OFFICE_FORMATS } from '@platen/imaging/office-pictures';
import type { PictureValue } from '../marks.ts';
import { type PictureFacts, pictureFacts, typedLength } from './facts.ts';

/** The room for a picture, in centimetres. */
export interface Room {
  width: number;
  height: number;
}

/** A loaded image of the template. */
export interface LoadedImage {
  contentType: string;
  bytes: Uint8Array;
}

export interface PlacedPicture extends PictureFacts {
  bytes: Uint8Array;
  /** Key of the file's content: the same picture is stored once. */
  key: string;
  /** Size in the document, in centimetres. */
  width: number;
  height: number;
  alt: string;
}

/** Maximum bytes of one picture in the data. */
const MAX_DATA_PICTURE = 32 * 1024 * 1024;

/** The pictures a document may show: those of its template by `uri` (I-11), and `data:` addresses. */
export class PictureRegistry {
  private readonly images: ReadonlyMap<string, LoadedImage>;
  private readonly known = new Map<string, { facts: PictureFacts; bytes: Uint8Array; key: string } | null>();

  /** Pictures of the data that not every office program shows as they are, by key. */
  readonly unshown = new Map<string, Uint8Array>();
  private readonly shown: ReadonlyMap<string, Uint8Array>;

  /** @param shown the pictures of the data that office programs show in place of others, by the key of these */
  constructor(images: ReadonlyMap<string, LoadedImage>, shown: ReadonlyMap<string, Uint8Array> = new Map()) {
    this.images = images;
    this.shown = shown;
  }

  /**
   * Returns the picture for a tag, at the size that the tag requests, or its natural size reduced to fit.
   *
   * @param room available centimetres for a picture without a size
   * @returns null for an empty address, which means no picture
   * @throws PlatenError `template_render` for an address without a picture, `image_format_unsupported`,
   *   `image_invalid`
   */
  place(value: PictureValue, room: Room | null): PlacedPicture | null {
    const found = this.find(value.src);
    if (found === null) return null;
    const { facts, bytes, key } = found;
    const width = typedSize(value.width, 'width');
    const height = typedSize(value.height, 'height');
    const ratio = facts.height / facts.width;
    const size =
      width !== null && height !== null
        ? { width, height }
        : width !== null
          ? { width, height: width * ratio }
          : height !== null
            ? { width: height / ratio, height }
            : fitted(facts, room);
    return { ...facts, ...size, bytes, key, alt: value.alt };
  }

  private find(src: string): { facts: PictureFacts; bytes: Uint8Array; key: string } | null {
    // The printed forms of an undefined variable and of None.
    if (src === '' || src === 'None') return null;
    const known = this.known.get(src);
    if (known !== undefined) return known;
    const isData = /^data:/i.test(src);
    const bytes = isData ? dataBytes(src) : this.images.get(src)?.bytes;
    const name = isData ? 'in the data' : `“${src.slice(0, 80)}”`;
    if (bytes === undefined) {
      throw new PlatenError('template_render', `The template has no image ${name}.`, {
        faults: [
          { field: 'template', message: `no image has the uri ${name}`, allowed: [...this.images.keys()] },
        ],
      });
    }
    const key = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const shown = this.shown.get(key) ?? bytes;
    const entry = { facts: pictureFacts(shown, name), bytes: shown, key };
    if (isData && !isShown(shown)) this.unshown.set(key, bytes);
    this.known.set(src, entry);
    return entry;
  }
}

function typedSize(text: string, name: string): number | null {
  if (text === '' || text === 'None') return null;
  const length = typedLength(text);
  if (length === null) {
    const message = `the ${name} of a picture is not a length in centimetres: ${text.slice(0, 40)}`;
    throw new PlatenError('template_render', `The template cannot be filled: ${message}.`, {
      faults: [{ field: 'template', message, value: text.slice(0, 40) }],
    });
  }
  return length;
}

function fitted(size: { width: number; height: number }, room: Room | null) {
  const scale = room === null ? 1 : Math.min(1, room.width / size.width, room.height / size.height);
  return { width: size.width * scale, height: size.height * scale };
}

/** Returns whether every office program shows a picture as it is; drawings get pixels. */
function isShown(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = detectImageFormat(file);
  return format === null || format === 'svg' || (OFFICE_FORMATS.has(format) && isUpright(format, file));
}

/** Returns the bytes in a `data:` address (RFC 2397). */
function dataBytes(address: string): Uint8Array {
  const comma = address.indexOf(',');
  const head = address.slice(5, comma === -1 ? 5 : comma);
  const bytes =
    comma === -1
      ? Buffer.alloc(0)
      : /;\s*base64\s*$/i.test(head)
        ? Buffer.from(
            address
              .slice(comma + 1)
              .replace(/%2B/gi, '+')
              .replace(/%2F/gi, '/')
              .replace(/%3D/gi, '='),
            'base64',
          )
        : Buffer.from(
            address
              .slice(comma + 1)
              .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'utf8',
          );
  if (bytes.length === 0 || bytes.length > MAX_DATA_PICTURE) {
    throw new PlatenError('image_invalid', 'A picture in the data is empty or too large.');
  }
  return bytes;
}
