import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docx, p, png, table, W_NAMESPACES, XML } from './build.ts';
import { fill, type Options } from './fill.ts';
import { odf, odfTable, page, tp } from './odf.ts';
import { ap, atable, pptx } from './pptx.ts';
import { xlsx } from './xlsx.ts';

/** What LibreOffice makes of filled documents: all of a template's devices at once, in each format. */

const run = promisify(execFile);
const soffice = process.env['PLATEN_SOFFICE'] ?? 'soffice';

const long = 'long '.repeat(2000).trim();
const data = {
  name: 'Åsa <b>&amp;</b> "O\'Neil" 😀',
  arabic: 'مرحبا',
  lines: 'first\nsecond',
  long,
  vip: true,
  sales: {
    animation: false,
    xAxis: { type: 'category', data: ['Monday', 'Tuesday'] },
    yAxis: { type: 'value' },
    series: [{ type: 'bar', data: [3, 5] }],
  },
  items: [
    { n: 'Pen <1>', c: 2, p: 1.5 },
    { n: 'Ink & co', c: 3, p: 10 },
    { n: 'Paper', c: 4, p: 0.25 },
  ],
};
const ROWS = ['{%tr for i in items %}', ''];
const BODY = ['{{ i.n }} ', '{{ i.c * i.p }}'];
const END = ['{%tr endfor %}', ''];
const TEXT = ['Dear {{ na', 'me }}', ' {{ arabic }}'] as const;
const CONDITION = ['{% if vip %}', 'You are a VIP.', '{% else %}', 'You are not.', '{% endif %}'] as const;
const PICTURE = '<image src="{{logo}}" width="3">';
const CHART = '<image src="{{ chart(sales, 320, 200) }}">';
const header = (text: string): string => `${XML}<w:hdr ${W_NAMESPACES}>${text}</w:hdr>`;

const FORMATS = ['docx', 'odt', 'pptx', 'odp', 'xlsx', 'ods'] as const;

const templates: Record<NonNullable<Options['format']>, () => Promise<Buffer>> = {
  docx: async () =>
    await docx(
      p(...TEXT) +
        CONDITION.map((text) => p(text)).join('') +
        p('{{ lines }}') +
        p('{{ long }}') +
        table(ROWS, BODY, END) +
        p(PICTURE) +
        p(CHART),
      { 'word/header1.xml': header(p('Head {{ name }}')) },
      [{ id: 'rId1', type: 'header', target: 'header1.xml' }],
    ),
  odt: async () =>
    await odf(
      'odt',
      tp(...TEXT) +
        CONDITION.map((text) => tp(text)).join('') +
        tp('{{ lines }}') +
        tp('{{ long }}') +
        odfTable(ROWS, BODY, END) +
        tp(PICTURE) +
        tp(CHART),
      { header: tp('Head {{ name }}') },
    ),
  pptx: async () =>
    await pptx([
      {
        shapes: [
          ap(...TEXT) + CONDITION.map((text) => ap(text)).join('') + ap('{{ lines }}'),
          atable(ROWS, BODY, END),
          PICTURE,
        ],
      },
      { shapes: ['{%slide for i in items %}', 'Slide {{ i.n }}'] },
      { shapes: [CHART] },
      { shapes: ['{{ long }}'] },
    ]),
  odp: async () =>
    await odf(
      'odp',
      page(
        'a',
        tp(...TEXT) + CONDITION.map((text) => tp(text)).join('') + tp('{{ lines }}'),
        odfTable(ROWS, BODY, END),
        PICTURE,
      ) +
        page('b', '{%slide for i in items %}', 'Slide {{ i.n }}') +
        page('c', CHART) +
        page('d', '{{ long }}'),
      { layout: 'fo:page-width="28cm" fo:page-height="21cm"' },
    ),
  xlsx: async () =>
    await xlsx([
      {
        name: 'S {{ items|length }}',
        rows: [
          [TEXT.join('')],
          ...CONDITION.map((text) => [text]),
          ['{{ lines }}'],
          ROWS,
          ['{{ i.n }}', '{{ i.c * i.p }}', '=B9*2'],
          END,
          ['Total', '=SUM(B9:B9)', '=SUM(C9)'],
          [PICTURE],
          [CHART],
          ['{{ long }}'],
        ],
        after: '<headerFooter><oddHeader>&amp;CHead {{ name }}</oddHeader></headerFooter>',
      },
    ]),
  ods: async () => {
    const row = (...cells: string[]): string =>
      `<table:table-row>${cells.map((text) => (text.startsWith('of:') ? `<table:table-cell table:formula="${text}"/>` : `<table:table-cell office:value-type="string">${tp(text)}</table:table-cell>`)).join('')}</table:table-row>`;
    const rows = [
      row(TEXT.join('')),
      ...CONDITION.map((text) => row(text)),
      row('{{ lines }}'),
      row('{%tr for i in items %}'),
      row('{{ i.n }}', '{{ i.c * i.p }}', 'of:=[.B9]*2'),
      row('{%tr endfor %}'),
      row('Total', 'of:=SUM([.B9:.B9])', 'of:=SUM([.C9])'),
      row(PICTURE),
      row(CHART),
      row('{{ long }}'),
    ];
    return await odf(
      'ods',
      `<table:table table:name="S"><table:table-column table:number-columns-repeated="3"/>${rows.join('')}</table:table>`,
      {
        header: tp('Head {{ name }}'),
      },
    );
  },
};

describe('a filled document that LibreOffice prints', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'platen-office-'));
    const paths = FORMATS.map(async (format) => {
      const path = join(directory, `${format}.${format}`);
      const template = await templates[format]();
      await writeFile(path, await fill(template, data, { format, images: { logo: png(96, 48) } }));
      return path;
    });
    const profile = `-env:UserInstallation=${pathToFileURL(join(directory, 'profile')).href}`;
    const order = [profile, '--headless', '--convert-to', 'pdf', '--outdir', directory];
    await run(soffice, [...order, ...(await Promise.all(paths))], { timeout: 280_000 });
  });
  afterAll(async () => await rm(directory, { recursive: true, force: true }));

  /** Text of the PDF, and how many pictures of pixels there are in it. */
  async function printed(format: (typeof FORMATS)[number]): Promise<{ text: string; pictures: number }> {
    const pdf = join(directory, `${format}.pdf`);
    const keep = process.env['PLATEN_KEEP_PRINTED'];
    if (keep) await writeFile(join(keep, `${format}.pdf`), await readFile(pdf));
    const { stdout: text } = await run('pdftotext', ['-layout', pdf, '-']);
    const { stdout: list } = await run('pdfimages', ['-list', pdf]);
    return { text, pictures: list.split('\n').filter((line) => / image /.test(line)).length };
  }

  for (const format of FORMATS) {
    it(`shows text, rows, condition, picture, chart and header of ${format}`, async () => {
      const { text, pictures } = await printed(format);
      expect(text).toContain('Dear Åsa <b>&amp;</b> "O\'Neil"');
      expect(text).toContain('You are a VIP.');
      expect(text).not.toContain('You are not.');
      expect(text).not.toMatch(/\{[{%]|endfor|#REF|Err:|<image/);
      for (const word of ['first', 'second', 'Pen <1>', 'Ink & co', 'Paper']) expect(text).toContain(word);
      expect(pictures).toBe(1);
      // The chart is a drawing (I-42): what it says is text.
      for (const label of ['Monday', 'Tuesday']) expect(text).toContain(label);
      if (format === 'xlsx' || format === 'ods') {
        expect(text).toMatch(/Total\s+34\s+68/);
        expect(text).toMatch(/first\n\s*second/);
        if (format === 'xlsx') expect(text).toContain('Head Åsa <b>&amp;</b>');
      } else if (format === 'docx' || format === 'odt') {
        expect(text).toContain('Head Åsa <b>&amp;</b>');
        expect(text.match(/long/g)?.length).toBe(2000);
      } else expect(text).toContain('Slide Ink & co');
    });
  }
});
