/**
 * Compares merging, compressing and encrypting through the whole service (HTTP, gateway, authorizer, function) with
 * native qpdf, in turns: tagged invoices of five pages that Platen has printed, and two files of 100 MB. Ratios leave
 * out 15 ms, which the overhead of HTTP may take.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, PDFName } from 'pdf-lib';
import { INVOICE_TEMPLATE, invoiceData } from '../test/support/invoice.ts';
import { serveInProcess } from '../test/support/served.ts';

import { goal, median, timed } from './figures.ts';
import { HOSTILE_CLASSES } from './hostile-pdfs/index.ts';

const ROUNDS = 9;
const ALLOWED_MS = 15;
const MANY_ELEMENTS = 'structure of 32,768 elements on a page';
/** Pages of an invoice, as the rows of the template fill them. */
const ITEMS = 130;
/** Most invoices that are merged. */
const MAX_INVOICES = 100;

const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));
const at = (name: string): string => join(folder, name);
const service = await serveInProcess();

async function post(path: string, form: FormData): Promise<Uint8Array> {
  const headers = { authorization: service.token };
  const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: form });
  if (response.status !== 200) throw new Error(await response.text());
  return new Uint8Array(await response.arrayBuffer());
}

async function invoice(number: number): Promise<Buffer> {
  const data = invoiceData(number);
  const items = Array.from({ length: ITEMS }, (_, i) => (data['items'] as unknown[])[i % 60]);
  const form = new FormData();
  form.append('file_data', new Blob([INVOICE_TEMPLATE]), 'invoice.html');
  form.append('render_data', JSON.stringify({ ...data, items }));
  return Buffer.from(await post('/v1/render/pdf', form));
}

/** Returns a PDF with one page and an incompressible stream. */
async function large(megabytes: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage();
  const stream = document.context.stream(randomBytes(megabytes * 1e6));
  page.node.set(PDFName.of('PieceInfo'), document.context.register(stream));
  return await document.save();
}

function formOf(files: readonly Uint8Array[], fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  const name = (index: number): string => (files.length === 1 ? 'file' : `file${index + 1}`);
  for (const [index, bytes] of files.entries()) {
    form.append(name(index), new Blob([bytes]), `${index}.pdf`);
  }
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  return form;
}

/** Prints a row: medians of native qpdf and of the service, and their ratio. */
async function row(
  name: string,
  args: string[],
  path: string,
  form: () => FormData,
  rounds = ROUNDS,
): Promise<void> {
  const times = { native: [] as number[], http: [] as number[] };
  for (let round = -2; round < rounds; round++) {
    const native = await timed(() => {
      execFileSync('qpdf', [...args, at('output.pdf')]);
      return Promise.resolve();
    });
    const http = await timed(() => post(path, form()));
    if (round < 0) continue;
    times.native.push(native);
    times.http.push(http);
  }
  const [native, http] = [median(times.native), median(times.http)];
  const ratio = Math.max(0, http - ALLOWED_MS) / native;
  console.log([name, native.toFixed(0), http.toFixed(0), ratio.toFixed(2)].join(' | '));
  goal(`${name}, times native qpdf beyond ${ALLOWED_MS} ms`, ratio, 1.5);
}

try {
  const paths: string[] = [];
  // Each file is different: qpdf reads a file that is named twice only once, and writes its pages only once.
  for (let number = 1; number <= MAX_INVOICES; number++) {
    const path = at(`${number}.pdf`);
    writeFileSync(path, await invoice(number));
    paths.push(path);
  }
  const [first = ''] = paths;
  const pages = execFileSync('qpdf', ['--show-npages', first], { encoding: 'utf8' }).trim();
  console.log(`invoices of ${pages} pages and ${statSync(first).size} bytes`);
  console.log(`work | native qpdf ms | Platen over HTTP ms | ratio beyond ${ALLOWED_MS} ms`);
  const merging = (files: readonly string[]): string[] => [
    '--empty',
    '--object-streams=generate',
    '--pages',
    ...files,
    '--',
  ];
  for (const count of [2, 10, MAX_INVOICES]) {
    const files = paths.slice(0, count);
    const contents = files.map((file) => readFileSync(file));
    await row(`merge ${count}`, merging(files), '/v1/pdf/merge', () => formOf(contents));
  }
  const one = [readFileSync(first)];
  await row('compress', ['--object-streams=generate', '--recompress-flate', first], '/v1/pdf/compress', () =>
    formOf(one),
  );
  await row('encrypt', ['--encrypt', 'x', 'y', '256', '--', first], '/v1/pdf/encrypt', () =>
    formOf(one, { password: 'x' }),
  );
  await row('linearize', ['--linearize', first], '/v1/pdf/linearize', () => formOf(one));
  await row('metadata', [first], '/v1/pdf/metadata', () => formOf(one, { metadata: '{"Title":"A"}' }));
  await row('split', ['--object-streams=generate', first, '--pages', '.', '1', '--'], '/v1/pdf/split', () =>
    formOf(one, { splits: '[1]' }),
  );
  const tagged = HOSTILE_CLASSES['trees']?.[MANY_ELEMENTS]?.() ?? Buffer.alloc(0);
  for (const [work, files, fields] of [
    ['compress', [tagged], {}],
    ['merge', [tagged, tagged], {}],
    ['split', [tagged], { splits: '[1]' }],
  ] as const) {
    const time = await timed(() => post(`/v1/pdf/${work}`, formOf(files, fields)));
    goal(`${work} of a ${MANY_ELEMENTS}`, time / 1000, 6, ' s');
  }
  const files = [at('large-1.pdf'), at('large-2.pdf')];
  for (const file of files) writeFileSync(file, await large(100));
  const contents = files.map((file) => readFileSync(file));
  await row('merge 2 × 100 MB', merging(files), '/v1/pdf/merge', () => formOf(contents), 3);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true });
}
