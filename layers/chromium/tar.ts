/** A file inside a tar archive. */
export interface TarEntry {
  name: string;
  bytes: Buffer;
}

/**
 * Returns the regular files of an uncompressed ustar archive (POSIX.1-1988, 512-byte records), in order. It does
 * not support long names, which these archives do not contain.
 */
export function* readTar(archive: Buffer): Generator<TarEntry> {
  for (let offset = 0; offset + 512 <= archive.length;) {
    const header = archive.subarray(offset, offset + 512);
    const name = text(header, 0, 100);
    if (name === '') return;
    const size = Number.parseInt(text(header, 124, 12), 8);
    if (!Number.isInteger(size)) throw new Error(`tar: unreadable size of ${name}`);
    const type = text(header, 156, 1);
    if (type === '' || type === '0')
      yield { name, bytes: archive.subarray(offset + 512, offset + 512 + size) };
    offset += 512 + Math.ceil(size / 512) * 512;
  }
}

function text(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end === -1 ? length : end).trim();
}
