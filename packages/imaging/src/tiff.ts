/** Reads TIFF and the camera raws based on it (TIFF 6.0, TIFF/EP, DNG 1.7). */

export interface TiffFacts {
  /** `Make` in upper case; an empty string when absent. */
  make: string;
  /** `Model` in upper case. */
  model: string;
  /** True when the file has a DNGVersion. */
  dng: boolean;
  /** True when one of its images is sensor data. */
  sensorData: boolean;
}

const TAG = { compression: 259, photometric: 262, make: 271, model: 272, subIfds: 330, dngVersion: 50706 };
const COLOUR_FILTER_ARRAY = 32803;
const LINEAR_RAW = 34892;
/** Compressions that only raws use: Sony ARW, packed raw, Nikon NEF. */
const RAW_COMPRESSIONS: ReadonlySet<number> = new Set([32767, 32769, 32770, 34713]);

/** A real file has a handful; a malicious one could contain cycles. */
const MAX_IFDS = 32;
const MAX_ENTRIES = 1000;
const ASCII = 2;
const SHORT = 3;

/**
 * Reads the entries of the image file directories that distinguish raws.
 *
 * @returns null when the bytes are not TIFF-like, or their first directory cannot be read
 */
export function tiffFacts(bytes: Uint8Array): TiffFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 16) return null;
  const order = view.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return null;
  const reader = new IfdReader(view, order === 0x4949);
  const queue = [reader.uint32(4)];
  const seen = new Set<number>();
  for (let offset = queue.shift(); offset !== undefined && seen.size < MAX_IFDS; offset = queue.shift()) {
    if (offset === null || offset === 0 || seen.has(offset)) continue;
    const next = reader.directory(offset);
    if (next === null) continue;
    seen.add(offset);
    queue.push(...next);
  }
  return seen.size === 0 ? null : reader.facts;
}

class IfdReader {
  readonly facts: TiffFacts = { make: '', model: '', dng: false, sensorData: false };
  private readonly view: DataView;
  private readonly littleEndian: boolean;

  constructor(view: DataView, littleEndian: boolean) {
    this.view = view;
    this.littleEndian = littleEndian;
  }

  uint32(at: number): number | null {
    return at + 4 <= this.view.byteLength ? this.view.getUint32(at, this.littleEndian) : null;
  }

  private uint16(at: number): number | null {
    return at + 2 <= this.view.byteLength ? this.view.getUint16(at, this.littleEndian) : null;
  }

  /**
   * Reads one directory. @returns the offsets of its sub-directories and the next one; null when it is
   * truncated
   */
  directory(offset: number): number[] | null {
    const count = this.uint16(offset);
    if (count === null || count === 0 || count > MAX_ENTRIES) return null;
    const links: number[] = [];
    for (let i = 0; i < count; i += 1) {
      const at = offset + 2 + 12 * i;
      if (at + 12 > this.view.byteLength) return null;
      this.entry(at, links);
    }
    const next = this.uint32(offset + 2 + 12 * count);
    return next === null || next === 0 ? links : [...links, next];
  }

  private entry(at: number, links: number[]): void {
    const tag = this.uint16(at);
    const value = this.number(at);
    if (tag === TAG.dngVersion) this.facts.dng = true;
    else if (tag === TAG.make) this.facts.make ||= this.text(at);
    else if (tag === TAG.model) this.facts.model ||= this.text(at);
    else if (tag === TAG.subIfds) links.push(...this.offsets(at));
    else if (tag === TAG.photometric && (value === COLOUR_FILTER_ARRAY || value === LINEAR_RAW)) {
      this.facts.sensorData = true;
    } else if (tag === TAG.compression && value !== null && RAW_COMPRESSIONS.has(value)) {
      this.facts.sensorData = true;
    }
  }

  private number(at: number): number | null {
    return this.uint16(at + 2) === SHORT ? this.uint16(at + 8) : this.uint32(at + 8);
  }

  private text(at: number): string {
    const length = this.uint32(at + 4) ?? 0;
    if (this.uint16(at + 2) !== ASCII || length > 256) return '';
    const start = length <= 4 ? at + 8 : (this.uint32(at + 8) ?? 0);
    if (start + length > this.view.byteLength) return '';
    const bytes = Buffer.from(this.view.buffer, this.view.byteOffset + start, length);
    return (bytes.toString('latin1').split('\0', 1)[0] ?? '').trim().toUpperCase();
  }

  private offsets(at: number): number[] {
    const count = Math.min(this.uint32(at + 4) ?? 0, MAX_IFDS);
    const start = this.uint32(at + 8);
    if (start === null) return [];
    if (count === 1) return [start];
    const offsets: number[] = [];
    for (let i = 0; i < count; i += 1) offsets.push(this.uint32(start + 4 * i) ?? 0);
    return offsets;
  }
}
