import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { mint, pdfInfo, pdfText, zipEntries, zipEntry } from '../api/client.ts';
import { blocksIn, pages } from './pages.ts';
import { checkSamples, SAMPLE_PAGES } from './sample-pages.ts';
import { checkout, NOT_RUN, reasonNotToRun, script, shell } from './shell.ts';

/**
 * The shell commands of the documentation, run as they are written, in the order in which a reader meets them. What
 * each page makes is looked at. Only the address and the token of the service are filled in, as a reader does. Those of
 * the recipes are in recipes.test.ts.
 */

const { token } = inject('service');

interface Page {
  /** Pages whose commands come first: their variables and files are used. */
  after?: readonly string[];
  /** Its commands are about all that a tenant has: it gets one of its own. */
  ownTenant?: true;
  /** Looks at what the commands have made. */
  look: (got: (name: string) => Buffer, output: string) => void | Promise<void>;
}

const PAGES: Readonly<Record<string, Page>> = {
  'README.md': {
    look: (got) => {
      expect(pdfText(got('invoice.pdf'))).toMatch(/Invoice 7[^]*Paper +4\.50[^]*Ink +12\.00/);
      expect(pdfInfo(got('invoice.pdf'))['Page size']).toMatch(/^419\.\d+ x 595/);
      expect(zipEntries(got('letters.zip'))).toEqual(['Invoice-1.pdf', 'Invoice-2.pdf']);
      expect(pdfText(zipEntry(got('letters.zip'), 'Invoice-2.pdf'))).toMatch(/Invoice 9[^]*Ink +12\.00/);
    },
  },
  'docs/index.md': { look: (got) => expect(pdfText(got('hello.pdf'))).toContain('Hello world') },
  'docs/security.md': {
    look: (_, output) => {
      expect(output).toContain('"name": "web shop"');
      expect(output.trim()).toMatch(/plt_[\w-]{43}$/);
    },
  },
  'docs/getting-started.md': {
    after: ['README.md'],
    look: (got, output) => {
      expect(output).toMatch(/^plt_\S+$/m);
      expect(output).toContain('<h1>Invoice 9</h1>');
      expect(pdfText(got('hello.pdf'))).toContain('Hello world');
      expect(pdfText(got('a5.pdf'))).toContain('Invoice 11');
      expect(pdfText(got('invoice.pdf'))).toContain('Invoice 10');
      expect(zipEntries(got('letters.zip'))).toEqual(['Invoice-1.pdf', 'Invoice-2.pdf', 'errors.json']);
      expect(zipEntries(got('good.zip'))).toEqual(['Invoice-1.pdf', 'errors.json']);
      expect(JSON.parse(zipEntry(got('good.zip'), 'errors.json').toString())).toMatchObject([{ record: 1 }]);
    },
  },
  'docs/templates.md': {
    after: ['README.md'],
    look: (got) => expect(got('back.html')).toEqual(got('invoice.html')),
  },
  'docs/rendering.md': {
    after: ['README.md'],
    look: (got) => {
      expect(zipEntries(got('invoices.zip'))).toEqual(['Invoice A-17.pdf', 'Invoice A-18.pdf']);
      expect(pdfText(zipEntry(got('invoices.zip'), 'Invoice A-18.pdf'))).toContain('A-18');
    },
  },
  'docs/command-line.md': {
    after: ['README.md'],
    look: (got) => {
      expect(pdfText(got('invoice.pdf'))).toContain('Invoice 11');
      expect(zipEntries(got('letters.zip'))).toHaveLength(2);
      expect(zipEntries(got('letter.odt'))).toContain('content.xml');
      expect(pdfInfo(got('both.pdf'))['Pages']).toBe('13');
      expect(pdfInfo(got('small.pdf'))['Pages']).toBe('1');
      expect(pdfText(got('done.pdf'))).toMatch(/1 ?\/ ?3[^]*3 ?\/ ?3/);
      expect(pdfText(got('public.pdf'))).toContain('report 4');
      expect(pdfText(got('public.pdf'))).not.toContain('report 3');
    },
  },
  'docs/repository.md': {
    after: ['README.md'],
    ownTenant: true,
    look: (got, output) => {
      expect(output).toMatch(
        /^invoice: added, version 1$[^]*^invoice: changed, version 2$[^]*^invoice: changed, version 3$/m,
      );
      expect(output).toMatch(/^-  "paper_format": "A5",?\n\+  "paper_format": "A4",?$/m);
      expect(got('letters/templates/invoice/template.json').toString()).toContain('A5');
      expect(zipEntries(got('templates.zip'))).toContain('templates/Repository invoice/samples/short.json');
    },
  },
  'docs/clients.md': {
    after: ['README.md'],
    look: (got, output) => {
      expect(pdfText(got('letter.pdf'))).toContain('Dear Ada, 2.5');
      expect(pdfText(got('both.pdf'))).toMatch(/Dear Ada[^]*Hello world/);
      expect(zipEntries(got('letters.zip'))).toEqual(['Letter-1.pdf', 'Letter-2.pdf', 'Letter-3.pdf']);
      expect(output).toMatch(/2 pages\nLetter\n422 template_render$/m);
      expect(pdfText(got('hello.pdf'))).toContain('Hello world');
    },
  },
  'docs/jobs.md': {
    after: ['README.md'],
    look: (got) => {
      expect(JSON.parse(got('job.json').toString())).toMatchObject({ operation: 'renderTemplateBatch' });
      expect(zipEntries(got('letters.zip'))).toEqual(['Invoice-1.pdf', 'Invoice-2.pdf']);
    },
  },
  'docs/fastpdf.md': {
    look: (_, output) => expect(output).toMatch(/^plt_\S+$/m),
  },
  'docs/uploads.md': {
    look: (got) => expect(pdfText(got('small.pdf'))).toContain('report 12'),
  },
  'docs/images.md': {
    look: (got) => {
      expect(pdfInfo(got('photo.pdf'))['Pages']).toBe('1');
      expect(pdfInfo(got('code.pdf'))['Pages']).toBe('1');
    },
  },
  'docs/pdf.md': {
    look: (got) => {
      expect(pdfInfo(got('all.pdf'))['Pages']).toBe('15');
      expect(pdfText(got('part.pdf'))).toMatch(/report 3[^]*report 6/);
      expect(zipEntries(got('parts.zip'))).toHaveLength(3);
      expect(pdfText(zipEntry(got('parts.zip'), zipEntries(got('parts.zip'))[2] ?? ''))).toContain(
        'report 9',
      );
      expect(pdfText(got('small.pdf'))).toContain('scan 1');
      expect(pdfInfo(got('out.pdf'))['Title']).toBe('Report');
      expect(() => pdfInfo(got('locked.pdf'))).toThrow(/password/i);
      expect(zipEntries(got('pages.zip'))).toHaveLength(3);
    },
  },
  'docs/conformance.md': {
    look: (got) => {
      expect(pdfText(got('archive.pdf'))).toContain('Invoice A-17');
      expect(got('archive.pdf').toString('latin1')).toContain('<pdfaid:part>3</pdfaid:part>');
      expect(got('kept.pdf').toString('latin1')).toContain('<pdfaid:part>2</pdfaid:part>');
    },
  },
  'docs/factur-x.md': {
    look: (got, output) => {
      expect(got('factur-x.xml').toString()).toContain('CrossIndustryInvoice');
      expect(got('factur-x.pdf').toString('latin1')).toContain('<pdfaid:part>3</pdfaid:part>');
      expect(output).toContain('"profile": "en16931"');
    },
  },
  'docs/signatures.md': {
    look: (got, output) => {
      expect(pdfText(got('signed.pdf'))).toContain('report 1');
      expect(output).toContain('"intact": true');
    },
  },
  'docs/partials.md': {
    after: ['README.md'],
    look: (_, output) => expect(output).toContain('"name": "letters/footer.html"'),
  },
  'docs/fonts.md': {
    after: ['README.md'],
    look: (_, output) => expect(output).toContain('"family": "Caladea"'),
  },
  'docs/pages.md': {
    after: ['README.md'],
    look: (got) => {
      expect(pdfText(got('receipt.pdf'))).toContain('coffee');
      const [, height] = /x ([\d.]+) pts/.exec(pdfInfo(got('receipt.pdf'))['Page size'] ?? '') ?? [];
      expect(Number(height)).toBeLessThan(200);
    },
  },
  'docs/pdf-steps.md': {
    look: (got) => {
      expect(() => pdfInfo(got('out.pdf'))).toThrow(/password/i);
      expect(pdfText(got('draft.pdf'))).toContain('report 1');
      expect(pdfText(got('sheets.pdf'))).toMatch(/Sheet 1 of \d/);
    },
  },
  'docs/pdf-info-and-forms.md': {
    look: (got, output) => {
      expect(output).toContain('"width": 10.5833');
      expect(output).toContain('report 3');
      expect(pdfText(got('filled.pdf'))).toMatch(/Zoë[^]*東京/);
      expect(pdfText(got('application.pdf'))).toMatch(/Zoë[^]*東京/);
    },
  },
  'docs/samples/README.md': { after: SAMPLE_PAGES, look: checkSamples },
};

describe('the commands of', () => {
  for (const [page, { after = [], ownTenant, look }] of Object.entries(PAGES)) {
    it(`${page} have the described results`, { timeout: 240_000 }, async () => {
      const folder = await checkout();
      try {
        const own = ownTenant ? await mint('--tenant', 'documentation') : token;
        const commands = [...after, page].map((each) => script(each, own)).join('\n');
        const output = await shell(commands, folder, own);
        await look((name) => readFileSync(path.join(folder, name)), output);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }

  it('every page with shell commands are run, or listed with a reason', () => {
    const run = new Set(Object.entries(PAGES).flatMap(([page, { after = [] }]) => [page, ...after]));
    const left = pages().flatMap((page) =>
      run.has(page) || page.startsWith('docs/recipes/')
        ? []
        : blocksIn(page, 'sh')
            .filter((block) => reasonNotToRun(block) === undefined)
            .map(({ line }) => `${page}:${line}`),
    );
    expect(left).toEqual([]);
    const all = pages().flatMap((page) => blocksIn(page, 'sh'));
    const stale = Object.keys(NOT_RUN).filter(
      (beginning) => !all.some(({ text }) => text.startsWith(beginning)),
    );
    expect(stale).toEqual([]);
  });
});
