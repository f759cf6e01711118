import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { coresFor, memoryLimit, memoryUse } from '../../packages/core/src/machine.ts';

const MB = 1024 * 1024;
/** What version 1 has for no limit. */
const NONE = '9223372036854771712';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'platen-groups-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Control groups as the kernel shows them. @param files contents by the paths of files below the root */
function groups(own: string, files: Readonly<Record<string, string>>) {
  const found = { root: path.join(folder, 'root'), own: path.join(folder, 'own') };
  writeFileSync(found.own, own);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(found.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${text}\n`);
  }
  return found;
}

const bytes = (megabytes: number): string => String(megabytes * MB);

describe('a container', () => {
  test('with version 2, whose group is the root that it sees', () => {
    const files = groups('0::/\n', {
      'memory.max': bytes(2_048),
      'memory.current': bytes(900),
      'memory.stat': `anon ${bytes(500)}\nfile ${bytes(350)}\ninactive_file ${bytes(200)}\nactive_file ${bytes(100)}`,
      'cpu.max': '50000 100000',
    });
    expect(memoryUse(files)).toEqual({ used: 600 * MB, limit: 2_048 * MB });
    expect(memoryLimit(files)).toBe(2_048 * MB);
    expect(coresFor(files)).toBe(1);
  });

  test('with version 1, whose groups are the roots that it sees, although they have names', () => {
    const files = groups('9:memory:/docker/abc\n8:cpu,cpuacct:/docker/abc\n3:cpuset:/docker/abc\n', {
      'memory/memory.limit_in_bytes': bytes(1_024),
      'memory/memory.usage_in_bytes': bytes(700),
      // The numbers without `total_` are those of the group alone.
      'memory/memory.stat': `inactive_file 1\nactive_file 1\ntotal_inactive_file ${bytes(40)}\ntotal_active_file ${bytes(60)}`,
      'cpu/cpu.cfs_quota_us': '100000',
      'cpu/cpu.cfs_period_us': '100000',
    });
    expect(memoryUse(files)).toEqual({ used: 600 * MB, limit: 1_024 * MB });
    expect(coresFor(files)).toBe(1);
  });
});

describe('groups within groups', () => {
  test('are as full as the fullest of them', () => {
    const files = groups('0::/system.slice/platen.service\n', {
      'system.slice/memory.max': bytes(1_000),
      'system.slice/memory.current': bytes(950),
      'system.slice/platen.service/memory.max': bytes(800),
      'system.slice/platen.service/memory.current': bytes(100),
    });
    expect(memoryUse(files)).toEqual({ used: 950 * MB, limit: 1_000 * MB });
    expect(memoryLimit(files)).toBe(800 * MB);
  });

  test('have as many cores as the fewest of them', () => {
    const files = groups('0::/a/b\n', { 'a/cpu.max': '100000 100000', 'a/b/cpu.max': 'max 100000' });
    expect(coresFor(files)).toBe(1);
  });
});

test('a part of a core is a core, and each task has its part of the memory', () => {
  const cores = (cpu: string, memory: string): number =>
    coresFor(groups('0::/\n', { 'cpu.max': cpu, 'memory.max': memory }));
  expect(cores('110000 100000', 'max')).toBe(Math.min(2, availableParallelism()));
  expect(cores('max 100000', 'max')).toBe(availableParallelism());
  expect(cores('800000 100000', bytes(600))).toBe(1);
  expect(cores('800000 100000', bytes(100))).toBe(1);
});

test.each([
  ['version 2', '0::/\n', { 'memory.max': 'max', 'memory.current': bytes(1) }],
  [
    'version 1',
    '4:memory:/\n',
    { 'memory/memory.limit_in_bytes': NONE, 'memory/memory.usage_in_bytes': bytes(1) },
  ],
  ['a system without groups', '', {}],
])('no limit in %s: the machine is the limit', (_what, own, files) => {
  const found = groups(own, files);
  expect(memoryUse(found)).toBeNull();
  expect(memoryLimit(found)).toBe(totalmem());
  expect(coresFor(found)).toBe(availableParallelism());
});
