import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { describePdf } from '../pdf/describe.ts';
import { expectSound, pageTexts, run, symbolPage } from '../pdf/fixtures.ts';
import { richPdf } from '../pdf/rich.ts';
import { type Answer, call, expectStatus, form, jsonOf, renderNow } from './client.ts';

/** `POST /v1/pdf/process` and the steps' own routes (I-46). */

const directory = mkdtempSync(join(tmpdir(), 'platen-api-steps-'));
afterAll(() => rmSync(directory, { recursive: true }));
const at = (name: string): string => join(directory, name);
const alpha = readFileSync(richPdf(at('alpha.pdf'), 'alpha'));
const beta = readFileSync(richPdf(at('beta.pdf'), 'beta'));

type Fields = Parameters<typeof form>[0];

const post = (route: string, fields: Fields): Promise<Answer> =>
  call('POST', `/v1/pdf/${route}`, { body: form(fields) });

/** The document of an answer, as a file. */
function saved(answer: Answer, password = ''): string {
  expectStatus(answer, 200);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  const path = at('answer.pdf');
  writeFileSync(path, answer.bytes);
  expectSound(path, password);
  return path;
}

const firstLines = (path: string): (string | undefined)[] =>
  pageTexts(path).map((text) => /\w+ page \d/.exec(text)?.[0]);

it('applies a chain to files that are joined first, in the order of their numbers', async () => {
  const answer = await post('process', {
    file1: [beta, 'second.pdf'],
    file0: [alpha, 'first.pdf'],
    steps: JSON.stringify([{ pages: { pages: '4,1-2' } }, { rotate: { angle: '90', pages: '1' } }]),
  });
  const path = saved(answer);
  expect(firstLines(path)).toEqual(['beta page 1', 'alpha page 1', 'alpha page 2']);
  expect(run('pdfinfo', path)).toMatch(/Page rot: +90/);
  expect(answer.headers.get('content-disposition')).toContain('first.pdf');
});

it('offers each step as a route, with its members as fields', async () => {
  const file: Fields[string] = [alpha, 'a.pdf'];
  expect(firstLines(saved(await post('pages', { file, pages: '3,1' })))).toEqual([
    'alpha page 3',
    'alpha page 1',
  ]);
  expect(run('pdfinfo', saved(await post('rotate', { file, angle: '270' })))).toMatch(/Page rot: +270/);
  expect(run('pdfinfo', saved(await post('linearize', { file })))).toMatch(/Optimized: +yes/);
  run('qpdf', at('alpha.pdf'), '--encrypt', 'user', 'owner', '256', '--', at('locked.pdf'));
  const locked: Fields[string] = [readFileSync(at('locked.pdf')), 'locked.pdf'];
  expect(firstLines(saved(await post('decrypt', { file: locked, password: 'user' })))).toHaveLength(3);
  expect(jsonOf(expectStatus(await post('decrypt', { file: locked }), 422))).toMatchObject({
    code: 'pdf_password_required',
  });
});

it('accepts files for steps as parts that the steps name', async () => {
  const logo = await sharp({ create: { width: 96, height: 96, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  const steps = [
    { stamp: { image: 'logo', position: 'top-left' } },
    { page_numbers: { format: 'Seite {page} von {pages}' } },
    { attach: { files: [{ file: 'data', name: 'Zahlen.csv', mime: 'text/csv', relationship: 'Data' }] } },
    { outline: { items: [{ title: 'Anfang', page: 1, items: [{ title: 'Ende', page: 3 }] }] } },
  ];
  const parts: Fields = { file: [alpha, 'a.pdf'], logo: [logo, 'logo.png'], data: ['1;2', 'x.csv'] };
  const path = saved(await post('process', { ...parts, steps: JSON.stringify(steps) }));
  const found = describePdf(path);
  expect(found.attachments).toContainEqual({ name: 'Zahlen.csv', content: '1;2' });
  expect(found.outline).toEqual([
    { title: 'Anfang', page: 1, below: [{ title: 'Ende', page: 3, below: [] }] },
  ]);
  expect(found.faults).toEqual([]);
  expect(pageTexts(path)[1]).toContain('Seite 2 von 3');
  expect(run('pdfimages', '-list', path)).toMatch(/ 96 +96 +rgb/);
  const missing = expectStatus(
    await post('process', { ...parts, steps: '[{"stamp":{"image":"nothing"}}]' }),
    422,
  );
  expect(jsonOf(missing)).toMatchObject({
    code: 'missing_field',
    errors: [{ field: 'steps[0].stamp.image' }],
  });
  const both = '[{"stamp":{"text":"a","image":"logo"}}]';
  expect(jsonOf(expectStatus(await post('process', { ...parts, steps: both }), 422))).toMatchObject({
    code: 'steps_invalid',
    errors: [{ field: 'steps[0].stamp.image' }],
  });
});

it('stamps, attaches and outlines, each with its own route', async () => {
  const file: Fields[string] = [alpha, 'a.pdf'];
  const stamped = saved(
    await post('stamp', { file, text: 'KOPIE', pages: '2', color: '#c00000', size: '30' }),
  );
  expect(pageTexts(stamped).map((text) => text.includes('KOPIE'))).toEqual([false, true, false]);
  const marked = saved(await post('watermark', { file, pdf: [beta, 'paper.pdf'], opacity: '0.3' }));
  // The two texts lie over each other, and releases of poppler part their words differently.
  expect(pageTexts(marked)[2]).toMatch(/beta\s+page/);
  const attached = await post('attach', {
    file,
    note: ['text', 'n.txt'],
    files: '[{"file":"note","name":"n.txt"}]',
  });
  expect(describePdf(saved(attached)).attachments).toContainEqual({ name: 'n.txt', content: 'text' });
  const outlined = await post('outline', { file, items: '[{"title":"One","page":2}]' });
  expect(describePdf(saved(outlined)).outline).toEqual([{ title: 'One', page: 2, below: [] }]);
  expect(jsonOf(expectStatus(await post('stamp', { file }), 422))).toMatchObject({ code: 'missing_field' });
});

it('is applied to renderings, too, before they are compressed and encrypted', async () => {
  const steps = [
    { stamp: { text: 'ENTWURF' } },
    { page_numbers: { format: 'S. {page}' } },
    { rotate: { angle: 90 } },
  ];
  const options = { steps, compress: true, encrypt_password: 'geheim' };
  const rendered = saved(
    await renderNow('<p>Hello {{ name }}', { data: { name: 'Ada' }, options }),
    'geheim',
  );
  const [text = ''] = pageTexts(rendered, 'geheim');
  expect(text).toMatch(/Hello Ada/);
  expect(text).toMatch(/ENTWURF/);
  expect(text).toMatch(/S\. 1/);
  expect(run('pdfinfo', '-upw', 'geheim', rendered)).toMatch(/Page rot: +90/);
  const conflict = await renderNow('x', { options: { steps: [{ linearize: {} }], compress: true } });
  expect(jsonOf(expectStatus(conflict, 422))).toMatchObject({
    code: 'steps_invalid',
    errors: [{ field: 'render_options.compress' }],
  });
  const part = await renderNow('x', { options: { steps: [{ stamp: { image: 'logo' } }] } });
  expect(jsonOf(expectStatus(part, 422))).toMatchObject({
    code: 'missing_field',
    errors: [{ field: 'render_options.steps[0].stamp.image' }],
  });
});

it('keeps the protection of one file, and warns if it is lost', async () => {
  const file: [Buffer, string] = [readFileSync(at('locked.pdf')), 'l.pdf'];
  const rotated = await post('rotate', { file, input_password: 'user', angle: '90' });
  expect(rotated.headers.get('warning')).toBeNull();
  expect(run('pdfinfo', '-upw', 'user', saved(rotated, 'user'))).toMatch(/Encrypted: +yes/);
  const steps = JSON.stringify([{ merge: {} }]);
  const merged = await post('process', { file0: file, file1: file, input_password: 'user', steps });
  expect(run('pdfinfo', saved(merged))).toMatch(/Encrypted: +no/);
  expect(merged.headers.get('warning')).toContain('the file was protected');
});

/** The claims in the packet of a document, as poppler finds it. */
const claimsOf = (path: string): (string | undefined)[] => {
  const packet = run('pdfinfo', '-meta', path);
  return ['pdfaid', 'pdfuaid'].map((prefix) => new RegExp(`<${prefix}:part>(\\d)<`).exec(packet)?.[1]);
};

it('warns of claims that no longer hold, and removes only those', async () => {
  const options = { conformance: ['pdf/a-2a', 'pdf/ua-1'], title: 'Both', language: 'en' };
  const rendered = await renderNow('<h1>Both</h1>', { options });
  expect(claimsOf(saved(rendered))).toEqual(['2', '1']);
  const file: Fields[string] = [rendered.bytes, 'both.pdf'];
  const turned = await post('process', { file, steps: '[{"rotate":{"angle":90}}]' });
  expect(claimsOf(saved(turned))).toEqual(['2', '1']);
  expect(turned.headers.get('warning')).toBeNull();
  const paper: Fields[string] = [readFileSync(symbolPage(at('paper.pdf'))), 'paper.pdf'];
  const steps = '[{"letterhead":{"pdf":"paper"}}]';
  const plain = await post('process', { file, paper, steps });
  expect(claimsOf(saved(plain))).toEqual([undefined, undefined]);
  expect(plain.headers.get('warning')).toContain(
    'the file claimed pdf/a-2a and pdf/ua-1, and the result does so no more: ISO 19005-2, 6.2.11.4.1',
  );
  // A title is asked for by PDF/UA alone (ISO 14289-1, 7.1).
  const untitled = await post('metadata', { file, metadata: '{"Title":null}' });
  expect(claimsOf(saved(untitled))).toEqual(['2', undefined]);
  expect(untitled.headers.get('warning')).toContain('the result claims pdf/a-2a: ISO 14289-1, 7.1');
  const stepped = await post('process', { file, steps: '[{"metadata":{"Title":null}}]' });
  expect(claimsOf(saved(stepped))).toEqual(['2', undefined]);
  expect(stepped.headers.get('warning')).toContain('the result claims pdf/a-2a: ISO 14289-1, 7.1');
  const titled = await post('metadata', { file, metadata: '{"Title":"New","Author":null}' });
  expect(claimsOf(saved(titled))).toEqual(['2', '1']);
  expect(titled.headers.get('warning')).toBeNull();
});

it.each([
  ['[{"merge":{}},{"rotate":{"angle":90}},{"merge":{}}]', 'steps_invalid', 'steps[2]'],
  ['[{"encrypt":{"password":"s3cret"}},{"rotate":{"angle":90}}]', 'steps_invalid', 'steps[1]'],
  ['[{"rotate":{"angle":90}},{"nonsense":{}}]', 'steps_invalid', 'steps[1]'],
  ['[{"merge":{},"rotate":{"angle":90}}]', 'steps_invalid', 'steps[0]'],
  ['[{"rotate":{"angle":45}}]', 'invalid_field', 'steps[0].rotate.angle'],
  ['[{"pages":{"pages":"9"}}]', 'page_range_outside_document', 'steps[0].pages.pages'],
  ['[]', 'invalid_field', 'steps'],
])('refuses %s: %s at %s', async (steps, code, field) => {
  const answer = expectStatus(await post('process', { file: [alpha, 'a.pdf'], steps }), 422);
  expect(jsonOf(answer)).toMatchObject({
    code,
    errors: expect.arrayContaining([expect.objectContaining({ field })]),
  });
  expect(answer.bytes.toString()).not.toContain('s3cret');
});

it('wants a file to work on', async () => {
  const answer = await post('process', { logo: [alpha, 'a.pdf'], steps: '[{"linearize":{}}]' });
  expect(jsonOf(expectStatus(answer, 422))).toMatchObject({ code: 'missing_field' });
});
