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
import { PlatenDocument } from '@platen/client';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { Workspace } from '../src/files.ts';

/** The files that tools may write (I-57). */

const root = mkdtempSync(path.join(tmpdir(), 'platen-workspace-'));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'work-'));
  mkdirSync(path.join(folder, '.vscode'));
  symlinkSync(path.join(folder, '.vscode'), path.join(folder, 'settings'));
  mkdirSync(path.join(folder, 'letters'));
  symlinkSync('letters', path.join(folder, 'mail'));
  symlinkSync('../outside.pdf', path.join(folder, 'linked.pdf'));
  for (const name of ['package.json', 'Makefile', 'old.pdf', '.vscode/tasks.json'])
    writeFileSync(path.join(folder, name), 'before');
});
afterAll(() => rmSync(root, { recursive: true }));

function pdf(name = 'invoice.pdf'): PlatenDocument {
  const headers = { 'content-disposition': `attachment; filename="${name}"` };
  return new PlatenDocument(new Response('after', { headers }));
}

it.each([
  '.vscode/tasks.json',
  '.vscode/new.pdf',
  'settings/new.pdf',
  'settings/tasks.json',
  '.new.pdf',
  'package.json',
  'Makefile',
  'mail/new.pdf',
  'linked.pdf',
  'CON.pdf',
  'new.pdf:stream',
  'GIT~1/new.pdf',
  'letters\\new.pdf',
  'new.pdf.',
  'letters/../.new.pdf',
])('does not write %s', async (name) => {
  const before = readdirSync(folder, { recursive: true });
  const workspace = await Workspace.open(folder);
  await expect(workspace.save(pdf(), name)).rejects.toThrow(
    /begins with a dot|is a link|is a device|contains|short name|ends with|not replaced/,
  );
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
  for (const kept of ['package.json', 'Makefile', '.vscode/tasks.json'])
    expect(readFileSync(path.join(folder, kept), 'utf8')).toBe('before');
});

it.each([undefined, 'old.pdf', 'OLD.PDF', 'new.txt', 'new', 'letters/Brief 2 名前.pdf'])(
  'writes %s',
  async (name) => {
    const workspace = await Workspace.open(folder);
    const saved = await workspace.save(pdf(), name);
    expect(path.relative(folder, saved)).toBe(name ?? 'invoice.pdf');
    expect(readFileSync(saved, 'utf8')).toBe('after');
  },
);
