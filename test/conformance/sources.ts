import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { docx as bareDocx, odp, ods } from '../convert/documents.ts';
import { sample as formatSample } from '../formats/build.ts';
import { odf, odfTable, page as slide, tp } from '../office/odf.ts';
import { atable, pptx } from '../office/pptx.ts';
import { xlsx } from '../office/xlsx.ts';
import { fontOf } from '../support/fonts.ts';
import { pdfWithForeignXmp } from '../pdf/foreign-xmp.ts';
import { makeForm } from '../pdf/form-material.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../support/invoice.ts';
import { type Client, documentOf, type Fields, type Reply } from './client.ts';
import { FRAMES, framed, KINDS } from './corpus.ts';

/** The documents of the corpus, each with a claim and without one. */

export interface Source {
  /** Of a file: letters, digits, `-`. */
  name: string;
  /** Levels of PDF/A that it takes, in turns; default: all. */
  archives?: readonly string[];
  /** False: it has no tags, and takes no PDF/UA. */
  isTagged: boolean;
  /** Poppler shows device-independent colours as on the screen of the output intent. Default: poppler. */
  pixelsBy?: 'mupdf';
  /** True: fields are drawn that said nothing of how they look, which each program shows in its own way. */
  isDrawn?: true;
  /** Renders it, with that claim or without any. */
  render(claim: Claim | null): Promise<Reply>;
}

export interface Claim {
  conformance: readonly string[];
}

/** Levels that take no tags. */
const UNTAGGED = ['3u', '2u', '3b', '2b'];

/** A rendering, whose options take the claim. */
function rendering(
  client: Client,
  name: string,
  { path, fields, options = {} }: { path: string; fields: Fields; options?: object },
  isTagged = true,
): Source {
  return {
    name,
    isTagged,
    ...(isTagged ? {} : { archives: UNTAGGED }),
    render: async (claim) =>
      await client.send('POST', path, {
        ...fields,
        render_options: JSON.stringify({ ...options, ...claim }),
      }),
  };
}

const FORM = `<p><label>Name <input name="n" value="{{ values[0] }}"></label> <label><input type="checkbox" name="c" checked> Check</label></p>
<fieldset><legend>Colour</legend><input type="radio" name="r" value="x" title="x"><input type="radio" name="r" value="y" title="y"></fieldset>
<label>List <select name="s">{% for v in values %}<option>{{ v }}{% endfor %}</select></label><textarea name="t" title="T" style="transform:scale(.9)">{{ values[1] }}</textarea>`;

/** Html of each kind in each frame, html of samples, and what templates can do besides. */
export async function htmlSources(client: Client): Promise<Source[]> {
  const html = (name: string, body: string, options: object, fields: Fields = {}): Source =>
    rendering(client, name, {
      path: '/v1/render/pdf',
      fields: { file_data: [body, 'template.html'], render_data: '{}', ...fields },
      options,
    });
  const plain = Object.entries(KINDS).flatMap(([kind, body]) =>
    Object.entries(FRAMES).map(([frame, wrap]) => {
      const { html: text, options } = wrap(body);
      return html(`${kind}-${frame}`, text, { templating_engine: 'none', ...options });
    }),
  );
  const filled = (name: string, template: string, data: unknown, options: object = {}): Source =>
    html(name, template, { language: 'en', ...options }, { render_data: JSON.stringify(data) });
  await client
    .send('PUT', '/v1/partials/part.html', { file_data: ['<p>Of {{ name }}', 'part.html'] })
    .then(documentOf);
  await client
    .send('PUT', '/v1/fonts/Waladea.ttf', { file_data: [fontOf('Waladea'), 'x.ttf'] })
    .then(documentOf);
  const chart = { xAxis: { data: ['a', 'b'] }, yAxis: {}, series: [{ type: 'bar', data: [1, 2] }] };
  const places = (text: string): string => `<b>${text} <span class="pageNumber"></span></b>`;
  const pages =
    '<p style="break-after:page">one</p><h2>two</h2><p style="break-after:page">x</p><h2>three</h2>';
  return [
    ...plain,
    ...samples(client),
    filled('invoice', INVOICE_TEMPLATE, invoiceData()),
    filled('partial', framed('{% include "part.html" %}', ''), { name: 'partials' }),
    filled('tenant-font', framed('<p>Text äöü fi</p>', 'p{font-family:Waladea}'), {}),
    filled('markdown', framed('{{ text | markdown }}', ''), {
      text: '## Two\n\n1. a\n2. b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n> q\n\n`c` [l](https://example.org/)',
    }),
    filled('chart', framed('<div role=img aria-label="a and b">{{ chart(spec) }}</div>', ''), {
      spec: chart,
    }),
    filled(
      'pages-furniture',
      framed(pages, ''),
      {},
      {
        header_file: { default: places('Head'), first: places('First') },
        footer_file: { odd: places('Odd'), even: places('Even'), last: places('Last') },
      },
    ),
    filled(
      'named-pages',
      framed(`<section style="page:wide">${pages}</section>`, '@page wide{size:A5 landscape}'),
      {},
    ),
    filled('form-fields', framed(FORM, ''), { values: ['a', 'b'] }, { form_fields: true }),
    filled(
      'content-height',
      framed('<p>receipt</p>', ''),
      {},
      { paper_width: '80mm', paper_height: 'content' },
    ),
    filled(
      'stamped-html',
      framed(pages, ''),
      {},
      {
        steps: [{ stamp: { text: 'COPY', angle: 45, opacity: 0.3 } }, { page_numbers: {} }],
      },
    ),
    {
      name: 'combined',
      isTagged: true,
      render: async (claim) =>
        await client.send('POST', '/v1/render/pdf/batch', {
          file_data: [framed('<p>{{ name }}</p><h2>x</h2>', ''), 'template.html'],
          render_data: JSON.stringify([{ name: 'a' }, { name: 'b' }, { name: 'c' }]),
          combine: 'pdf',
          render_options: JSON.stringify({ title: 'All', language: 'en', ...claim }),
        }),
    },
  ];
}

/** The documents of `samples/`, one of each kind that people make. */
function samples(client: Client): Source[] {
  const folders = new URL('../../samples/', import.meta.url);
  return readdirSync(folders).map((name) => {
    const folder = new URL(`${name}/`, folders);
    const text = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
    const parts = readdirSync(folder).flatMap((file): [string, readonly [string, string]][] => {
      const { name: stem, ext } = parse(file);
      if (file === 'footer.html') return [['footer_data', [text(file), file]]];
      if (ext === '.css') return [[`css_${stem}`, [text(file), file]]];
      return ext === '.svg' ? [[`img_${stem}`, [text(file), file]]] : [];
    });
    return rendering(client, `sample-${name}`, {
      path: '/v1/render/pdf',
      fields: {
        file_data: [text('template.html'), 'template.html'],
        render_data: text('data.json'),
        ...Object.fromEntries(parts),
      },
      options: JSON.parse(text('options.json')) as object,
    });
  });
}

/** Kinds that become office documents, and are printed from those. */
const WRITTEN = [
  'paragraphs', 'pages', 'headings', 'list', 'table', 'spans', 'links', 'figure', 'definitions', 'cjk', 'rtl',
  'scripts', 'quotes', 'decoration', 'math',
]; // prettier-ignore

function officeRequest(format: string, file: Buffer): { path: string; fields: Fields; options: object } {
  const fields: Fields = {
    file_data: [file, `template.${format}`],
    template_data: JSON.stringify({ name: 'A document', format }),
    render_data: '{}',
  };
  return { path: '/v1/render/pdf', fields, options: { language: 'en' } };
}

/** Documents of the six office formats. */
export async function officeSources(client: Client): Promise<Source[]> {
  const office = (name: string, format: string, file: Buffer, isTagged = true): Source =>
    rendering(client, `${format}-${name}`, officeRequest(format, file), isTagged);
  const sources: Source[] = [];
  for (const kind of WRITTEN) {
    const fields: Fields = {
      file_data: [framed(KINDS[kind] ?? '', ''), 'template.html'],
      render_data: '{}',
      render_options: '{"templating_engine":"none"}',
    };
    for (const format of ['docx', 'odt']) {
      let file: Promise<Reply> | undefined;
      const name = `${format}-${kind}`;
      sources.push({
        name,
        isTagged: true,
        render: async (claim) => {
          const made = documentOf(await (file ??= client.send('POST', `/v1/render/${format}`, fields)));
          return await rendering(client, name, officeRequest(format, made)).render(claim);
        },
      });
    }
  }
  const cells = Array.from({ length: 70 }, (_, row) => [`row ${row}`, row, `=B${row + 1}*2`]);
  const rows = Array.from({ length: 70 }, (_, row) => [`row ${row}`, String(row)]);
  const decks = [['one'], ['one', 'two ünï'], ['a', 'b', 'c']];
  return [
    ...sources,
    office('letter', 'docx', formatSample('letter.docx')),
    office('letter', 'odt', formatSample('letter.odt')),
    office('bare', 'docx', await bareDocx('Dear reader')),
    office('table', 'odt', await odf('odt', tp('Text') + odfTable(...rows), { header: tp('Head') })),
    // LibreOffice 7.4 tags no cells.
    office('sheets', 'xlsx', formatSample('sheets.xlsx'), false),
    office('sheets', 'ods', formatSample('sheets.ods'), false),
    office('cells', 'xlsx', await xlsx([{ name: 'A', rows: cells }]), false),
    office('two', 'xlsx', await xlsx(['A', 'B'].map((name) => ({ name, rows: [['x', 1]] }))), false),
    office('cells', 'ods', await odf('ods', odfTable(...rows)), false),
    office(
      'cell',
      'ods',
      await ods('<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>'),
      false,
    ),
    ...(await Promise.all(decks.map(async (texts, at) => office(`deck${at}`, 'odp', await odp(...texts))))),
    office('table', 'odp', await odf('odp', slide('p', 'Title', odfTable(['a', 'b'], ['c', 'd'])))),
    ...(await Promise.all(
      decks.map(async (texts, at) => office(`deck${at}`, 'pptx', await pptx([{ shapes: texts }]))),
    )),
    office(
      'table',
      'pptx',
      await pptx([{ shapes: ['Title', atable(['a', 'b'], ['c', 'd'])] }, { shapes: ['2'] }]),
    ),
  ];
}

/** Images of each type and barcodes. They have tags where something says what they show. */
export function imageSources(client: Client): Source[] {
  const own = (name: string): Buffer => readFileSync(new URL(`../images/samples/${name}`, import.meta.url));
  const image = (name: string, file: Buffer, options: object = {}, suffix = ''): Source =>
    rendering(
      client,
      `image-${name.replace('.', '-')}${suffix}`,
      { path: '/v1/render/img', fields: { image: [file, name] }, options: { title: 'An image', ...options } },
      'alt' in options,
    );
  const alt = { alt: 'What is seen', language: 'en' };
  const formats = ['g4.tiff', 'multi.ico', 'rgb.bmp', 'rgb.jpg', 'rgba.gif', 'rgba.png', 'rgba.webp', 'simple.svg', 'x265.heic']; // prettier-ignore
  const barcodes: Record<string, string> = { ean13: '5901234123457', qr: 'https://example.org/', code128: 'ABC-123', datamatrix: 'x' }; // prettier-ignore
  return [
    ...formats.map((name) => image(name, formatSample(name))),
    ...['orient6.jpg', 'rgb16.png'].map((name) => image(name, own(name))),
    ...['g4.tiff', 'rgb.jpg', 'rgba.png', 'simple.svg'].map((name) =>
      image(name, formatSample(name), alt, '-alt'),
    ),
    image('rgb.jpg', formatSample('rgb.jpg'), { ...alt, steps: [{ page_numbers: {} }] }, '-alt-numbered'),
    ...['L', 'BW', 'LA', 'P', 'LAB', 'RGBA'].map((mode) => ({
      ...image('rgba.png', formatSample('rgba.png'), { image_mode: mode }, `-${mode}`),
      ...(mode === 'LAB' ? { pixelsBy: 'mupdf' as const } : {}),
    })),
    image('simple.svg', formatSample('simple.svg'), { image_mode: 'L', w: 5, x: 3, y: 3 }, '-placed'),
    ...Object.entries(barcodes).map(([format, data]) =>
      rendering(
        client,
        `barcode-${format}`,
        {
          path: '/v1/render/barcode',
          fields: { data: JSON.stringify({ data, barcode_format: format }) },
          options: { title: 'A barcode' },
        },
        false,
      ),
    ),
  ];
}

/** A file that is made by its path. */
function made(make: (path: string) => unknown): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'platen-made-'));
  const path = join(folder, 'made.pdf');
  try {
    make(path);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** PDFs that come in: as they are, merged, stamped, and changed by other steps. */
export async function fileSources(client: Client): Promise<Source[]> {
  const printed = async (kind: string, options: object = {}): Promise<Buffer> =>
    documentOf(
      await client.send('POST', '/v1/render/pdf', {
        file_data: [framed(KINDS[kind] ?? '', ''), 'template.html'],
        render_data: '{}',
        render_options: JSON.stringify({ templating_engine: 'none', ...options }),
      }),
    );
  const [table, list, rtl, form, links, letterhead] = [
    await printed('table'), await printed('list'), await printed('rtl'), await printed('form'), await printed('links'),
    await printed('gradient', { display_header_footer: false }),
  ]; // prettier-ignore
  const logo = formatSample('rgb.jpg');
  // A form with a field of each kind, most of which do not say how they look.
  const fields = made(makeForm);
  const untagged = { isTagged: false, archives: UNTAGGED };
  const processed = (name: string, files: Fields, steps: readonly object[]): Source => ({
    name: `pdf-${name}`,
    isTagged: true,
    ...(name === 'attached' ? { archives: ['3a'] } : {}),
    render: async (claim) => {
      const last =
        claim === null ? { metadata: {} } : { conform: { ...claim, language: 'en', title: 'A file' } };
      const all = JSON.stringify([...steps, last]);
      return await client.send('POST', '/v1/pdf/process', { ...files, steps: all });
    },
  });
  const two: Fields = { file0: [table, 'a.pdf'], file1: [list, 'b.pdf'] };
  const one: Fields = { file: [table, 'a.pdf'] };
  const text = { text: 'COPY', angle: 45, opacity: 0.3, size: 90 };
  return [
    ...Object.entries({ table, list, rtl, form, links }).map(([name, pdf]) =>
      processed(name, { file: [pdf, 'a.pdf'] }, []),
    ),
    processed('merged', two, []),
    processed('merged-three', { ...two, file2: [rtl, 'c.pdf'] }, [{ merge: {} }]),
    processed(
      'merged-forms',
      { file0: [form, 'a.pdf'], file1: [form, 'b.pdf'], file2: [links, 'c.pdf'] },
      [],
    ),
    processed('stamped', one, [{ stamp: text }]),
    processed('stamped-image', { ...one, logo: [logo, 'l.jpg'] }, [
      { stamp: { image: 'logo', position: 'top-right', scale: 0.5 } },
    ]),
    processed('stamped-pdf', { ...one, paper: [letterhead, 'p.pdf'] }, [
      { stamp: { pdf: 'paper', scale: 0.2 } },
    ]),
    processed('watermarked', one, [{ watermark: text }]),
    processed('numbered', two, [{ page_numbers: { format: 'Seite {page} von {pages}' } }]),
    processed('letterhead', { ...one, paper: [letterhead, 'p.pdf'] }, [{ letterhead: { pdf: 'paper' } }]),
    processed('selected', two, [{ pages: { pages: '2,1' } }]),
    processed('rotated', one, [{ rotate: { angle: 90 } }]),
    processed('scaled', one, [{ scale: { paper_format: 'A5' } }]),
    processed('imposed', two, [{ impose: { columns: 2, gap: 0.5 } }]),
    processed('outlined', one, [{ outline: { items: [{ title: 'a', page: 1 }] } }]),
    processed('attached', { ...one, data: ['1;2', 'd.csv'] }, [
      { attach: { files: [{ file: 'data', name: 'd.csv', mime: 'text/csv', relationship: 'Data' }] } },
    ]),
    processed('flattened', { file: [form, 'a.pdf'] }, [{ flatten: {} }]),
    { ...processed('foreign-xmp', { file: [made(pdfWithForeignXmp), 'a.pdf'] }, []), ...untagged },
    {
      ...processed('fields', { file: [fields, 'a.pdf'] }, []),
      ...untagged,
      isDrawn: true,
    },
    {
      ...rendering(client, 'form-template', {
        path: '/v1/render/pdf',
        fields: {
          file_data: [fields, 'form.pdf'],
          template_data: '{"format":"pdf"}',
          render_data: '{"name":"Ada","bare":true,"colour":"green","country":"FR"}',
        },
        options: { language: 'en', title: 'A form' },
      }),
      ...untagged,
      isDrawn: true,
    },
    processed('redacted', one, [{ redact: { words: ['3.1'] } }]),
    processed('compressed', two, [{ compress: { quality: 'medium' } }]),
    processed('everything', { ...two, logo: [logo, 'l.jpg'], paper: [letterhead, 'p.pdf'] }, [
      { letterhead: { pdf: 'paper' } },
      { stamp: { image: 'logo', scale: 0.5 } },
      { watermark: text },
      { page_numbers: {} },
    ]),
  ];
}
