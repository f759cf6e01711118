import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  directoryHeader,
  endRecords,
  localHeader,
  STORED,
  zipEntry,
  type ZipFacts,
} from '@platen/core/zip-records';

/**
 * ZIP files beyond the limits of the format without ZIP64 (PKWARE APPNOTE 4.4.1.4), read by Python's zipfile and
 * Info-ZIP: an entry of more than 4 GB, entries behind it, and more than 65,535 of them. The file is sparse.
 */

const folder = mkdtempSync(join(tmpdir(), 'platen-zip64-'));
const path = join(folder, 'large.zip');
const MODIFIED = new Date('2026-11-21T12:34:56Z');
const LARGE = 2 ** 32 + 1_000;
const SMALL = 70_000;
const text = (n: number): Buffer => Buffer.from(`entry ${n}`);

beforeAll(() => {
  const file = openSync(path, 'w');
  // Nobody reads it to its end, so that its checksum is not compared.
  const large: ZipFacts = { name: 'large', method: STORED, checksum: 0, packed: LARGE, unpacked: LARGE };
  const header = localHeader(large, MODIFIED);
  writeSync(file, header, 0, header.length, 0);
  let offset = header.length + LARGE;
  ftruncateSync(file, offset);
  const directory = [directoryHeader(large, 0, MODIFIED)];
  const entries = Array.from({ length: SMALL }, (_, n) => {
    const { facts, content } = zipEntry(`${n}.txt`, text(n), false);
    const bytes = Buffer.concat([localHeader(facts, MODIFIED), content]);
    directory.push(directoryHeader(facts, offset, MODIFIED));
    offset += bytes.length;
    return bytes;
  });
  const headers = Buffer.concat(directory);
  const end = endRecords(SMALL + 1, headers.length, offset);
  const rest = Buffer.concat([...entries, headers, end]);
  writeSync(file, rest, 0, rest.length, header.length + LARGE);
  closeSync(file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: 'pipe' }).trim();

describe('a file with ZIP64', () => {
  test('is read by Python', () => {
    const program = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as file:
    infos = file.infolist()
    last = infos[-1]
    print(len(infos), infos[0].file_size, last.filename, last.date_time, file.read(last).decode())
`;
    expect(run('/usr/bin/python3', '-c', program, path)).toBe(
      `${SMALL + 1} ${LARGE} 69999.txt (2026, 11, 21, 12, 34, 56) entry 69999`,
    );
  });

  test('is read by Info-ZIP, without a warning', () => {
    expect(run('unzip', '-tq', path, '69999.txt', '0.txt')).toBe(
      `No errors detected in ${path} for the 2 files tested.`,
    );
    expect(run('unzip', '-Z1', path).split('\n')).toHaveLength(SMALL + 1);
  });
});
