import { crc32, deflateRawSync } from 'node:zlib';

/**
 * The records of a ZIP file (PKWARE APPNOTE 6.3.10), for writers that make a file in pieces. Values that do not fit into
 * 32 bits, or 16 bits for the number of entries, have the extensions of ZIP64.
 */

/** What both headers of an entry state. */
export interface ZipFacts {
  name: string;
  /** `STORED` or `DEFLATED`. */
  method: number;
  checksum: number;
  /** Bytes in the file. */
  packed: number;
  /** Bytes of the content. */
  unpacked: number;
}

/** Compression methods (4.4.5). */
export const STORED = 0;
export const DEFLATED = 8;

/** Versions of the format that a reader needs (4.4.3). */
const VERSION = 20;
const VERSION_ZIP64 = 45;
/** The flag for names in UTF-8 (4.4.4). */
const UTF8_NAMES = 0x800;
/** The first of January 1980 (4.4.6), the first day that the format can state. */
const FIRST_DAY = 0x21;
/** Values that mean that the real one is in a record of ZIP64 (4.4.1.4). */
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
/** The extra field of ZIP64 (4.5.3). */
const ZIP64 = 0x0001;

/**
 * Returns an entry's facts and its content as it is in the file.
 *
 * @param compress whether to compress the content; if that does not make it smaller, it is stored as it is
 */
export function zipEntry(
  name: string,
  bytes: Uint8Array,
  compress: boolean,
): { facts: ZipFacts; content: Uint8Array } {
  const deflated = compress ? deflateRawSync(bytes) : bytes;
  const isSmaller = deflated.length < bytes.length;
  const content = isSmaller ? deflated : bytes;
  const facts = {
    name,
    method: isSmaller ? DEFLATED : STORED,
    checksum: crc32(bytes),
    packed: content.length,
    unpacked: bytes.length,
  };
  return { facts, content };
}

/**
 * Returns the header before an entry's content (4.3.7), with its name.
 *
 * @param modified the date of the entry, in UTC; null for a fixed one, so that the same content gives the same bytes
 */
export function localHeader(facts: ZipFacts, modified: Date | null): Buffer {
  const isLarge = facts.packed >= MAX_32 || facts.unpacked >= MAX_32;
  // In this header, both sizes are in the extra field if one of them is (4.5.3).
  const extra = isLarge ? zip64Field([facts.unpacked, facts.packed]) : NOTHING;
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeFacts(header, 4, isLarge ? { ...facts, packed: MAX_32, unpacked: MAX_32 } : facts, extra, modified);
  return Buffer.concat([header, Buffer.from(facts.name), extra]);
}

/**
 * Returns the header of an entry in the central directory (4.3.12), with its name.
 *
 * @param offset of its local header in the file, bytes
 */
export function directoryHeader(facts: ZipFacts, offset: number, modified: Date | null): Buffer {
  const large = [facts.unpacked, facts.packed, offset].filter((value) => value >= MAX_32);
  const extra = large.length > 0 ? zip64Field(large) : NOTHING;
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(extra.length > 0 ? VERSION_ZIP64 : VERSION, 4);
  writeFacts(header, 6, facts, extra, modified);
  header.writeUInt32LE(Math.min(offset, MAX_32), 42);
  return Buffer.concat([header, Buffer.from(facts.name), extra]);
}

/**
 * Returns the end of a file, after its central directory (4.3.14 to 4.3.16).
 *
 * @param size of the central directory, bytes
 * @param offset of the central directory in the file, bytes
 */
export function endRecords(entries: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries, MAX_16), 8);
  end.writeUInt16LE(Math.min(entries, MAX_16), 10);
  end.writeUInt32LE(Math.min(size, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  if (entries < MAX_16 && size < MAX_32 && offset < MAX_32) return end;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x06064b50, 0);
  // The size of the rest of this record.
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(VERSION_ZIP64, 12);
  large.writeUInt16LE(VERSION_ZIP64, 14);
  large.writeBigUInt64LE(BigInt(entries), 24);
  large.writeBigUInt64LE(BigInt(entries), 32);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  // The number of disks.
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, end]);
}

const NOTHING = Buffer.alloc(0);

function zip64Field(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(ZIP64, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return field;
}

/** Writes the fields that both headers share. */
function writeFacts(header: Buffer, at: number, facts: ZipFacts, extra: Buffer, modified: Date | null): void {
  header.writeUInt16LE(extra.length > 0 ? VERSION_ZIP64 : VERSION, at);
  header.writeUInt16LE(UTF8_NAMES, at + 2);
  header.writeUInt16LE(facts.method, at + 4);
  header.writeUInt16LE(modified === null ? 0 : timeOf(modified), at + 6);
  header.writeUInt16LE(modified === null ? FIRST_DAY : dayOf(modified), at + 8);
  header.writeUInt32LE(facts.checksum, at + 10);
  header.writeUInt32LE(Math.min(facts.packed, MAX_32), at + 14);
  header.writeUInt32LE(Math.min(facts.unpacked, MAX_32), at + 18);
  header.writeUInt16LE(Buffer.byteLength(facts.name), at + 22);
  header.writeUInt16LE(extra.length, at + 24);
}

/** Returns a date as MS-DOS writes it (4.4.6). */
function dayOf(date: Date): number {
  return ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
}

/** Returns a time as MS-DOS writes it, in steps of two seconds. */
function timeOf(date: Date): number {
  return (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
}
