import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { checkPdf, mint, pdfInfo, pdfText, zipEntries } from '../api/client.ts';
import { pdfPicture } from '../chrome/pdf.ts';
import { barcodesIn } from '../images/barcode-reader.ts';
import { comparePicture } from './sample-pages.ts';
import { checkout, script, shell } from './shell.ts';

/** The recipes, run as they are written. Each shows the first pages of the PDF that is named after it. */

const DPI = 56;

type Got = (name: string) => Buffer;
/** What the documents of a recipe have to contain, and the output of its commands. */
const LOOKS: Readonly<Record<string, (got: Got, output: string) => void | Promise<void>>> = {
  barcodes: async (got) => {
    const codes = await barcodesIn(sharp(pdfPicture(got('barcodes.pdf'), 1, 200)));
    expect(codes.toSorted()).toEqual(['EAN13:5901234123457', 'QRCode:https://example.org/parcels/7']);
  },
  certificate: (got) => expect(pdfText(got('certificate.pdf'))).toMatch(/Ada Lovelace[^]*November 24, 2026/),
  charts: (got) => expect(pdfText(got('charts.pdf'))).toMatch(/MWh[^]*Q4/),
  'contract-from-word': (got) =>
    expect(pdfText(got('contract-from-word.pdf'))).toMatch(/C-41[^]*Müller & Söhne[^]*€50\.00 are due/),
  'csv-to-pdfs': (got) => {
    expect(zipEntries(got('reminders.zip'))).toEqual(
      [7, 8, 9].map((number) => `Reminder 2026-0${number}.pdf`),
    );
    expect(pdfText(got('csv-to-pdfs.pdf'))).toMatch(/Müller & Söhne[^]*€1,250\.50[^]*December 31, 2026/);
  },
  embed: (got, output) => {
    expect(output).toBe('["templates:read","templates:write","render"]\n');
    expect(got('editor-token').toString()).toMatch(/^plt_/);
  },
  'factur-x': (got) => {
    expect(pdfText(got('factur-x.pdf'))).toMatch(/To pay +€214\.20/);
    expect(got('factur-x.xml').toString()).toContain('<ram:GrandTotalAmount>214.20</ram:GrandTotalAmount>');
  },
  'fill-a-form': (got, output) => {
    expect(output).toBe('name\ncity\nagree\n');
    expect(pdfText(got('fill-a-form.pdf'))).toMatch(/Zoë Müller[^]*東京/);
  },
  'first-page': (got) => {
    const [first, second] = pdfText(got('first-page.pdf')).split('\f');
    expect(first).toMatch(/12 Harbour Street[^]*Offer/);
    expect(second).toMatch(/^ *Northlight Studio +2\n/);
  },
  fonts: (_, output) => expect(output).toMatch(/Caladea[^]*Carlito|Carlito[^]*Caladea/),
  'from-carbone': (got) => expect(pdfText(got('from-carbone.pdf'))).toMatch(/Paper: 4,50.€/),
  'from-docxtpl': (got) => {
    expect(pdfText(got('from-docxtpl.pdf'))).toContain('Dear Ada');
    expect(zipEntries(got('out.docx'))).toContain('word/document.xml');
  },
  'from-jsreport': (got) => expect(pdfText(got('from-jsreport.pdf'))).toContain('2. Ink'),
  'from-puppeteer': (got) => expect(pdfText(got('from-puppeteer.pdf'))).toContain('Drawn by a script'),
  'from-wkhtmltopdf': (got) => expect(pdfText(got('from-wkhtmltopdf.pdf'))).toContain('Page 1 of 1'),
  labels: (got) => {
    expect(pdfInfo(got('labels.pdf'))['Pages']).toBe('2');
    expect(pdfText(got('labels.pdf'))).toMatch(/Customer 1\b[^]*Customer 30\b/);
  },
  letterhead: (got) => {
    const [first, second] = pdfText(got('letterhead.pdf')).split('\f');
    expect(first).toMatch(/12 Harbour Street[^]*Dear Ada/);
    expect(second).toContain('Northlight Studio');
    expect(second).not.toContain('Harbour Street');
  },
  'merge-and-stamp': (got) =>
    expect(pdfText(got('merge-and-stamp.pdf'))).toMatch(
      // The stamp is turned: the picture shows it.
      /cover[^]*1 ?\/ ?2[^]*report[^]*2 ?\/ ?2/,
    ),
  'page-numbers': (got) => expect(pdfText(got('page-numbers.pdf'))).toMatch(/Page 1 of 2[^]*Page 2 of 2/),
  'pdf-a': (got, output) => {
    expect(output).toMatch(/pdf\/a-2a.*pdf\/ua-1/);
    expect(pdfText(got('pdf-a.pdf'))).toContain('€60,000.00');
  },
  redact: (got, output) => {
    expect(pdfText(got('case.pdf'))).toContain('Lovelace');
    for (const text of [output, pdfText(got('redact.pdf'))]) {
      expect(text).toContain('The witness');
      expect(text).not.toMatch(/Lovelace|0117/);
    }
  },
  'right-to-left': (got) => expect(pdfText(got('right-to-left.pdf'))).toMatch(/Northlight Studio/),
  sign: (_, output) => expect(output).toContain('"intact": true'),
  tables: (got) => {
    const pages = pdfText(got('tables.pdf')).split('\f').slice(0, -1);
    expect(pages.every((text) => /Article +Pieces/.test(text))).toBe(true);
    expect(pages.at(-1)).toMatch(/Article 30[^]*Total +1395/);
  },
  'templates-in-git': (_, output) =>
    expect(output).toMatch(/greeting: added, version 1[^]*\+<h1>Hello[^]*greeting: changed, version 2/),
  versions: (_, output) => expect(output).toMatch(/<h1>Letter to Ada[^]*<h1>Dear Ada[^]*<h1>Letter to Ada/),
  webhooks: (got, output) => {
    expect(output).toContain('job.succeeded');
    expect(zipEntries(got('letters.zip'))).toHaveLength(2);
  },
};

describe('the recipe', () => {
  const names = readdirSync('docs/recipes').map((name) => path.basename(name, '.md'));
  for (const name of names.filter((each) => each !== 'README')) {
    it(`docs/recipes/${name}.md makes what it shows`, { timeout: 240_000 }, async () => {
      const page = `docs/recipes/${name}.md`;
      const folder = await checkout();
      const got: Got = (file) => readFileSync(path.join(folder, file));
      try {
        const own = await mint('--tenant', `recipe-${name}`);
        const output = await shell(script(page, own), folder, own);
        const look = LOOKS[name];
        if (look === undefined) throw new Error(`Nothing looks at what ${page} makes.`);
        await look(got, output);
        if (!readFileSync(page, 'utf8').includes(`../pictures/recipes/${name}.png`)) return;
        checkPdf(got(`${name}.pdf`));
        const pages = Math.min(2, Number(pdfInfo(got(`${name}.pdf`))['Pages']));
        await comparePicture(
          `recipes/${name}.png`,
          Array.from({ length: pages }, (_, index) => pdfPicture(got(`${name}.pdf`), index + 1, DPI)),
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
