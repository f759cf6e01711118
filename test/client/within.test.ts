import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeWithin, UnsafePath, writeWithin } from '@platen/client/within';
import { afterAll, beforeEach, expect, it } from 'vitest';

/** Files that clients write by names of others: never through a link, and never under a name that a program reads. */

const root = mkdtempSync(path.join(tmpdir(), 'platen-within-'));
let [folder, outside] = ['', ''];
const bytes = new Uint8Array(Buffer.from('after'));

beforeEach(() => {
  const base = mkdtempSync(path.join(root, 'x-'));
  [folder, outside] = [path.join(base, 'folder'), path.join(base, 'outside')];
  for (const name of [folder, outside, path.join(folder, 'inner')]) mkdirSync(name);
  for (const name of [path.join(outside, 'a.txt'), path.join(folder, 'inner/a.txt')])
    writeFileSync(name, 'before');
  symlinkSync('../outside', path.join(folder, 'away'));
  symlinkSync('inner', path.join(folder, 'near'));
  symlinkSync('../outside/a.txt', path.join(folder, 'file.txt'));
  symlinkSync('../outside/new.txt', path.join(folder, 'dangling.txt'));
});
afterAll(() => rmSync(root, { recursive: true }));

it.each(['away/a.txt', 'away/new/a.txt', 'near/a.txt', 'file.txt', 'dangling.txt', 'file.txt/a'])(
  'nothing is written or removed at %s, which is a link or behind one',
  async (name) => {
    const before = readdirSync(path.dirname(folder), { recursive: true });
    await expect(writeWithin(folder, name, bytes)).rejects.toThrow(/is a link$/);
    await expect(removeWithin(folder, name)).rejects.toThrow(UnsafePath);
    expect(readdirSync(path.dirname(folder), { recursive: true })).toEqual(before);
    expect(readFileSync(path.join(outside, 'a.txt'), 'utf8')).toBe('before');
    expect(readFileSync(path.join(folder, 'inner/a.txt'), 'utf8')).toBe('before');
  },
);

it.each([
  '../outside/a.txt',
  '/etc/x',
  '',
  'a//b',
  '.git/config',
  'inner/.git',
  'CON',
  'a:b',
  'a\\b',
  'inner',
  'inner/a.txt/b',
])('nothing is written or removed at %j', async (name) => {
  const before = readdirSync(path.dirname(folder), { recursive: true });
  await expect(writeWithin(folder, name, bytes)).rejects.toThrow(UnsafePath);
  await expect(removeWithin(folder, name)).rejects.toThrow(UnsafePath);
  expect(readdirSync(path.dirname(folder), { recursive: true })).toEqual(before);
});

it('a file is written and replaced with its folders, also one whose name is as long as can be, and removed', async () => {
  const long = `new/${'x'.repeat(255)}`;
  for (const name of ['inner/a.txt', 'new/deep/b.txt', long]) {
    expect(readFileSync(await writeWithin(folder, name, bytes), 'utf8')).toBe('after');
    await removeWithin(folder, name);
  }
  expect(readdirSync(path.join(folder, 'new'), { recursive: true })).toEqual(['deep']);
  await removeWithin(folder, 'nothing/here.txt');
});

it('a folder that the user chose may be a link itself', async () => {
  const chosen = path.join(folder, 'near');
  await writeWithin(chosen, 'b.txt', bytes);
  expect(readFileSync(path.join(folder, 'inner/b.txt'), 'utf8')).toBe('after');
});
