/** Reads the boxes that make up files of JPEG 2000 (ISO 15444-1, annex I) and of the ISO base media format. */

export interface Box {
  /** Four characters. */
  type: string;
  data: DataView;
}

/** Returns the sequence of boxes; empty if the data does not begin with one. */
export function boxesOf(bytes: Uint8Array): Box[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= view.byteLength;) {
    const said = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const isLong = said === 1;
    if (isLong && at + 16 > view.byteLength) break;
    const head = isLong ? 16 : 8;
    const length = isLong ? Number(view.getBigUint64(at + 8)) : said === 0 ? view.byteLength - at : said;
    if (length < head || at + length > view.byteLength) break;
    boxes.push({ type, data: new DataView(bytes.buffer, bytes.byteOffset + at + head, length - head) });
    at += length;
  }
  return boxes;
}

/** Returns the boxes inside a box. */
export function innerBoxes({ data }: Box): Box[] {
  return boxesOf(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}
