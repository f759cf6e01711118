import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from '@platen/core/archive';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Client } from '../../packages/cli/src/client.ts';
import { pull } from '../../packages/cli/src/commands/repository.ts';

/** `platen pull` from a service that has, or pretends to have, files of any name (docs/repository.md). */

interface Stored {
  partials: Record<string, string>;
  /** Files of the template `letter`, besides `letter.html`. */
  files: Record<string, string>;
}

const root = mkdtempSync(path.join(tmpdir(), 'platen-pull-'));
let stored: Stored;
let [folder, outside, url] = ['', '', ''];

const server = createServer((request, response) => {
  const address = new URL(request.url ?? '', 'http://service');
  answer(decodeURIComponent(address.pathname)).then(
    (body) => response.end(body),
    (error: unknown) => response.destroy(error as Error),
  );
});

async function answer(address: string): Promise<string | Buffer> {
  const partials = Object.entries(stored.partials).map(([name, text]) => ({
    name,
    hash: createHash('sha256').update(text).digest('hex'),
  }));
  const versions = { version: 1, published_version: 1, latest_version: 1 };
  const template = { id: 't1', name: 'letter', ...versions, partials: [], samples: [] };
  if (address === '/v1/token') return JSON.stringify({ tenant: 'acme' });
  if (address === '/v1/template') return JSON.stringify([template]);
  if (address === '/v1/template/t1') return JSON.stringify(template);
  if (address === '/v1/partials') return JSON.stringify(partials);
  if (address === '/v1/export') return await exported();
  return stored.partials[address.slice('/v1/partials/'.length)] ?? '';
}

async function exported(): Promise<Buffer> {
  const body = new PassThrough();
  const content = buffer(body);
  const zip = new ZipFile(body);
  const manifest = JSON.stringify({ name: 'letter', format: 'html', file: 'letter.html' });
  const files = { 'template.json': manifest, 'letter.html': 'Dear', ...stored.files };
  for (const [name, text] of Object.entries(files))
    await zip.add(`templates/letter/${name}`, Buffer.from(text), false);
  await zip.finish();
  return await content;
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  const base = mkdtempSync(path.join(root, 'x-'));
  [folder, outside] = [path.join(base, 'repository'), path.join(base, 'outside')];
  for (const name of [folder, outside]) mkdirSync(name);
  writeFileSync(path.join(outside, 'a.html'), 'before');
  stored = { partials: {}, files: {} };
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});

/** @returns what was printed and said, and the files of the repository besides the lock file */
async function pulled(...args: string[]): Promise<{ out: string; said: string; files: string[] }> {
  const [out, said]: [string[], string[]] = [[], []];
  await pull
    .run([...args, '--dir', folder], {
      client: new Client({ url, token: 't' }, () => {}),
      print: (text) => void out.push(text),
      say: (text) => void said.push(text),
      signal: new AbortController().signal,
    })
    .catch((error: unknown) => void said.push((error as Error).message));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'platen.lock.json')
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return { out: out.join('\n'), said: said.join('\n'), files: files.sort() };
}

const LETTER = ['templates/letter/letter.html', 'templates/letter/template.json'];

it('partials whose names a program reads, or that are other files on some systems, are listed and not written', async () => {
  stored.partials = {
    '.git/config': '[core]\n\tfsmonitor = "touch pwned"\n',
    'letters/.GIT/config': 'x',
    'letters/.g\u200cit/config': 'x',
    'git~1/config': 'x',
    'CON.html': 'x',
    'a.html:stream': 'x',
    'C:/x.html': 'x',
    '..\\x.html': 'x',
    '../../outside/a.html': 'x',
    'x.html.': 'x',
    'x\u001b[2J.html': 'x',
    [`${'y'.repeat(300)}.html`]: 'x',
    'letters/head.html': 'Head',
  };
  const { out, said, files } = await pulled();
  expect(out).toBe('partials/letters/head.html: written\nletter: version 1');
  expect(files).toEqual(['partials/letters/head.html', ...LETTER]);
  expect(said.split('\n')).toHaveLength(Object.keys(stored.partials).length);
  expect(said).toContain(
    '"partials/.git/config" is not written, because the segment ".git" begins with a dot.',
  );
  expect(said).toContain('because the segment "a.html:stream" contains :.');
  expect(said).toContain('"partials/x<U+001B>[2J.html" is not written');
  expect(said).toMatch(/12 not pulled\.$/);
  expect(readFileSync(path.join(outside, 'a.html'), 'utf8')).toBe('before');
});

it('of partials that are one file on macOS and Windows, one is written and the others are named', async () => {
  stored.partials = {
    'Head.html': 'one',
    'head.html': 'two',
    'B\u00fcro.html': 'three',
    'Bu\u0308ro.html': 'four',
  };
  const { said, files } = await pulled();
  expect(files).toEqual(['partials/B\u00fcro.html', 'partials/Head.html', ...LETTER]);
  expect(said).toContain(
    '"partials/head.html" is not written, because it is the same file as "partials/Head.html" on macOS and Windows.',
  );
  // The same again: nothing is replaced by the other one.
  await pulled('--force');
  expect(readFileSync(path.join(folder, 'partials/Head.html'), 'utf8')).toBe('one');
});

it('a file of the repository is not replaced by a partial of the service that is the same file elsewhere', async () => {
  mkdirSync(path.join(folder, 'partials'));
  writeFileSync(path.join(folder, 'partials/mine.html'), 'mine');
  stored.partials = { 'Mine.html': 'theirs' };
  const { said, files } = await pulled();
  expect(files).toEqual(['partials/mine.html', ...LETTER]);
  expect(said).toContain('the same file as "partials/mine.html"');
});

it.each<[string, Record<string, string>, string]>([
  ['hidden', { '.git/config': 'x' }, 'begins with a dot'],
  ['the manifest under another spelling', { 'Template.JSON': '{}' }, 'is the same file as'],
  ['a device', { 'samples/nul.json': '{}' }, 'is a device on Windows'],
  ['two spellings of one sample', { 'samples/a.json': '{}', 'samples/A.json': '{}' }, 'is the same file as'],
])('nothing of a template is written that has a file which is %s', async (_, extra, why) => {
  stored.files = extra;
  const { said, files } = await pulled();
  expect(files).toEqual([]);
  expect(said).toMatch(/^letter: not pulled: /);
  expect(said).toContain(why);
});

it.each(['partials', 'partials/letters', 'partials/letters/a.html', 'templates'])(
  'nothing is written through %s, which is a link',
  async (link) => {
    stored.partials = { 'letters/a.html': 'after' };
    stored.files = { 'letters/a.html': 'after', 'a.html': 'after' };
    mkdirSync(path.dirname(path.join(folder, link)), { recursive: true });
    symlinkSync(link.endsWith('.html') ? path.join(outside, 'a.html') : outside, path.join(folder, link));
    const { said } = await pulled('--force');
    expect(said).toMatch(/is a link/);
    expect(readdirSync(outside, { recursive: true })).toEqual(['a.html']);
    expect(readFileSync(path.join(outside, 'a.html'), 'utf8')).toBe('before');
  },
);

it('a link to another file of the template is not written through, nor replaced', async () => {
  await pulled();
  const at = path.join(folder, 'templates/letter');
  writeFileSync(path.join(at, 'other.html'), 'Dear');
  rmSync(path.join(at, 'letter.html'));
  symlinkSync('other.html', path.join(at, 'letter.html'));
  stored.files = { 'letter.html': 'Dear all' };
  const { said } = await pulled('--force');
  expect(said).toContain('"templates/letter/letter.html" is a link');
  expect(readFileSync(path.join(at, 'other.html'), 'utf8')).toBe('Dear');
  expect(lstatSync(path.join(at, 'letter.html')).isSymbolicLink()).toBe(true);
});

it.each<[string, string, string]>([
  ['behind a link', 'images/a.html', 'is a link'],
  ['above its folder, as the lock file names it', '../../../outside/a.html', 'begins with a dot'],
])('no file is removed that is %s', async (_, file, why) => {
  await pulled();
  symlinkSync(outside, path.join(folder, 'templates/letter/images'));
  const lock = path.join(folder, 'platen.lock.json');
  const files = JSON.stringify({ [file]: { id: 'f1', hash: 'x' } });
  writeFileSync(lock, readFileSync(lock, 'utf8').replace('"files": {}', `"files": ${files}`));
  expect(readFileSync(lock, 'utf8')).toContain(file);
  stored.files = { 'letter.html': 'Dear all' };
  const { said } = await pulled('--force');
  expect(said).toContain(why);
  expect(readFileSync(path.join(outside, 'a.html'), 'utf8')).toBe('before');
  expect(readFileSync(path.join(folder, 'templates/letter/letter.html'), 'utf8')).toBe('Dear');
});
