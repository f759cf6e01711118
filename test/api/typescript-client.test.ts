import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Platen, type Job } from '@platen/client';
import { checkPdf, mint, pdfText, zipEntries } from './client.ts';

/** The TypeScript client (I-57) against the service. */

const { url, token } = inject('service');
const platen = new Platen({ url, token });
const folder = mkdtempSync(path.join(tmpdir(), 'platen-typescript-'));
afterAll(() => rmSync(folder, { recursive: true }));

let id: string;
beforeAll(async () => {
  const data = { name: 'Letter', format: 'html' } as const;
  const template = await platen.templates.add(data, { file: '<p>Dear {{ name }}, {{ 10 / number }}</p>' });
  ({ id } = template);
});

it('renders a stored template and one sent with the request, into files', async () => {
  const stored = await platen.render(id, { name: 'Ada', number: 4 }).toFile(path.join(folder, 'stored.pdf'));
  expect(pdfText(readFileSync(stored))).toContain('Dear Ada, 2.5');
  const sent = {
    file: '<p>{{ logo_text }} {{ x }}</p>',
    styles: ['p { color: red }'],
    data: { name: 'Sent' },
  };
  const document = await platen.render(sent, '{"x": 1.0}', { format: 'html', options: { landscape: true } });
  expect(document.name).toBe('Sent.html');
  expect(await document.text()).toMatch(/color: red[^]* 1\.0</);
});

it('reads and changes templates, versions, fields and samples', async () => {
  const changed = await platen.templates.change(
    id,
    { data: { note: 'shorter' }, file: '<p>{{ name }}</p>' },
    { publish: false },
  );
  expect(changed).toMatchObject({ id, version: 2, published_version: 1, note: 'shorter' });
  expect((await platen.templates.versions(id)).map(({ version }) => version)).toEqual([2, 1]);
  expect(Object.keys((await platen.templates.fields(id)).properties ?? {})).toEqual(['name', 'number']);
  expect(await platen.render(id, { name: 'B' }, { format: 'html', version: 2 }).text()).toBe('<p>B</p>');
  await platen.templates.putSample(id, 'first', { name: 'S' });
  expect(await platen.templates.getSample(id, 'first')).toEqual({ name: 'S' });
  const seen: string[] = [];
  for await (const template of platen.templates.list({ limit: 1 })) {
    seen.push(template.id);
    if (template.id === id) break;
  }
  expect(seen).toContain(id);
  expect(await (await platen.templates.file(id)).text()).toContain('Dear');
  await expect(platen.templates.get('nothing')).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

it('starts a batch as a job, which another program continues with', async () => {
  const records = Array.from({ length: 30 }, (_, index) => ({ name: `P${index}.`, number: index + 1 }));
  const { id: job } = await platen.batch(id, records, { format: 'html' }).asJob();
  const program = path.join(folder, 'resume.ts');
  const library = path.resolve('packages/client/src/index.ts');
  writeFileSync(
    program,
    `import { Platen } from ${JSON.stringify(library)};
     const platen = new Platen({ url: process.argv[2], token: process.argv[3] });
     const looked = [];
     const onProgress = ({ done, total }) => looked.push([done, total]);
     await (await platen.jobs.open(process.argv[4]).wait({ onProgress })).toFile(process.argv[5]);
     console.log(JSON.stringify(looked.at(-1)));`,
  );
  const zip = path.join(folder, 'letters.zip');
  expect(execFileSync('node', [program, url, token, job, zip], { encoding: 'utf8' }).trim()).toBe('[30,30]');
  expect(zipEntries(readFileSync(zip))).toHaveLength(30);
  const listed: Job[] = [];
  for await (const entry of platen.jobs.list({ limit: 1 })) {
    listed.push(entry);
    if (entry.id === job) break;
  }
  expect(listed.at(-1)).toMatchObject({ id: job, state: 'succeeded', operation: 'renderTemplateBatch' });
  expect(new Set(listed.map((entry) => entry.id)).size).toBe(listed.length);
});

it('throws the errors of records that fail, as an answer and as a job', async () => {
  const records = [
    { name: 'a', number: 1 },
    { name: 'b', number: 0 },
  ];
  const work = platen.batch(id, records, { format: 'html' });
  const problem = { status: 422, code: 'batch_failed', errors: [{ record: 1 }] };
  await expect(work.bytes()).rejects.toMatchObject(problem);
  await expect(work.asJob().wait()).rejects.toMatchObject(problem);
});

describe('PDFs', () => {
  it('are joined, inspected and processed in steps; large ones are uploaded', async () => {
    const one = await platen.render(id, { name: 'Ada', number: 4 }).bytes();
    const two = await platen.barcode({ data: '4006381333931', barcode_format: 'ean13' }).blob();
    // Trailing bytes behind %%EOF are allowed, and make it larger than the gateway takes.
    const large = path.join(folder, 'large.pdf');
    writeFileSync(large, Buffer.concat([one, Buffer.alloc(5 * 1024 * 1024, '\n')]));
    const merged = Buffer.from(await platen.pdf.merge([{ path: large }, two]).bytes());
    checkPdf(merged);
    expect(await platen.pdf.info(merged)).toMatchObject({ pages: [{ number: 1 }, { number: 2 }] });
    const steps = [{ pages: { pages: '1' } }, { stamp: { text: 'DRAFT' } }];
    const stamped = Buffer.from(await platen.pdf.process(merged, steps).bytes());
    expect(pdfText(stamped)).toMatch(/Dear Ada[^]*DRAFT|DRAFT[^]*Dear Ada/);
    expect(await platen.pdf.text(stamped).text()).toContain('DRAFT');
    expect(pdfText(Buffer.from(await platen.pdf.split(merged, [1]).bytes()))).toContain('Dear Ada');
    expect(
      pdfText(Buffer.from(await platen.pdf.metadata(stamped, { metadata: { Title: 'T' } }).bytes())),
    ).toContain('DRAFT');
  });

  it('are refused by name if they do not exist', async () => {
    await expect(platen.pdf.compress('no PDF').bytes()).rejects.toMatchObject({
      status: 422,
      code: 'pdf_invalid',
    });
  });
});

it('names the scope that a token lacks', async () => {
  const weak = new Platen({ url, token: await mint('--tenant', 'local', '--scopes', 'pdf') });
  expect((await weak.token()).scopes).toEqual(['pdf']);
  await expect(weak.render(id).bytes()).rejects.toMatchObject({ status: 403, code: 'insufficient_scope' });
  const none = new Platen({ url, token: 'nonsense' });
  await expect(none.token()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
});
