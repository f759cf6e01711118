import { once } from 'node:events';
import { crc32, inflateRawSync } from 'node:zlib';
import type yauzl from 'yauzl';

/** Reads a ZIP file that may be damaged or malicious. */

export interface ZipLimits {
  entries: number;
  /** Unpacked bytes of all entries together. */
  totalBytes: number;
  /**
   * Maximum ratio of unpacked to packed size, checked once the total exceeds `ratioFloorBytes`: markup
   * compresses well, ZIP bombs better.
   */
  ratio: number;
  ratioFloorBytes: number;
  /** Bytes of one entry whose content is requested. */
  wantedBytes: number;
}

/** Limits far above any real office file, whose content unpacks in about a second. */
export const OFFICE_ZIP_LIMITS: Readonly<ZipLimits> = Object.freeze({
  entries: 10_000,
  totalBytes: 256 * 1024 * 1024,
  ratio: 200,
  ratioFloorBytes: 32 * 1024 * 1024,
  wantedBytes: 8 * 1024 * 1024,
});

/** The reason why a ZIP file cannot be used. `message` is the end of a sentence: "the file … ". */
export class ZipFault extends Error {
  override readonly name = 'ZipFault';
  readonly kind: 'damaged' | 'encrypted';

  constructor(kind: 'damaged' | 'encrypted', message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

/** Compression methods (APPNOTE 4.4.5). */
const STORED = 0;
const DEFLATED = 8;
/**
 * Maximum bytes of an entry that is unpacked synchronously, which blocks the thread for a millisecond or two.
 */
const AT_ONCE_BYTES = 512 * 1024;

export interface ZipContent {
  names: ReadonlySet<string>;
  /** The requested entries that the file contains. */
  wanted: ReadonlyMap<string, Buffer>;
}

/**
 * Reads every entry of a ZIP file once, checks that it unpacks to the size and checksum in its directory, and
 * returns the requested entries.
 *
 * @throws ZipFault
 */
export async function readZip(
  bytes: Buffer,
  isWanted: (name: string) => boolean,
  limits: ZipLimits = OFFICE_ZIP_LIMITS,
): Promise<ZipContent> {
  const names = new Set<string>();
  const wanted = new Map<string, Buffer>();
  try {
    // Imported on first use: many requests read no ZIP, and the import would delay the start of a function.
    const { default: library } = await import('yauzl');
    const zip = await library.fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
    let total = 0;
    for await (const entry of zip.eachEntry()) {
      total += entry.uncompressedSize;
      const name = partName(entry.fileName);
      checkLimits(entry, name, names, total, bytes.length, limits);
      names.add(name);
      if (name.endsWith('/')) continue;
      const isKept = isWanted(name);
      if (isKept && entry.uncompressedSize > limits.wantedBytes) {
        const most = `${limits.wantedBytes / 1024 / 1024} MB`;
        throw new ZipFault('damaged', `holds a ${entry.fileName} of more than ${most}`);
      }
      const content =
        entry.uncompressedSize <= AT_ONCE_BYTES
          ? await readAtOnce(zip, entry, bytes)
          : await readStreamed(zip, entry, isKept);
      if (isKept) wanted.set(name, content);
    }
  } catch (error) {
    if (error instanceof ZipFault) throw error;
    // The messages of yauzl and zlib use terms of the format, which help the author of the file.
    const detail = error instanceof Error ? error.message.replace(/\.$/, '') : 'unknown fault';
    throw new ZipFault('damaged', `cannot be unpacked: ${detail}`, { cause: error });
  }
  return { names, wanted };
}

/**
 * Returns the name of an entry. The one that states what an office file is has the same name in any case
 * (ECMA-376 part 2, 6.2.2.3), but LibreOffice only finds it as it is usually written.
 */
function partName(name: string): string {
  return name.toLowerCase() === '[content_types].xml' ? '[Content_Types].xml' : name;
}

function checkLimits(
  entry: yauzl.Entry,
  name: string,
  names: ReadonlySet<string>,
  total: number,
  packed: number,
  limits: ZipLimits,
): void {
  if (entry.isEncrypted()) throw new ZipFault('encrypted', 'is password-protected');
  // Readers differ in which of two entries with the same name they use.
  if (names.has(name)) throw new ZipFault('damaged', `holds ${name} twice`);
  if (names.size >= limits.entries) throw new ZipFault('damaged', `holds more than ${limits.entries} parts`);
  if (total > limits.totalBytes) {
    throw new ZipFault('damaged', `unpacks to more than ${limits.totalBytes / 1024 / 1024} MB`);
  }
  if (total > limits.ratioFloorBytes && total > packed * limits.ratio) {
    throw new ZipFault('damaged', `unpacks to more than ${limits.ratio} times its size`);
  }
}

/**
 * Reads a small entry without a stream: most entries of an office file are small, and a stream costs several
 * times as much as the unpacking.
 */
async function readAtOnce(zip: yauzl.ZipFile, entry: yauzl.Entry, bytes: Buffer): Promise<Buffer> {
  const { uncompressedSize, compressedSize, compressionMethod, fileName } = entry;
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = bytes.subarray(fileDataStart, fileDataStart + compressedSize);
  let content = packed;
  if (compressionMethod === DEFLATED) content = unpack(packed, uncompressedSize);
  else if (compressionMethod !== STORED) {
    throw new Error(`unsupported compression method: ${compressionMethod}`);
  }
  if (content.length !== uncompressedSize) {
    throw new Error(`${fileName} does not have the ${uncompressedSize} bytes it should have`);
  }
  checkSum(entry, crc32(content));
  return content;
}

/** @returns the content; a longer buffer when there is more content than the directory states */
function unpack(packed: Buffer, length: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: length + 1 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    return Buffer.alloc(length + 1);
  }
}

/** @returns the entry's content when `isKept`; otherwise an empty buffer */
async function readStreamed(zip: yauzl.ZipFile, entry: yauzl.Entry, isKept: boolean): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  let checksum = 0;
  stream.on('data', (chunk: Buffer) => {
    checksum = crc32(chunk, checksum);
    if (isKept) chunks.push(chunk);
  });
  await once(stream, 'end');
  checkSum(entry, checksum);
  return Buffer.concat(chunks);
}

function checkSum(entry: yauzl.Entry, checksum: number): void {
  if (checksum !== entry.crc32) throw new ZipFault('damaged', `holds a damaged part: ${entry.fileName}`);
}
