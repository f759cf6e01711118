import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { platen, type Run } from '../cli/run.ts';
import { checkPdf, mint, pdfInfo, pdfText, pixel, zipEntries, zipEntry } from './client.ts';

/** `platen …` against a service with the limits of API Gateway and Lambda. */

const { url } = inject('service');
/** Of a tenant whose lists are not other tests' too. */
let token = '';
let folder = '';
const at = (name: string): string => join(folder, name);
const put = (name: string, content: string | Uint8Array): void => writeFileSync(at(name), content);
const got = (name: string): Buffer => readFileSync(at(name));

/** Runs a command in the folder of the test, and expects it to succeed. */
async function run(...args: string[]): Promise<Run> {
  const result = await platen(args, { cwd: folder, env: { PLATEN_URL: `${url}/v1/`, PLATEN_TOKEN: token } });
  if (result.code !== 0) throw new Error(`exit code ${result.code}: ${result.stderr}`);
  return result;
}

async function fails(...args: string[]): Promise<Run> {
  return await platen(args, { cwd: folder, env: { PLATEN_URL: url, PLATEN_TOKEN: token } });
}

beforeAll(async () => {
  token = await mint('--tenant', 'command-line');
  folder = mkdtempSync(join(tmpdir(), 'platen-cli-'));
  put(
    'letter.html',
    '<img src="{{ brand.logo }}" style="position:absolute;left:0;top:0"><p>Dear {{ name }}</p>',
  );
  put('look.css', '@page { margin: 0 } body { margin: 0 } p { color: #f00; margin-top: 5cm }');
  put(
    'mark.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><path fill="#00f" d="M0 0h200v100H0z"/></svg>',
  );
  put('note.html', '<p>Dear {{ name }}</p>');
  put('data.json', '{"name": "Ada"}');
  put('rows.csv', 'name\nAda\nGrace\n');
  const document = await PDFDocument.create();
  for (const text of ['one', 'two', 'three', 'four'])
    document.addPage([300, 300]).drawText(text, { x: 50, y: 50 });
  put('four.pdf', await document.save());
  await document.attach(randomBytes(5 * 1024 * 1024), 'noise.bin');
  put('large.pdf', await document.save());
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('templates', () => {
  it('are added with their files, listed, fetched, rendered, printed in batches and deleted', async () => {
    const added = await run(
      ...['templates', 'add', 'letter.html', '--name', 'Letter', '--style', 'look.css'],
      ...['--image', 'brand.logo=mark.svg', '--option', 'paper_format=A5', '--option', 'margin_left=0'],
    );
    const id = added.stdout.trim();
    expect((await run('templates')).stdout).toMatch(new RegExp(`^${id}  html  \\S+Z  Letter$`, 'm'));
    const template = JSON.parse((await run('templates', 'get', id)).stdout) as Record<string, unknown>;
    expect(template).toMatchObject({ id, paper_format: 'A5', image_files: [{ uri: 'brand.logo' }] });
    await run('templates', 'get', id, '--output', 'back.html');
    expect(got('back.html')).toEqual(got('letter.html'));

    const rendered = await run(
      ...[
        'render',
        id,
        '--data',
        'data.json',
        '--option',
        'display_header_footer=false',
        '--option',
        'margin_top=0',
      ],
    );
    expect(rendered).toMatchObject({ stdout: '', stderr: 'Saved Letter.pdf\n' });
    expect(pdfText(got('Letter.pdf'))).toContain('Dear Ada');
    expect(pixel(got('Letter.pdf'), 2, 1)).toEqual([0, 0, 255]);

    const printed = await run('batch', id, '--data', 'rows.csv', '--output', 'letters.zip');
    expect(printed.stderr).toMatch(/^succeeded 2 of 2.*\nSaved letters\.zip\n$/m);
    expect((await run('jobs', '--limit', '1')).stdout).toMatch(/^\w+ {2}succeeded {2}\S+Z {2}2 of 2 done\n$/);
    expect(zipEntries(got('letters.zip'))).toEqual(['Letter-1.pdf', 'Letter-2.pdf']);
    expect(pdfText(zipEntry(got('letters.zip'), 'Letter-2.pdf'))).toContain('Dear Grace');

    await run('templates', 'delete', id);
    const gone = await fails('templates', 'get', id);
    expect(gone).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^platen: There is no/) as string,
    });
  });

  it('with a refused file leave nothing behind, and the error has the reason and its place', async () => {
    put('broken.html', '<p>\n{% if x %}');
    const broken = await fails('templates', 'add', 'broken.html');
    expect(broken).toMatchObject({ code: 1, stdout: '' });
    expect(broken.stderr).toMatch(/line 2/);
    const before = (await run('templates')).stdout;
    const style = await fails('templates', 'add', 'letter.html', '--style', 'mark.svg');
    expect(style).toMatchObject({ code: 1, stdout: '' });
    expect((await run('templates')).stdout).toBe(before);
  });

  it('in a file are rendered without being stored, from standard input to standard output', async () => {
    const { stdout, stderr } = await platen(['render', 'note.html', '-f', 'html', '-d', '-', '-o', '-'], {
      cwd: folder,
      env: { PLATEN_URL: url, PLATEN_TOKEN: token },
      stdin: '{"name": "Mary"}',
    });
    expect({ stdout, stderr }).toEqual({ stdout: '<p>Dear Mary</p>', stderr: '' });
  });
});

it('data may stand in the command itself', async () => {
  const { stdout } = await run(
    ...['render', 'note.html', '-f', 'html', '-d', '{"name": "Grace"}', '-o', '-'],
  );
  expect(stdout).toContain('Dear Grace');
});

it('a template in a file is rendered with its style sheets, images, header and footer', async () => {
  put('head.html', '<b>the header</b>');
  put('foot.html', '<b>the footer</b>');
  const { stderr } = await run(
    ...[
      'render',
      'letter.html',
      '--data',
      'data.json',
      '--style',
      'look.css',
      '--image',
      'brand.logo=mark.svg',
    ],
    ...['--header', 'head.html', '--footer', 'foot.html', '--output', 'whole.pdf'],
    ...['--option', 'margin_top=0', '--option', 'margin_left=0'],
  );
  expect(stderr).toMatch(/Saved whole\.pdf\n$/);
  expect(pdfText(got('whole.pdf'))).toMatch(/the header[^]*Dear Ada[^]*the footer/);
  expect(pixel(got('whole.pdf'), 2, 1)).toEqual([0, 0, 255]);
});

it('an error of a template shows the line with a mark, and warnings are shown', async () => {
  put('broken.html', '<p>\n\t{{ 1 / zero }}');
  put('zero.json', '{"zero": 0}');
  const broken = await fails('render', 'broken.html', '--data', 'zero.json');
  expect(broken.stderr).toBe(
    'platen: The template cannot be filled in line 2, column 7: division by zero\n' +
      '  2 | \t{{ 1 / zero }}\n    | \t     ^\n',
  );
  const warned = await run('render', 'note.html', '--option', 'papr=A5', '--output', 'warned.pdf');
  expect(warned.stderr).toContain('Warning: unknown option render_options.papr ignored');
  expect(warned.stderr).toContain('Warning: Undefined, so printed as nothing: name');
});

it('records are counted from 1, and the progress says of how many (I-36)', async () => {
  put('share.html', '<p>{{ 1 / n }}');
  put('shares.json', '[{"n": 1}, {"n": 0}, {"n": 2}]');
  const failed = await fails('batch', 'share.html', '--data', 'shares.json', '-f', 'html');
  expect(failed.stderr).toContain('\nplaten: Of 3 records, the 2nd cannot be rendered.');
  expect(failed.stderr).toContain('\n  2nd record: The template cannot be filled');
  expect(failed.stderr).toMatch(/^failed 3 of 3, 1 failed/m);
  expect(failed.stderr).not.toMatch(/(?:running|queued) 0$/m);
});

it('pdf info and text are printed, unless they are to be saved', async () => {
  const { stdout } = await run('pdf', 'info', 'four.pdf');
  expect(JSON.parse(stdout)).toMatchObject({ pages: expect.objectContaining({ length: 4 }) as unknown });
  expect((await run('pdf', 'text', 'four.pdf')).stdout).toContain('three');
  expect((await run('pdf', 'info', 'four.pdf', '--output', 'info.json')).stdout).toBe('');
  expect(JSON.parse(got('info.json').toString())).toEqual(JSON.parse(stdout));
});

describe('pdf', () => {
  it('merges, splits, compresses and encrypts', async () => {
    await run('pdf', 'merge', 'four.pdf', 'four.pdf', '--output', 'eight.pdf');
    expect(pdfInfo(got('eight.pdf'))['Pages']).toBe('8');
    await run('pdf', 'split', 'four.pdf', '--pages', '4,1-2', '--output', 'some.pdf');
    expect(pdfText(got('some.pdf')).split(/\s+/).filter(Boolean)).toEqual(['four', 'one', 'two']);
    put(
      'chain.json',
      '[{"pages":{"pages":"2,1"}},{"impose":{"columns":2}},{"attach":{"files":[{"file":"note","name":"n"}]}}]',
    );
    await run(
      'pdf',
      'process',
      'four.pdf',
      'four.pdf',
      '--steps',
      'chain.json',
      '--part',
      'note=chain.json',
      '--output',
      'sheet.pdf',
    );
    expect(pdfText(got('sheet.pdf')).split(/\s+/).filter(Boolean)).toEqual(['two', 'one']);
    await run('pdf', 'redact', 'four.pdf', '--field', 'words=["two"]', '--output', 'three.pdf');
    expect(pdfText(got('three.pdf')).split(/\s+/).filter(Boolean)).toEqual(['one', 'three', 'four']);
    await run('pdf', 'split', 'four.pdf', '--groups', '1-3,4', '--output', 'some.zip');
    expect(zipEntries(got('some.zip'))).toEqual(['four-1.pdf', 'four-2.pdf']);
    await run(
      'pdf',
      'compress',
      'eight.pdf',
      '--quality',
      'high',
      '--max-dpi',
      '100',
      '--output',
      'small.pdf',
    );
    checkPdf(got('small.pdf'));
    await run(
      'pdf',
      'encrypt',
      'four.pdf',
      '--password',
      'secret',
      '--permission',
      'print=false',
      '-o',
      'locked.pdf',
    );
    const text = execFileSync('pdftotext', ['-upw', 'secret', at('locked.pdf'), '-'], { encoding: 'utf8' });
    expect(text).toContain('three');
    const locked = await fails('pdf', 'split', 'locked.pdf', '--pages', '1');
    expect(locked).toMatchObject({ code: 1, stderr: expect.stringContaining('input_password') as string });
    await run(
      'pdf',
      'metadata',
      'locked.pdf',
      '--input-password',
      'secret',
      '--set',
      'Title=New',
      '-o',
      'named.pdf',
    );
  });

  it('uploads a file that is too large for the gateway', async () => {
    await run('pdf', 'merge', 'four.pdf', 'large.pdf', '--output', 'both.pdf');
    expect(pdfInfo(got('both.pdf'))['Pages']).toBe('8');
    expect(got('both.pdf').length).toBeGreaterThan(5 * 1024 * 1024);
  });
});

it('upload prints the reference that other commands take for the file', async () => {
  const reference = (await run('upload', 'large.pdf')).stdout.trim();
  expect(reference).toMatch(/^upload:\w+$/);
  await run('pdf', 'split', reference, '--pages', '2', '--output', 'second.pdf');
  expect(pdfText(got('second.pdf'))).toContain('two');
});

it('images and barcodes become PDFs', async () => {
  await run('image', 'mark.svg', '--output', 'mark.pdf');
  await run(
    'barcode',
    '4006381333931',
    '--type',
    'ean13',
    '--option',
    'paper_format=A6',
    '--output',
    'code.pdf',
  );
  expect([pdfInfo(got('mark.pdf'))['Pages'], pdfInfo(got('code.pdf'))['Page size']]).toEqual([
    '1',
    expect.stringContaining('297'),
  ]);
});
