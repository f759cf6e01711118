import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { readConfig } from '../../functions/images/config.ts';
import { rawPreview } from '../../packages/imaging/src/dng.ts';
import { withMemoryLimit } from '../../packages/imaging/src/engines.ts';
import { isTruncated, tiffDirectories } from '../../packages/imaging/src/tiff-directory.ts';
import { pdfOf, sample, service } from './support.ts';

describe('a module with a memory limit', () => {
  /** One page of memory, no maximum; `grow(n)` grows it. */
  const MODULE = Uint8Array.from(
    [
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      [1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f],
      [3, 2, 1, 0],
      [5, 3, 1, 0, 1],
      [7, 8, 1, 4, 0x67, 0x72, 0x6f, 0x77, 0, 0],
      [10, 8, 1, 6, 0, 0x20, 0, 0x40, 0, 0x0b],
    ].flat(),
  );
  const grow = async (bytes: Uint8Array<ArrayBuffer>, pages: number): Promise<number> => {
    const instance = new WebAssembly.Instance(await WebAssembly.compile(bytes), {});
    return (instance.exports as { grow: (pages: number) => number }).grow(pages);
  };

  it('cannot take more, not even by its own instruction', async () => {
    expect(await grow(MODULE, 500)).toBe(1);
    const limited = withMemoryLimit(MODULE, 300 * 65_536);
    expect(await grow(limited, 299)).toBe(1);
    expect(await grow(limited, 300)).toBe(-1);
  });

  it('is refused if its initial memory is larger', () => {
    expect(() => withMemoryLimit(MODULE, 1000)).toThrow(/more memory/);
  });
});

describe('a DNG with lossy raw data', () => {
  it('is its largest preview, unchanged, with the orientation of the raw', async () => {
    const preview = await sharp(sample('rgb.jpg')).resize(300).jpeg().toBuffer();
    const small = await sharp(sample('rgb.jpg')).resize(30).jpeg().toBuffer();
    const dng = lossyDng(preview, small);
    expect(rawPreview(dng)?.equals(preview)).toBe(true);
    const pdf = pdfOf(await service().image(dng, 'lossy.dng'));
    expect(pdf.includes(preview)).toBe(true);
    // A raw whose data can be decoded is decoded.
    expect(rawPreview(sample('synth.dng'))).toBeNull();
  });

  /** IFD0 with a small preview, SubIFDs with the raw data (34892) and with a large preview. */
  function lossyDng(large: Buffer, small: Buffer): Buffer {
    const data = 1024;
    const directory = (entries: readonly (readonly [number, number, number, number])[]): Buffer => {
      const buffer = Buffer.alloc(2 + 12 * entries.length + 4);
      buffer.writeUInt16LE(entries.length);
      entries.forEach(([tag, type, count, value], i) => {
        buffer.writeUInt16LE(tag, 2 + 12 * i);
        buffer.writeUInt16LE(type, 4 + 12 * i);
        buffer.writeUInt32LE(count, 6 + 12 * i);
        buffer.writeUInt32LE(value, 10 + 12 * i);
      });
      return buffer;
    };
    const jpegAt = (width: number, offset: number, length: number) =>
      [
        [0x100, 4, 1, width],
        [0x103, 3, 1, 7],
        [0x106, 3, 1, 6],
        [0x111, 4, 1, offset],
        [0x117, 4, 1, length],
      ] as const;
    const file = Buffer.alloc(data + small.length + large.length + 16);
    file.write('II*\0', 'latin1');
    file.writeUInt32LE(8, 4);
    const [first, second] = [300, 500];
    directory([
      ...jpegAt(30, data, small.length),
      [0x112, 3, 1, 6],
      [0x14a, 4, 2, 200],
      [0xc612, 1, 4, 0x0401],
    ]).copy(file, 8);
    file.writeUInt32LE(first, 200);
    file.writeUInt32LE(second, 204);
    directory([
      [0x100, 4, 1, 4000],
      [0x103, 3, 1, 34892],
      [0x106, 3, 1, 34892],
    ]).copy(file, first);
    directory(jpegAt(300, data + small.length, large.length)).copy(file, second);
    small.copy(file, data);
    large.copy(file, data + small.length);
    return file;
  }
});

describe('TIFF directories', () => {
  it('are read to their end, also if they are circular or point outside of the file', () => {
    const loop = Buffer.alloc(64);
    loop.write('II*\0', 'latin1');
    loop.writeUInt32LE(8, 4);
    loop.writeUInt32LE(8, 10);
    expect(tiffDirectories(loop)).toHaveLength(1);
    expect(isTruncated(loop)).toBe(false);
    loop.writeUInt32LE(60_000, 10);
    expect(isTruncated(loop)).toBe(true);
    expect(tiffDirectories(Buffer.from('II'))).toEqual([]);
  });
});

describe('configuration', () => {
  const env = { PLATEN_TEMPLATES_TABLE: 't', PLATEN_FILES_BUCKET: 'b' };

  it('has defaults, and names a wrong variable', () => {
    expect(readConfig(env)).toMatchObject({ timeout: 60_000, convertFunction: null });
    expect(() => readConfig({ ...env, PLATEN_IMAGE_TIMEOUT_MS: 'soon' })).toThrow(/PLATEN_IMAGE_TIMEOUT_MS/);
    expect(() => readConfig({})).toThrow(/PLATEN_TEMPLATES_TABLE/);
  });
});
