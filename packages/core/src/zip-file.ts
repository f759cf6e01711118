import { directoryHeader, endRecords, localHeader, zipEntry } from './zip-records.ts';

/** Writes a ZIP file synchronously from parts that are in memory. */

/** One entry of the file. */
export interface ZipEntry {
  path: string;
  bytes: Uint8Array;
  /** Whether to compress the entry; if that does not make it smaller, it is stored uncompressed. */
  compress: boolean;
}

/** Maximum entries and bytes of a file without the extensions of ZIP64. */
const MAX_ENTRIES = 0xfffe;
const MAX_BYTES = 0xfffffffe;

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
  const pieces: Uint8Array[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes, compress } of entries) {
    const { facts, content } = zipEntry(path, bytes, compress);
    const head = localHeader(facts, null);
    directory.push(directoryHeader(facts, offset, null));
    pieces.push(head, content);
    offset += head.length + content.length;
    if (directory.length > MAX_ENTRIES || offset > MAX_BYTES) {
      throw new RangeError('The file is too large for a ZIP file.');
    }
  }
  const size = directory.reduce((sum, piece) => sum + piece.length, 0);
  return Buffer.concat([...pieces, ...directory, endRecords(directory.length, size, offset)]);
}
