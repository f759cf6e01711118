import { crc32, deflateRawSync } from 'node:zlib';

/** Writes a ZIP file synchronously from parts that are in memory. */

/** One entry of the file. */
export interface ZipEntry {
  path: string;
  bytes: Uint8Array;
  /** Whether to compress the entry; if that does not make it smaller, it is stored uncompressed. */
  compress: boolean;
}

/** Version of the format that a reader needs, and the flag for names in UTF-8 (APPNOTE 4.4.3 and 4.4.4). */
const VERSION = 20;
const UTF8_NAMES = 0x800;
/** Compression methods (APPNOTE 4.4.5). */
const STORED = 0;
const DEFLATED = 8;
/** The first of January 1980 (APPNOTE 4.4.6): a fixed date, so that the same parts give the same bytes. */
const DATE = 0x21;
/** Maximum entries and bytes of a file without the extensions of ZIP64. */
const MAX_ENTRIES = 0xffff;
const MAX_BYTES = 0xffffffff;

/**
 * Returns an office file with the given parts by path. `mimetype` is its first entry and not compressed (ODF 1.3 part 2,
 * 3.3).
 *
 * @param compresses whether to compress another part
 * @throws RangeError as `zipFile`
 */
export function officeFile(
  parts: ReadonlyMap<string, Uint8Array>,
  compresses: (path: string) => boolean,
): Buffer {
  const entries = Array.from(parts, ([path, bytes]) => ({
    path,
    bytes,
    compress: path !== 'mimetype' && compresses(path),
  }));
  return zipFile(entries.toSorted((a, b) => Number(b.path === 'mimetype') - Number(a.path === 'mimetype')));
}

/**
 * Returns a ZIP file with the given entries, in their order. The same entries give the same bytes.
 *
 * A library writes each entry through a stream and a task of the thread pool. For the fifty small parts of a
 * presentation, that takes four times as long as the compression itself (decision record 0078).
 *
 * @throws RangeError if there are more entries or bytes than a ZIP file can have without ZIP64
 */
export function zipFile(entries: Iterable<ZipEntry>): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes, compress } of entries) {
    const name = Buffer.from(path);
    const packed = compress ? deflateRawSync(bytes) : bytes;
    const isSmaller = packed.length < bytes.length;
    const content = isSmaller ? packed : bytes;
    const facts = {
      method: isSmaller ? DEFLATED : STORED,
      checksum: crc32(bytes),
      packed: content.length,
      unpacked: bytes.length,
    };
    const head = localHeader(name, facts);
    directory.push(directoryHeader(name, facts, offset), name);
    pieces.push(head, name, Buffer.from(content.buffer, content.byteOffset, content.length));
    offset += head.length + name.length + content.length;
    if (directory.length > 2 * MAX_ENTRIES || offset > MAX_BYTES) {
      throw new RangeError('The file is too large for a ZIP file.');
    }
  }
  const size = directory.reduce((sum, piece) => sum + piece.length, 0);
  return Buffer.concat([...pieces, ...directory, endRecord(directory.length / 2, size, offset)]);
}

interface EntryFacts {
  method: number;
  checksum: number;
  packed: number;
  unpacked: number;
}

/** Returns the header of an entry's content (APPNOTE 4.3.7). */
function localHeader(name: Buffer, facts: EntryFacts): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeFacts(header, 4, name, facts);
  return header;
}

/** Returns the header of an entry in the central directory (APPNOTE 4.3.12). */
function directoryHeader(name: Buffer, facts: EntryFacts, offset: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(VERSION, 4);
  writeFacts(header, 6, name, facts);
  header.writeUInt32LE(offset, 42);
  return header;
}

/** Writes the fields that both headers share. */
function writeFacts(header: Buffer, at: number, name: Buffer, facts: EntryFacts): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(UTF8_NAMES, at + 2);
  header.writeUInt16LE(facts.method, at + 4);
  header.writeUInt16LE(DATE, at + 8);
  header.writeUInt32LE(facts.checksum, at + 10);
  header.writeUInt32LE(facts.packed, at + 14);
  header.writeUInt32LE(facts.unpacked, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}

/** Returns the end of the central directory (APPNOTE 4.3.16). */
function endRecord(entries: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(entries, 8);
  record.writeUInt16LE(entries, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}
