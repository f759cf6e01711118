import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment } from '@platen/jinja';
import { INVOICE_TEMPLATE, invoiceData } from '../../test/support/invoice.ts';
import { serveInProcess } from '../../test/support/served.ts';
import { LETTER, OFFICE_TEMPLATES } from '../office-templates.ts';
import type { Inputs } from './contender.ts';

/** Rows that make three pages of the invoice. */
const ROWS_OF_THREE_PAGES = 130;

/** The invoice with headings for an outline and a link, to check whether they are preserved. */
const HTML_TEMPLATE = INVOICE_TEMPLATE.replace(
  '</body>',
  '<h2>Payment</h2><p>Pay at <a href="https://example.com/pay">example.com/pay</a>.</p></body>',
);

/** Creates the input files of all programs with Platen: filled documents and printed invoices. */
export async function makeInputs(): Promise<Inputs> {
  const service = await serveInProcess();
  const rendered = async (target: string, name: string, template: Uint8Array | string, data: unknown) => {
    const form = new FormData();
    form.append('file_data', new Blob([Buffer.from(template)]), name);
    form.append('render_data', JSON.stringify(data));
    const headers = { authorization: service.token };
    const url = `${service.url}/v1/render/${target}`;
    const response = await fetch(url, { method: 'POST', headers, body: form });
    if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  try {
    const htmlData = invoiceData();
    const items = Array.from({ length: 20 }, (_, i) => ({
      name: `Item ${i}`,
      count: i % 7,
      price: 1.5 * i,
    }));
    const officeData = { name: 'Ada Lovelace', items };
    const docxTemplate = await LETTER();
    const xlsxTemplate = (await OFFICE_TEMPLATES.xlsx?.()) ?? Buffer.alloc(0);
    const invoices: Uint8Array[] = [];
    for (let number = 1; number <= 10; number++) {
      const data = invoiceData(number);
      const articles = data['items'] as unknown[];
      const rows = Array.from({ length: ROWS_OF_THREE_PAGES }, (_, i) => articles[i % articles.length]);
      invoices.push(await rendered('pdf', 'invoice.html', HTML_TEMPLATE, { ...data, items: rows }));
    }
    return {
      htmlTemplate: HTML_TEMPLATE,
      html: new Environment().compile(HTML_TEMPLATE, 'template').render(htmlData),
      htmlData,
      docxTemplate,
      docx: await rendered('docx', 'letter.docx', docxTemplate, officeData),
      xlsxTemplate,
      xlsx: await rendered('xlsx', 'sheet.xlsx', xlsxTemplate, officeData),
      officeData,
      invoices,
    };
  } finally {
    await service.stop();
  }
}

/** The features of a document for its readers, as poppler and qpdf report them. */
export interface Kept {
  pages: number;
  tagged: boolean;
  links: number;
  outline: number;
}

/** @returns null if the file is not a PDF, for example a ZIP of the parts */
export function keptIn(bytes: Uint8Array): Kept | null {
  if (Buffer.from(bytes.subarray(0, 5)).toString('latin1') !== '%PDF-') return null;
  const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));
  try {
    const path = join(folder, 'a.pdf');
    writeFileSync(path, bytes);
    const info = execFileSync('pdfinfo', [path], { encoding: 'utf8' });
    const links = execFileSync('pdfinfo', ['-url', path], { encoding: 'utf8' });
    const plain = join(folder, 'plain.pdf');
    execFileSync('qpdf', ['--qdf', '--object-streams=disable', path, plain]);
    const text = readFileSync(plain, 'latin1');
    return {
      pages: Number(/^Pages:\s+(\d+)/m.exec(info)?.[1]),
      tagged: /^Tagged:\s+yes/m.test(info) && text.includes('/StructTreeRoot'),
      links: links.match(/https:\/\/example\.com\/pay/g)?.length ?? 0,
      // Items of an outline refer to their parent and have a title.
      outline: text.match(/^<<(?=[^>]*\/Parent )(?=[^>]*\/Title )(?:(?!^>>)[\s\S])*?^>>/gm)?.length ?? 0,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
