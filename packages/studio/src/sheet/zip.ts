/** Reads ZIP files as far as a workbook needs them: single entries, one of which can be replaced. */

export interface Entry {
  name: string;
  method: number;
  crc: number;
  packed: number;
  size: number;
  /** The offset of its local header. */
  offset: number;
}

export interface Zip {
  file: Blob;
  entries: readonly Entry[];
}

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
/** Most bytes of the end of a ZIP: 22 bytes, and a comment of 65,535 at most. */
const LONGEST_END = 22 + 65_535;
const [STORED, DEFLATED] = [0, 8];
const UTF8_NAMES = 0x800;

/** @throws Error for a file that is not a ZIP, is larger than 4 GB, or is encrypted */
export async function openZip(file: Blob): Promise<Zip> {
  const tailFrom = Math.max(0, file.size - LONGEST_END);
  const tail = await viewOf(file.slice(tailFrom));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error('no ZIP');
  const count = tail.getUint16(end + 10, true);
  const from = tail.getUint32(end + 16, true);
  const list = await viewOf(file.slice(from, from + tail.getUint32(end + 12, true)));
  const entries: Entry[] = [];
  let at = 0;
  for (let n = 0; n < count; n++) {
    if (at + 46 > list.byteLength || list.getUint32(at, true) !== CENTRAL) throw new Error('a broken ZIP');
    const [flags, method] = [list.getUint16(at + 8, true), list.getUint16(at + 10, true)];
    const length = list.getUint16(at + 28, true);
    if ((flags & 1) !== 0 || (method !== STORED && method !== DEFLATED)) throw new Error('an encrypted ZIP');
    entries.push({
      name: new TextDecoder().decode(new Uint8Array(list.buffer, at + 46, length)),
      method,
      crc: list.getUint32(at + 16, true),
      packed: list.getUint32(at + 20, true),
      size: list.getUint32(at + 24, true),
      offset: list.getUint32(at + 42, true),
    });
    at += 46 + length + list.getUint16(at + 30, true) + list.getUint16(at + 32, true);
  }
  return { file, entries };
}

/**
 * Returns the text of an entry. The size in its header is not trusted.
 *
 * @param most maximum number of characters
 * @param cut returns the beginning of a longer entry
 * @throws Error for an entry that does not exist, and for one that is too long
 */
export async function entryText(zip: Zip, name: string, most: number, cut = false): Promise<string> {
  const entry = zip.entries.find((each) => each.name === name);
  if (entry === undefined) throw new Error(`no ${name}`);
  const packed = (await dataOf(zip, entry)).stream();
  const bytes = entry.method === STORED ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const part = decoder.decode(value, { stream: !done });
      parts.push(part);
      length += part.length;
      if (length > most && !cut) throw new Error(`${name} is too large`);
      if (done || length > most) return parts.join('');
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns the same ZIP with another text in one of its entries. */
export async function withEntry(zip: Zip, name: string, text: string): Promise<Blob> {
  const bytes = new TextEncoder().encode(text);
  const packed = await new Response(
    new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw')),
  ).blob();
  const files: (Blob | Uint8Array<ArrayBuffer>)[] = [];
  const list: (Blob | Uint8Array<ArrayBuffer>)[] = [];
  let [offset, listed] = [0, 0];
  for (const entry of zip.entries) {
    const isNew = entry.name === name;
    const content = isNew ? packed : await dataOf(zip, entry);
    const now = isNew
      ? { method: DEFLATED, crc: crc32(bytes), packed: packed.size, size: bytes.length }
      : entry;
    const path = new TextEncoder().encode(entry.name);
    const shared = [20, UTF8_NAMES, now.method, 0, 0] as const;
    const sizes = [now.crc, now.packed, now.size] as const;
    const local = fields([LOCAL], shared, sizes, [path.length, 0]);
    const central = fields([CENTRAL], [20, ...shared], sizes, [path.length, 0, 0, 0, 0], [0, offset]);
    files.push(local, path, content);
    list.push(central, path);
    offset += local.length + path.length + content.size;
    listed += central.length + path.length;
  }
  const { length } = zip.entries;
  return new Blob([...files, ...list, fields([END], [0, 0, length, length], [listed, offset], [0])]);
}

/** Returns numbers of 4 bytes and of 2 bytes, in turns. */
function fields(...groups: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const widths = groups.map((_, index) => (index % 2 === 0 ? 4 : 2));
  const size = groups.reduce((sum, group, index) => sum + group.length * (widths[index] ?? 0), 0);
  const view = new DataView(new ArrayBuffer(size));
  let at = 0;
  groups.forEach((group, index) => {
    for (const number of group) {
      if (widths[index] === 4) view.setUint32(at, number, true);
      else view.setUint16(at, number, true);
      at += widths[index] ?? 0;
    }
  });
  return new Uint8Array(view.buffer);
}

async function dataOf({ file }: Zip, { offset, packed }: Entry): Promise<Blob> {
  const header = await viewOf(file.slice(offset, offset + 30));
  if (header.byteLength < 30 || header.getUint32(0, true) !== LOCAL) throw new Error('a broken ZIP');
  const from = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  return file.slice(from, from + packed);
}

async function viewOf(blob: Blob): Promise<DataView<ArrayBuffer>> {
  return new DataView(await blob.arrayBuffer());
}

function crc32(bytes: Uint8Array): number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  });
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}
