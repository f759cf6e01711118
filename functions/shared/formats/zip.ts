import { once } from 'node:events';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';

/** Looking through a ZIP file that may be damaged or meant to do harm. */

export interface ZipLimits {
  entries: number;
  /** Bytes of all entries, unpacked. */
  totalBytes: number;
  /** Unpacked to packed, once the whole is larger than `ratioFloorBytes`: markup compresses well, bombs better. */
  ratio: number;
  ratioFloorBytes: number;
  /** Bytes of one entry whose content is wanted. */
  wantedBytes: number;
}

/** Far above any office file somebody made, and unpacked in about a second. */
export const OFFICE_ZIP_LIMITS: Readonly<ZipLimits> = Object.freeze({
  entries: 10_000,
  totalBytes: 256 * 1024 * 1024,
  ratio: 200,
  ratioFloorBytes: 32 * 1024 * 1024,
  wantedBytes: 8 * 1024 * 1024,
});

/** Why a ZIP file cannot be used. `message` is the end of a sentence: "the file … ". */
export class ZipFault extends Error {
  override readonly name = 'ZipFault';
  readonly kind: 'damaged' | 'encrypted';

  constructor(kind: 'damaged' | 'encrypted', message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

export interface ZipContent {
  names: ReadonlySet<string>;
  /** The entries that were wanted. */
  wanted: ReadonlyMap<string, Buffer>;
}

/**
 * Reads every entry of a ZIP file once, checking that it unpacks to the size and checksum its directory states, and
 * keeps those that are wanted.
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
    const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
    let total = 0;
    for await (const entry of zip.eachEntry()) {
      total += entry.uncompressedSize;
      checkLimits(entry, names, total, bytes.length, limits);
      names.add(entry.fileName);
      const content = await readEntry(zip, entry, isWanted(entry.fileName) ? limits.wantedBytes : 0);
      if (content) wanted.set(entry.fileName, content);
    }
  } catch (error) {
    if (error instanceof ZipFault) throw error;
    // yauzl and zlib say what is wrong in words of the format, which help whoever made the file.
    const detail = error instanceof Error ? error.message.replace(/\.$/, '') : 'unknown fault';
    throw new ZipFault('damaged', `cannot be unpacked: ${detail}`, { cause: error });
  }
  return { names, wanted };
}

function checkLimits(
  entry: yauzl.Entry,
  names: ReadonlySet<string>,
  total: number,
  packed: number,
  limits: ZipLimits,
): void {
  if (entry.isEncrypted()) throw new ZipFault('encrypted', 'is password-protected');
  // Readers differ in which of the two they take.
  if (names.has(entry.fileName)) throw new ZipFault('damaged', `holds ${entry.fileName} twice`);
  if (names.size >= limits.entries) throw new ZipFault('damaged', `holds more than ${limits.entries} parts`);
  if (total > limits.totalBytes) {
    throw new ZipFault('damaged', `unpacks to more than ${limits.totalBytes / 1024 / 1024} MB`);
  }
  if (total > limits.ratioFloorBytes && total > packed * limits.ratio) {
    throw new ZipFault('damaged', `unpacks to more than ${limits.ratio} times its size`);
  }
}

/** @returns the entry's content when it is to be kept; null otherwise */
async function readEntry(zip: yauzl.ZipFile, entry: yauzl.Entry, keepUpTo: number): Promise<Buffer | null> {
  if (entry.fileName.endsWith('/')) return null;
  const keep = keepUpTo > 0;
  if (keep && entry.uncompressedSize > keepUpTo) {
    throw new ZipFault('damaged', `holds a ${entry.fileName} of more than ${keepUpTo / 1024 / 1024} MB`);
  }
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  let checksum = 0;
  stream.on('data', (chunk: Buffer) => {
    checksum = crc32(chunk, checksum);
    if (keep) chunks.push(chunk);
  });
  await once(stream, 'end');
  if (checksum !== entry.crc32) throw new ZipFault('damaged', `holds a damaged part: ${entry.fileName}`);
  return keep ? Buffer.concat(chunks) : null;
}
