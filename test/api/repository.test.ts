import { spawn } from 'node:child_process';
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
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Client } from '../../packages/cli/src/client.ts';
import { type Command, type Context, UsageError } from '../../packages/cli/src/command.ts';
import { diff, pull, push } from '../../packages/cli/src/commands/repository.ts';
import { templates } from '../../packages/cli/src/commands/templates.ts';
import type { Run } from '../cli/run.ts';
import { IS_LONG } from '../support/long.ts';
import { call, expectStatus, form, mint, pdfText } from './client.ts';

/** Templates of a tenant in a repository: `platen pull`, `push`, `diff` and `watch`. */

const { url } = inject('service');
const COUNT = IS_LONG ? 50 : 8;
/** Those that are changed. */
const SOME = 4;
const NAMES = Array.from({ length: COUNT }, (_, index) => `letter-${String(index).padStart(2, '0')}`);

let token = '';
/** Of two people, who both have the repository. */
let [mine, theirs] = ['', ''];

beforeAll(async () => {
  token = await mint('--tenant', 'repository');
  [mine, theirs] = [
    mkdtempSync(path.join(tmpdir(), 'platen-mine-')),
    mkdtempSync(path.join(tmpdir(), 'platen-theirs-')),
  ];
  for (const [index, name] of NAMES.entries()) {
    put(mine, `templates/${name}/template.json`, JSON.stringify(fieldsOf(name, index)));
    put(
      mine,
      `templates/${name}/letter.html`,
      `{% include "head.html" %}\n<p>Dear {{ name }}</p>\n<p>${name} one</p>\n`,
    );
    put(mine, `templates/${name}/css/print.css`, 'p { color: #333 }\n');
    put(mine, `templates/${name}/samples/ada.json`, '{"name": "Ada"}');
  }
  put(mine, 'templates/letter-00/logo.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  put(mine, 'partials/head.html', '<h1>Head</h1>\n');
});
afterAll(() => [mine, theirs].forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function fieldsOf(name: string, index: number): object {
  const images = index === 0 ? { images: [{ file: 'logo.svg', uri: 'logo' }] } : {};
  return {
    format: 'html',
    name,
    paper_format: 'A5',
    file: 'letter.html',
    styles: [{ file: 'css/print.css' }],
    ...images,
  };
}

function put(root: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

const got = (root: string, file: string): string => readFileSync(path.join(root, file), 'utf8');

function change(root: string, file: string, from: string, to: string): void {
  const text = got(root, file);
  expect(text).toContain(from);
  put(root, file, text.replace(from, to));
}

const COMMANDS: Readonly<Record<string, Command>> = { pull, push, diff, templates };

/** Runs a command as the program does, without the time that a process takes to begin. */
async function run(dir: string, name: string, ...args: string[]): Promise<Run> {
  const [out, said]: [string[], string[]] = [[], []];
  const context: Context = {
    client: new Client({ url, token }, () => {}),
    print: (text) => void out.push(text),
    say: (text) => void said.push(text),
    signal: new AbortController().signal,
  };
  let code = 0;
  try {
    await COMMANDS[name]?.run(name === 'templates' ? args : [...args, '--dir', dir], context);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    code = error instanceof UsageError ? 2 : 1;
    said.push(`platen: ${error.message}`);
  }
  const joined = (lines: string[]): string => lines.map((line) => `${line}\n`).join('');
  return { code, stdout: joined(out), stderr: joined(said) };
}

/** The lines that a command prints, where it does all it is asked for. */
async function lines(dir: string, name: string, ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(dir, name, ...args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

async function html(folder: string): Promise<string> {
  const { services } = JSON.parse(got(mine, 'platen.lock.json')) as {
    services: Record<string, { templates: Record<string, { id: string }> }>;
  };
  const id = Object.values(services)[0]?.templates[folder]?.id ?? '';
  const body = form({ render_data: '{"name": "Ada"}' });
  const answer = await call('POST', `/v1/render/html/${id}`, { body, headers: { authorization: token } });
  return expectStatus(answer, 200).bytes.toString();
}

it('a repository of templates is pushed, and unchanged templates are not pushed again', async () => {
  const pushed = await lines(mine, 'push');
  expect(pushed).toEqual([
    'partials/head.html: changed',
    ...NAMES.map((name) => `${name}: added, version 1`),
  ]);
  expect(await lines(mine, 'push')).toEqual([]);
  expect(await html('letter-07')).toMatch(/color: #333[^]*<h1>Head<\/h1>\s*<p>Dear Ada<\/p>/);
});

it('is the same in a pulled copy as in the pushed one', async () => {
  expect(await lines(theirs, 'pull')).toHaveLength(COUNT + 1);
  for (const name of NAMES) {
    expect(readdirSync(path.join(theirs, 'templates', name)).sort()).toEqual(
      expect.arrayContaining(['letter.html', 'samples', 'styles', 'template.json']),
    );
    expect(got(theirs, `templates/${name}/letter.html`)).toBe(got(mine, `templates/${name}/letter.html`));
    expect(got(theirs, `templates/${name}/samples/ada.json`)).toBe('{"name": "Ada"}');
  }
  expect(got(theirs, 'partials/head.html')).toBe('<h1>Head</h1>\n');
  expect(await lines(theirs, 'pull')).toEqual([]);
  expect(await lines(theirs, 'push')).toEqual([]);
});

it('is changed, diffed and pushed, with one version of each, and does not overwrite changes of others', async () => {
  for (const name of NAMES.slice(0, SOME)) change(mine, `templates/${name}/letter.html`, 'one', 'two');
  change(mine, 'templates/letter-03/template.json', 'A5', 'A4');
  put(mine, 'templates/letter-00/css/screen.css', 'p { margin: 0 }\n');
  change(
    mine,
    'templates/letter-00/template.json',
    '"css/print.css"}',
    '"css/print.css"},{"file":"css/screen.css"}',
  );
  const shown = (await run(mine, 'diff', '--exit-code')).stdout;
  expect(shown.match(/^-<p>letter-0\d one<\/p>\n\+<p>letter-0\d two<\/p>$/gm)).toHaveLength(SOME);
  expect(shown).toMatch(/^-  "paper_format": "A5",?\n\+  "paper_format": "A4",?$/m);
  expect(shown).toMatch(/^\+\+\+ repository\/templates\/letter-00\/css\/screen\.css$/m);
  expect(await lines(mine, 'push', '--note', 'Second')).toEqual(
    NAMES.slice(0, SOME).map((name) => `${name}: changed, version 2`),
  );
  expect(await lines(mine, 'diff')).toEqual([]);
  expect(await html('letter-00')).toMatch(/letter-00 two/);

  // Another one, who has not pulled, has changed two of them as well.
  change(theirs, 'templates/letter-03/letter.html', 'one', 'three');
  change(theirs, 'templates/letter-05/letter.html', 'one', 'three');
  const refused = await run(theirs, 'push');
  expect([refused.code, refused.stdout]).toEqual([1, 'letter-05: changed, version 2\n']);
  expect(refused.stderr.match(/^letter-\d\d: changed on the service, and not here/gm)).toHaveLength(SOME - 1);
  expect(refused.stderr).toMatch(/^letter-03: the service has another version[^]*\nplaten: 1 not pushed\.$/m);
  expect(await html('letter-03')).toMatch(/letter-03 two/);
  const kept = await run(theirs, 'pull');
  expect(kept.stderr).toMatch(/^letter-03: changed here and on the service/m);
  expect(kept.stdout.match(/^letter-0\d: version 2$/gm)).toHaveLength(SOME - 1);
  expect(await lines(theirs, 'pull', 'letter-03', '--force')).toEqual(['letter-03: version 2']);
  expect(got(theirs, 'templates/letter-03/letter.html')).toContain('letter-03 two');
});

it('a changed partial gives the templates that use it a new version, and a faulty one gives none', async () => {
  put(mine, 'partials/head.html', '{% if %}');
  const faulty = await run(mine, 'push');
  expect([faulty.code, faulty.stderr]).toEqual([
    1,
    expect.stringMatching(/^partials\/head\.html: .*line 1/) as string,
  ]);
  put(mine, 'partials/head.html', '<h2>New</h2>\n');
  const { code, stdout, stderr } = await run(mine, 'push');
  expect([code, stderr]).toEqual([0, 'letter-05: changed on the service, and not here. Pull it.\n']);
  expect(stdout).toMatch(/^partials\/head\.html: changed$/m);
  expect(stdout.match(/: changed, version \d$/gm)).toHaveLength(COUNT - 1);
  expect(await html('letter-07')).toContain('<h2>New</h2>');
}, 60_000);

it('is rolled back: completely from files, or one template by its version', async () => {
  await run(theirs, 'pull', '--force');
  for (const name of NAMES.slice(0, SOME)) {
    expect(await lines(theirs, 'pull', name, '--version', '1')).toEqual([`${name}: version 1`]);
  }
  const back = await lines(theirs, 'push');
  expect(back).toEqual(NAMES.slice(0, SOME).map((name) => `${name}: changed, version 4`));
  expect(await html('letter-00')).toContain('letter-00 one');
  expect(await html('letter-00')).not.toContain('screen');
  const { id } = (
    JSON.parse((await run(mine, 'templates', '--json')).stdout) as { id: string; name: string }[]
  ).find(({ name }) => name === 'letter-02') ?? { id: '' };
  expect(await lines(mine, 'templates', 'publish', id, '2')).toEqual(['version 2 is published']);
  expect(await html('letter-02')).toContain('letter-02 two');
  expect((await lines(mine, 'templates', 'versions', id)).filter((line) => line.includes('*'))).toEqual([
    expect.stringMatching(/^ {3}2 {2}\* .*Second$/),
  ]);
}, 60_000);

it('no name and no link leads out of a folder', async () => {
  put(mine, 'secret.txt', 'secret');
  for (const file of ['../../secret.txt', 'link.html']) {
    put(mine, 'templates/evil/template.json', JSON.stringify({ name: 'evil', format: 'html', file }));
    if (file === 'link.html') symlinkSync('../../secret.txt', path.join(mine, 'templates/evil/link.html'));
    const { code, stderr } = await run(mine, 'push', 'evil');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is not in its folder/) as string]);
  }
  rmSync(path.join(mine, 'templates/evil'), { recursive: true });
});

it('watch pushes saved files, and renders their samples', async () => {
  await run(mine, 'pull', '--force');
  const child = spawn(process.execPath, [path.resolve('bin/cli.mjs'), 'watch', '--output', 'out'], {
    cwd: mine,
    env: { PATH: process.env['PATH'] ?? '', PLATEN_URL: url, PLATEN_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const until = async (text: string): Promise<void> => {
    while (!said.includes(text)) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    await until('Waiting for changes');
    change(mine, 'templates/letter-06/letter.html', 'one', 'watched');
    await until('Saved out/letter-06-ada.pdf');
  } finally {
    child.kill('SIGINT');
  }
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(130);
  expect(said).toMatch(/^letter-06: changed, version \d$/m);
  const pdf = readFileSync(path.join(mine, 'out/letter-06-ada.pdf'));
  expect(pdfText(pdf)).toMatch(/Dear Ada[^]*letter-06 watched/);
}, 60_000);
