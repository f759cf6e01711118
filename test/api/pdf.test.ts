import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { describePdf } from '../pdf/describe.ts';
import { expectSound, pageTexts, run } from '../pdf/fixtures.ts';
import { richPdf } from '../pdf/rich.ts';

/** Every PDF operation over HTTP, called as the clients in the field do, and what comes back looked at. */

const { url, token } = inject('service');
const directory = mkdtempSync(join(tmpdir(), 'platen-api-pdf-'));
const inputs = (name: string): string => join(directory, 'inputs', name);
const output = (step: string): string => join(directory, step);

interface Seen {
  step: string;
  status: number;
  type: string;
  headers: Record<string, string>;
  problem?: { code: string; detail: string; errors?: { field: string; message: string }[] };
}
const seen = new Map<string, Seen>();

function step(name: string): Seen {
  const found = seen.get(name);
  if (found === undefined) throw new Error(`the client did not get to ${name}`);
  return found;
}

/** The file a step saved; fails with the problem where there is one. */
function documentOf(name: string): string {
  expect(step(name)).toMatchObject({ status: 200 });
  const { headers } = step(name);
  // Text is compressed for those who accept that, and has no length then.
  if (headers['content-encoding'] === undefined)
    expect(headers['content-length']).toBe(String(readFileSync(output(name)).length));
  return output(name);
}

function soundPdf(name: string, password = ''): string {
  const path = documentOf(name);
  expect(step(name).type).toBe('application/pdf');
  expectSound(path, password);
  return path;
}

/** Two pictures, one of them on two pages, at 300 dpi. */
function scans(path: string): void {
  const pictures = [1, 2].map((seed) => {
    const picture = inputs(`${seed}.png`);
    run(
      'convert',
      '-seed',
      String(seed),
      '-size',
      '500x500',
      'plasma:',
      '-blur',
      '0x2',
      '-depth',
      '8',
      picture,
    );
    return picture;
  });
  run('img2pdf', ...pictures, '--imgsize', '120x120', '-o', inputs('two.pdf'));
  run(
    'qpdf',
    '--empty',
    '--pages',
    inputs('two.pdf'),
    '1-2',
    inputs('two.pdf'),
    '1',
    '--',
    inputs('three.pdf'),
  );
  // Each copy of the first picture is an object of its own, as tools that merge leave them.
  const again = inputs('again.pdf');
  run('img2pdf', pictures[0] ?? '', '--imgsize', '120x120', '-o', again);
  run('qpdf', '--empty', '--pages', inputs('two.pdf'), again, '--', path);
}

beforeAll(async () => {
  mkdirSync(join(directory, 'inputs'));
  richPdf(inputs('rich.pdf'), 'alpha');
  richPdf(inputs('other.pdf'), 'beta');
  scans(inputs('scans.pdf'));
  run('qpdf', inputs('rich.pdf'), '--encrypt', 'user', 'owner', '256', '--', inputs('locked.pdf'));
  const files = ['rich.pdf', 'other.pdf', 'scans.pdf', 'locked.pdf'].map(inputs);
  const args = ['test/api/clients/python_pdf_client.py', `${url}/v1`, token, directory, ...files];
  const { stdout } = await promisify(execFile)('/usr/bin/python3', args, { maxBuffer: 2 ** 26 });
  for (const line of stdout.trim().split('\n')) {
    const answer = JSON.parse(line) as Seen;
    seen.set(answer.step, answer);
  }
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('merge (I-29)', () => {
  it('takes file0, file1 as bytes and keeps everything of both', () => {
    const merged = describePdf(soundPdf('merge'));
    expect(merged.pages.map(({ text }) => text.trim().split('\n')[0]?.trim())).toEqual(
      ['alpha', 'beta'].flatMap((name) => [1, 2, 3].map((n) => `${name} page ${n}`)),
    );
    expect(merged).toMatchObject({ title: 'alpha title', orphanPages: 0, faults: [] });
    expect(merged.labels).toEqual(['i', 'ii', 'A-1', 'i', 'ii', 'A-1']);
    expect(merged.outline.map(({ title }) => title)).toEqual(
      ['alpha', 'beta'].flatMap((name) => [1, 2, 3].map((n) => `${name} entry ${n}`)),
    );
    expect(merged.attachments.map(({ content }) => content)).toEqual(['alpha note', 'beta note']);
    expect(Object.keys(merged.fields)).toHaveLength(8);
    expect(merged.pages[4]?.links).toEqual([6, 4, 4]);
    expect(step('merge').headers['content-disposition']).toBe('attachment; filename=document-merged.pdf');
  });

  it('sorts by the numbers in the names, and needs at least two files', () => {
    expect(pageTexts(soundPdf('merge-reversed'))[0]).toMatch(/^beta page 1/);
    expect(step('merge-one')).toMatchObject({ status: 422 });
  });
});

describe('split and split-zip (I-28)', () => {
  it.each([
    ['split', [2, 3]],
    ['split-one', [3]],
    ['split-any', [3, 1, 2]],
  ] as const)('%s takes the pages of its group', (name, pages) => {
    const part = describePdf(soundPdf(name));
    expect(part.pages.map(({ text }) => Number(/page (\d)/.exec(text)?.[1]))).toEqual(pages);
    expect(part).toMatchObject({ orphanPages: 0, faults: [], attachments: [] });
  });

  it('names a page that does not exist', () => {
    expect(step('split-outside')).toMatchObject({ status: 422, problem: { code: 'pages_invalid' } });
    expect(step('split-outside').problem?.detail).toContain('4');
  });

  it('makes a ZIP with a PDF for each group', () => {
    const zip = documentOf('split-zip');
    expect(step('split-zip').type).toBe('application/zip');
    execFileSync('unzip', ['-q', zip, '-d', join(directory, 'parts')]);
    const parts = ['document-1.pdf', 'document-2.pdf'].map((name) => join(directory, 'parts', name));
    expect(run('unzip', '-Z1', zip).trim().split('\n')).toEqual(['document-1.pdf', 'document-2.pdf']);
    for (const part of parts) expectSound(part);
    expect(parts.map((part) => pageTexts(part).length)).toEqual([2, 1]);
    expect(describePdf(parts[1] ?? '').outline.map(({ title }) => title)).toEqual(['alpha entry 3']);
  });
});

describe('compress (I-30)', () => {
  const bytes = (path: string): number => readFileSync(path).length;
  const picture = async (path: string, page: number): Promise<Buffer> => {
    const name = `${path}-${page}`;
    run('pdftoppm', '-r', '75', '-f', String(page), '-l', String(page), '-singlefile', '-png', path, name);
    return await sharp(`${name}.png`).removeAlpha().raw().toBuffer();
  };

  it('stores pictures that occur twice once, and changes no pixel', async () => {
    const path = soundPdf('compress');
    expect(bytes(path)).toBeLessThan(0.75 * bytes(inputs('scans.pdf')));
    expect(run('pdfimages', '-list', path).trim().split('\n').slice(2)).toHaveLength(3);
    for (const page of [1, 2, 3]) {
      expect((await picture(path, page)).equals(await picture(inputs('scans.pdf'), page))).toBe(true);
    }
  });

  it.each(['compress-high', 'compress-low'])('%s is smaller, and looks like its input', async (name) => {
    const path = soundPdf(name);
    expect(bytes(path)).toBeLessThan(0.5 * bytes(output('compress')));
    const [ours, original] = [await picture(path, 2), await picture(inputs('scans.pdf'), 2)];
    let difference = 0;
    ours.forEach((value, at) => (difference += Math.abs(value - (original[at] ?? 0))));
    expect(ours.length).toBe(original.length);
    expect(difference / ours.length).toBeLessThan(name === 'compress-high' ? 2 : 5);
  });

  it('honours options given as text', () => {
    const images = run('pdfimages', '-list', output('compress-low')).trim().split('\n').slice(2);
    // x-ppi, the thirteenth column: nothing above `max_dpi`.
    expect(images.every((line) => Number(line.trim().split(/\s+/)[12]) <= 61)).toBe(true);
    expect(run('pdfinfo', output('compress-low'))).toMatch(/Optimized: +yes/);
  });

  it('names a wrong value, and warns of an unknown option', () => {
    expect(step('compress-wrong')).toMatchObject({ status: 422, problem: { code: 'invalid_option' } });
    expect(step('compress-wrong').problem?.detail).toContain('lossless');
    expect(step('compress-nearly').status).toBe(200);
    expect(step('compress-nearly').headers['warning']).toContain('quality');
  });
});

describe('metadata (I-31)', () => {
  it('is written to Info and XMP, and removed if it is empty', () => {
    const path = soundPdf('metadata');
    const info = run('pdfinfo', path);
    expect(info).toMatch(/^Title: +Täst\nAuthor: +Ada$/m);
    expect(info).not.toMatch(/^(Subject|Producer):/m);
    expect(run('pdfinfo', '-meta', path)).toMatch(/Täst[^]*Ada/);
    expect(step('metadata-wrong')).toMatchObject({ status: 422 });
    expect(step('metadata-wrong').problem?.detail).toContain('Title');
  });
});

describe('encrypt (I-32)', () => {
  it.each([
    ['encrypt', 's3cret ü'],
    ['encrypt-password', 'pw'],
  ])('%s: encrypts with AES-256, and the PDF does not open without the password', (name, password) => {
    const path = soundPdf(name, password);
    const shown = run('qpdf', '--show-encryption', `--password=${password}`, path);
    expect(shown).toMatch(/R = 6\n/);
    expect(shown).toMatch(/modify anything: not allowed/);
    expect(shown).toMatch(/file encryption method: AESv3/);
    expect(() => run('pdftotext', path, '-')).toThrow('Incorrect password');
    expect(pageTexts(path, password)[0]).toMatch(/^alpha page 1/);
  });

  it('wants a password', () => {
    expect(step('encrypt-nothing')).toMatchObject({ status: 422, problem: { code: 'missing_field' } });
  });
});

describe('inputs (I-33)', () => {
  it('are opened with input_password if they are protected', () => {
    expect(step('locked')).toMatchObject({ status: 422, problem: { code: 'pdf_password_required' } });
    expect(step('locked-wrong')).toMatchObject({ status: 422, problem: { code: 'pdf_password_wrong' } });
    expect(pageTexts(soundPdf('unlocked'))[0]).toMatch(/^alpha page 1/);
  });

  it('give an error with the reason if they are truncated, not a PDF, empty or missing', () => {
    expect(step('damaged')).toMatchObject({ status: 422, problem: { code: 'pdf_damaged' } });
    expect(step('no-pdf')).toMatchObject({ status: 422, problem: { code: 'pdf_invalid' } });
    for (const name of ['empty', 'nothing']) {
      expect(step(name), name).toMatchObject({ status: 422 });
      expect(step(name).problem?.errors?.[0]?.field, name).toBe('file');
    }
  });
});

describe('images of pages (I-34)', () => {
  const TYPES: Readonly<Record<string, [type: string, magick: string]>> = {
    png: ['image/png', 'PNG'],
    jpeg: ['image/jpeg', 'JPEG'],
    jpg: ['image/jpeg', 'JPEG'],
    webp: ['image/webp', 'WEBP'],
    tiff: ['image/tiff', 'TIFF'],
    gif: ['image/gif', 'GIF'],
    bmp: ['image/bmp', 'BMP3'],
    psd: ['image/vnd.adobe.photoshop', 'PSD'],
  };

  it.each(Object.entries(TYPES))('%s: the page has the expected pixels', async (kind, [type, magick]) => {
    const path = documentOf(`image.${kind}`);
    expect(step(`image.${kind}`).type).toBe(type);
    const format = kind === 'jpg' ? 'jpeg' : kind;
    expect(run('identify', '-format', '%m %wx%h', `${format}:${path}[0]`)).toBe(`${magick} 414x585`);
    run('convert', `${format}:${path}[0]`, '-depth', '8', `png24:${path}.seen.png`);
    run(
      'pdftoppm',
      '-r',
      '50',
      '-f',
      '2',
      '-l',
      '2',
      '-singlefile',
      '-png',
      inputs('rich.pdf'),
      `${path}.poppler`,
    );
    const [ours, theirs] = await Promise.all(
      ['seen', 'poppler'].map((by) => sharp(`${path}.${by}.png`).greyscale().blur(3).raw().toBuffer()),
    );
    // A blank page would be as far off as the darkest spot is from white.
    let [worst, darkest] = [0, 0];
    ours?.forEach((value, at) => {
      const wanted = theirs?.[at] ?? 0;
      [worst, darkest] = [Math.max(worst, Math.abs(value - wanted)), Math.max(darkest, 255 - wanted)];
    });
    expect(ours?.length).toBe(theirs?.length);
    expect(worst).toBeLessThan(0.7 * darkest);
  });

  it('ico, svg and pdf: an icon, a drawing of the page’s size, the page itself', async () => {
    expect(run('identify', '-format', '%wx%h', `ico:${documentOf('image.ico')}[0]`)).toBe('181x256');
    expect(await sharp(documentOf('image.svg')).metadata()).toMatchObject({ format: 'svg' });
    expect(pageTexts(soundPdf('image.pdf'))).toEqual([expect.stringMatching(/^alpha page 2/)]);
  });

  it('several pages are a ZIP, or one TIFF', () => {
    const names = run('unzip', '-Z1', documentOf('images.zip')).trim().split('\n');
    expect(names).toEqual([1, 2, 3].map((n) => `document-${n}.png`));
    expect(
      run('identify', `tiff:${documentOf('images.tiff')}`)
        .trim()
        .split('\n'),
    ).toHaveLength(3);
    expect(step('image-wrong')).toMatchObject({ status: 422, problem: { code: 'image_format_unsupported' } });
  });
});

describe('web pages (I-34)', () => {
  it.each(['private', 'loopback', 'metadata', 'file', 'no'])('does not load a %s address', (name) => {
    const { status, problem } = step(`url-${name}`);
    expect([status, problem?.code]).toEqual([422, 'url_not_allowed']);
  });
});
