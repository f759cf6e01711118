import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readZip } from '@platen/core/zip';
import { type ZipEntry, zipFile } from '@platen/core/zip-file';

/** ZIP files as Platen writes them, read by Python's zipfile and by yauzl. */

const folder = mkdtempSync(join(tmpdir(), 'platen-zip-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENTRIES: readonly ZipEntry[] = [
  { path: 'mimetype', bytes: Buffer.from('application/vnd.oasis.opendocument.text'), compress: false },
  { path: 'word/document.xml', bytes: Buffer.from('<w:p/>'.repeat(10_000)), compress: true },
  { path: 'Bilder/Größe – 寸法.txt', bytes: Buffer.from('Größe'), compress: true },
  { path: 'empty', bytes: Buffer.alloc(0), compress: true },
];

/** For each entry: name, method of compression, size, checksum and date. */
const LIST = `
import sys, zipfile, binascii
with zipfile.ZipFile(sys.argv[1]) as file:
    assert file.testzip() is None
    for entry in file.infolist():
        assert binascii.crc32(file.read(entry)) == entry.CRC
        print(entry.filename, entry.compress_type, entry.file_size, '-'.join(map(str, entry.date_time[:3])))
`;

function listed(entries: readonly ZipEntry[]): string[] {
  const path = join(folder, 'written.zip');
  writeFileSync(path, zipFile(entries));
  const options = { encoding: 'utf8', env: { ...process.env, PYTHONIOENCODING: 'utf8' } } as const;
  return execFileSync('/usr/bin/python3', ['-c', LIST, path], options).trim().split('\n');
}

describe('a ZIP file', () => {
  test('has its entries in their order, compressed if that makes them smaller', () => {
    expect(listed(ENTRIES)).toEqual([
      'mimetype 0 39 1980-1-1',
      'word/document.xml 8 60000 1980-1-1',
      'Bilder/Größe – 寸法.txt 0 7 1980-1-1',
      'empty 0 0 1980-1-1',
    ]);
  });

  test('gives back the bytes that it was given', async () => {
    const { wanted } = await readZip(zipFile(ENTRIES), () => true);
    expect([...wanted]).toEqual(ENTRIES.map(({ path, bytes }) => [path, bytes]));
  });

  test('is the same for the same entries', () => {
    expect(zipFile(ENTRIES).equals(zipFile(ENTRIES))).toBe(true);
  });

  test('with more entries than the format can count is an error', () => {
    const bytes = Buffer.alloc(0);
    const many = Array.from({ length: 70_000 }, (_, n) => ({ path: String(n), bytes, compress: false }));
    expect(() => zipFile(many)).toThrow(RangeError);
  });
});
