import { readFileSync } from 'node:fs';
import type { Route } from '../../packages/contract/src/route.ts';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { docx, p } from '../office/build.ts';
import { mutatedField, mutatedFile, type Sample } from './mutate.ts';
import { ATTACKS } from '../threads/pollution.ts';
import type { Random } from '../support/random.ts';

/** Requests of every route: valid ones, made of the samples of the tests, and what becomes of those. */

export interface FuzzRequest {
  operation: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** What valid requests are made of. */
export interface Material {
  html: Sample[];
  office: Sample[];
  images: Sample[];
  pdfs: Sample[];
  /** Of templates, files and jobs that are there. */
  ids: string[];
}

/** @param pdfs made by the service before */
export async function material(pdfs: Sample[], ids: string[]): Promise<Material> {
  const formats = (names: string[]): Sample[] =>
    names.map((name) => ({ name, bytes: readFileSync(`test/formats/samples/${name}`) }));
  const filled = await docx(p('Dear {{ name }}, {% for a in list %}{{ a }}{% endfor %}'));
  const html =
    '<h1>{{ name }}</h1>{% for a in list %}<p>{{ a | upper }}</p>{% endfor %}<img src="{{ logo }}">';
  return {
    html: [{ name: 'a.html', bytes: Buffer.from(html) }],
    office: [
      { name: 'filled.docx', bytes: filled },
      ...formats(['letter.docx', 'letter.odt', 'sheets.ods', 'sheets.xlsx']),
    ],
    images: formats([
      'g4.tiff',
      'multi.ico',
      'rgb.bmp',
      'rgb.jpg',
      'rgba.gif',
      'rgba.png',
      'rgba.webp',
      'simple.svg',
      'x265.heic',
    ]),
    pdfs,
    ids,
  };
}

type Field = { text: string } | { file: Sample };

const DATA = JSON.stringify({ name: 'Ada', list: [1, 'two', 3.5, null], logo: 'x' });
const OPTIONS = JSON.stringify({ paper_format: 'A5', landscape: true, margin_top: 1.5, scale: 1.2 });

/** Charts with names that every object inherits, which once changed the documents of other tenants. */
const CHARTS: Sample[] = ATTACKS.filter(({ library }) => library === 'chart').map(({ input }) => ({
  name: 'chart.html',
  bytes: Buffer.from(`{{ chart(${JSON.stringify(input)}) }}`),
}));

/** Fields that make a valid request of a route, each as it may be. */
function fieldsOf(route: Route, all: Material, random: Random): Record<string, Field> {
  const one = (samples: Sample[]): Sample => {
    const sample = samples[random.below(samples.length)];
    if (sample === undefined) throw new Error('there is no sample');
    return sample;
  };
  // Most templates are html: LibreOffice takes a hundred times as long.
  const template = random.once(12) ? one(all.office) : one(random.once(8) ? CHARTS : all.html);
  const format = template.name.split('.').at(-1) ?? 'html';
  const pdf = { file: one(all.pdfs) };
  const rendering = { render_data: { text: DATA }, render_options: { text: OPTIONS } };
  const known: Record<string, Record<string, Field>> = {
    addTemplate: {
      file_data: { file: template },
      template_data: { text: JSON.stringify({ name: 'F', format }) },
    },
    addStylesheet: {
      file_data: { file: { name: 'a.css', bytes: Buffer.from('p{color:red}') } },
      template_data: { text: '{"format":"css"}' },
    },
    addImage: { file_data: { file: one(all.images) }, template_data: { text: '{"format":"png"}' } },
    renderNow: { file_data: { file: template }, ...rendering },
    renderNowBatch: {
      file_data: { file: template },
      ...rendering,
      render_data: { text: `[${DATA},${DATA}]` },
    },
    renderTemplate: rendering,
    renderTemplateBatch: { ...rendering, render_data: { text: `[${DATA},{}]` } },
    renderUrl: { url: { text: 'http://127.0.0.1:9/' } },
    renderImage: {
      image: { file: one(all.images) },
      render_options: { text: '{"x":1,"w":4,"image_mode":"L"}' },
    },
    renderBarcode: { data: { text: '{"data":"4006381333931","barcode_format":"ean13"}' } },
    renderStoredImageByPost: { render_options: { text: '{"x":1}' } },
    mergePdf: { file1: pdf, file2: { file: one(all.pdfs) } },
    splitPdf: { file: pdf, splits: { text: '[1,2]' } },
    splitPdfToZip: { file: pdf, splits: { text: '[[1],[1,2]]' } },
    compressPdf: { file: pdf, options: { text: '{"quality":"high","linearize":true}' } },
    editPdfMetadata: { file: pdf, metadata: { text: '{"Title":"T","/Author":null}' } },
    encryptPdf: { file: pdf, password: { text: 'p' }, permissions: { text: '{"print":true}' } },
    renderPdfPages: { file: pdf, dpi: { text: '40' }, pages: { text: '1' } },
    createUpload: { size: { text: '10' }, name: { text: 'a.pdf' } },
  };
  return known[route.operation] ?? {};
}

const WORDS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  format: ['pdf', 'html', 'png', 'jpeg', 'webp', 'svg', 'docx', 'nonsense', 'xlx'],
};

function pathOf(route: Route, { ids }: Material, random: Random): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (random.once(15))
      return encodeURIComponent(mutatedField('x', random).slice(0, 100).toWellFormed()) || 'x';
    const words = WORDS[name];
    return words ? random.pick(words) : (ids[random.below(ids.length)] ?? 'x');
  });
}

/** The next request: of a route, with each of its fields and files as it should be, changed, doubled or left out. */
export async function nextRequest(all: Material, random: Random): Promise<FuzzRequest> {
  const route = ROUTES[random.below(ROUTES.length)];
  if (route === undefined) throw new Error('there are no routes');
  const boundary = `fuzz${random.below(1e9)}`;
  const parts: Buffer[] = [];
  for (const [name, field] of Object.entries(fieldsOf(route, all, random))) {
    if (random.once(15)) continue;
    const content =
      'file' in field ? await fileOf(field.file, all, random) : Buffer.from(textOf(field.text, random));
    const filename = 'file' in field ? `; filename="${random.once(8) ? '' : field.file.name}"` : '';
    const part = Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]);
    parts.push(part);
    if (random.once(25)) parts.push(part);
  }
  const whole = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  const body =
    route.method === 'POST' || route.method === 'PUT'
      ? random.once(40)
        ? whole.subarray(0, random.below(whole.length))
        : whole
      : null;
  const headers: Record<string, string> = {};
  if (body !== null) {
    headers['content-type'] = random.once(40)
      ? random.pick([
          'application/json',
          'text/plain',
          'multipart/form-data',
          'application/x-www-form-urlencoded',
        ])
      : `multipart/form-data; boundary=${boundary}`;
  }
  if (random.once(30)) headers['prefer'] = 'respond-async';
  if (random.once(30)) headers['idempotency-key'] = String(random.below(20));
  const query = random.once(10)
    ? `?${random.pick(['limit', 'on_error', '__proto__', 'scale'])}=${encodeURIComponent(mutatedField('1', random).slice(0, 500).toWellFormed())}`
    : '';
  return {
    operation: route.operation,
    method: route.method,
    path: pathOf(route, all, random) + query,
    headers,
    body,
  };
}

async function fileOf(sample: Sample, all: Material, random: Random): Promise<Buffer> {
  if (random.once(4)) return sample.bytes;
  const others = [all.html, all.office, all.images, all.pdfs].flat();
  return await mutatedFile(sample, others[random.below(others.length)] ?? sample, random);
}

function textOf(text: string, random: Random): string {
  return random.once(3) ? mutatedField(text, random) : text;
}
