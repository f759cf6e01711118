/**
 * Reads the directories of a TIFF file, and of formats with the same structure: EXIF data, camera raws (TIFF
 * 6.0, section 2).
 */

/** The numbers of a directory's entries, by tag; of long lists only the beginning and the last number. */
export type Directory = ReadonlyMap<number, readonly number[]>;

const SUB_DIRECTORIES = 0x14a;
/** Bytes of a value of each type read here: BYTE, SHORT, LONG, RATIONAL, FLOAT, DOUBLE. */
const SIZES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 5: 8, 11: 4, 12: 8 };
const MAX_VALUES = 16;
/** Maximum strips or tiles of a page. */
const MAX_PIECES = 200_000;
/** Maximum entries of a directory; a real one has a few dozen. */
const MAX_ENTRIES = 1000;
/** Maximum directories of a file, that is, pages. */
const MAX_DIRECTORIES = 2_000;
/** Numbers in the place of 42 in raws that are otherwise TIFF files: Olympus ORF, Panasonic RW2. */
const MAGIC: readonly number[] = [42, 0x4f52, 0x5352, 0x55];

/**
 * Returns the directories of a file in order: its pages.
 *
 * @returns an empty list for unreadable data. BigTIFF is not supported.
 */
export function tiffDirectories(bytes: Uint8Array): Directory[] {
  const reader = new Reader(bytes);
  return reader.isTiff ? reader.chain(reader.uint32(4)) : [];
}

/**
 * Returns the directory of one page with complete lists of the positions and lengths of its data.
 *
 * @param page 0-based
 */
export function completeDirectory(bytes: Uint8Array, page: number): Directory | undefined {
  const reader = new Reader(bytes);
  return reader.isTiff ? reader.chain(reader.uint32(4), page)[page] : undefined;
}

/** Returns where in the file the entries of each page are, by tag. */
export function entryPlaces(bytes: Uint8Array): ReadonlyMap<number, number>[] {
  const reader = new Reader(bytes);
  reader.chain(reader.uint32(4));
  return reader.offsets.map((offset) => reader.places(offset));
}

/** Returns the first number of an entry; undefined if the directory has no such entry. */
export function firstNumber(directory: Directory, tag: number): number | undefined {
  return directory.get(tag)?.[0];
}

/** Returns the data of the first page of a TIFF file in strips, one after the other. */
export function tiffData(bytes: Uint8Array): Buffer {
  const directory = completeDirectory(bytes, 0);
  const [[offsetTag, lengthTag]] = DATA;
  const lengths = directory?.get(lengthTag) ?? [];
  const strips = (directory?.get(offsetTag) ?? []).map((start, strip) =>
    bytes.subarray(start, start + (lengths[strip] ?? 0)),
  );
  return Buffer.concat(strips);
}

/** Returns whether the numbers of a file begin with their lowest byte. */
export function isLittleEndian(bytes: Uint8Array): boolean {
  return bytes[0] === 0x49;
}

/** Returns the directories of a file and all that these refer to, which contain the other sizes of a raw. */
export function allTiffDirectories(bytes: Uint8Array): Directory[] {
  const reader = new Reader(bytes);
  if (!reader.isTiff) return [];
  const pages = reader.chain(reader.uint32(4));
  const below = pages.flatMap((page) => page.get(SUB_DIRECTORIES) ?? []);
  return [...pages, ...below.flatMap((offset) => reader.chain(offset))];
}

/** Tags for the position and length of an image's data: strips or tiles. */
const DATA = [
  [0x111, 0x117],
  [0x144, 0x145],
] as const;

/** Returns whether a directory, or the end of an image's data, lies beyond the end of the file. */
export function isTruncated(bytes: Uint8Array): boolean {
  const reader = new Reader(bytes);
  if (!reader.isTiff) return false;
  const pages = reader.chain(reader.uint32(4));
  const below = pages.flatMap((page) => page.get(SUB_DIRECTORIES) ?? []).flatMap((at) => reader.chain(at));
  if (reader.isBroken) return true;
  return [...pages, ...below].some((directory) =>
    DATA.some(([offsets, lengths]) => {
      const [start, length] = [directory.get(offsets)?.at(-1), directory.get(lengths)?.at(-1)];
      return start !== undefined && length !== undefined && start + length > bytes.length;
    }),
  );
}

class Reader {
  readonly isTiff: boolean;
  /** True when the file refers to a directory that does not exist. */
  isBroken = false;
  /** Where the directories of the last chain begin. */
  offsets: number[] = [];
  private readonly view: DataView;
  private readonly littleEndian: boolean;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const order = bytes.length < 8 ? 0 : this.view.getUint16(0);
    this.littleEndian = order === 0x4949;
    this.isTiff =
      (this.littleEndian || order === 0x4d4d) && MAGIC.includes(this.view.getUint16(2, this.littleEndian));
  }

  uint32(at: number): number {
    return this.view.getUint32(at, this.littleEndian);
  }

  /** Follows the chain of directories. @param complete the place of one whose lists are read completely */
  chain(first: number, complete = -1): Directory[] {
    const directories: Directory[] = [];
    this.offsets = [];
    const seen = new Set<number>();
    for (let offset = first; offset !== 0 && !seen.has(offset) && seen.size < MAX_DIRECTORIES;) {
      seen.add(offset);
      const found = this.directory(offset, directories.length === complete ? MAX_PIECES : MAX_VALUES);
      if (found === null) {
        this.isBroken = true;
        break;
      }
      directories.push(found.directory);
      this.offsets.push(offset);
      offset = found.next;
    }
    return directories;
  }

  /** @param offset of a directory that can be read */
  places(offset: number): Map<number, number> {
    const count = this.view.getUint16(offset, this.littleEndian);
    return new Map(
      Array.from({ length: count }, (_, i) => offset + 2 + 12 * i).map((at) => [
        this.view.getUint16(at, this.littleEndian),
        at,
      ]),
    );
  }

  private directory(offset: number, most: number): { directory: Directory; next: number } | null {
    const size = this.view.byteLength;
    if (offset + 2 > size) return null;
    const count = this.view.getUint16(offset, this.littleEndian);
    const end = offset + 2 + 12 * count;
    if (count > MAX_ENTRIES || end > size) return null;
    const directory = new Map<number, readonly number[]>();
    for (let at = offset + 2; at < end; at += 12) {
      directory.set(this.view.getUint16(at, this.littleEndian), this.values(at, most));
    }
    return { directory, next: end + 4 <= size ? this.uint32(end) : 0 };
  }

  private values(entry: number, most: number): number[] {
    const type = this.view.getUint16(entry + 2, this.littleEndian);
    const size = SIZES[type];
    if (size === undefined) return [];
    const count = this.uint32(entry + 4);
    // A value of more than four bytes is stored elsewhere.
    const start = count * size <= 4 ? entry + 8 : this.uint32(entry + 8);
    const values: number[] = [];
    for (let at = start; values.length < Math.min(count, most); at += size) {
      if (at + size > this.view.byteLength) break;
      values.push(this.value(type, at));
    }
    const last = start + (count - 1) * size;
    if (count > most && last + size <= this.view.byteLength) values.push(this.value(type, last));
    return values;
  }

  private value(type: number, at: number): number {
    if (type === 1) return this.view.getUint8(at);
    if (type === 3) return this.view.getUint16(at, this.littleEndian);
    if (type === 11) return this.view.getFloat32(at, this.littleEndian);
    if (type === 12) return this.view.getFloat64(at, this.littleEndian);
    return type === 4 ? this.uint32(at) : this.uint32(at) / this.uint32(at + 4);
  }
}
