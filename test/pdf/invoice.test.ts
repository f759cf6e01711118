import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { embedInvoice, extractInvoice } from '../../packages/pdf/src/factur-x/index.ts';
import { openPdf } from '../../packages/pdf/src/model/index.ts';
import { rawPdf, workspace } from './fixtures.ts';

/** Invoices within documents (I-44). */

const ONE_PAGE = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
];

it('gives an invoice back as it was attached, or not at all (ISO 32000-1, table 46)', async () => {
  const file = await openPdf(readFileSync(rawPdf(workspace()('page.pdf'), ONE_PAGE)));
  const xml = Buffer.from('<invoice>äöü</invoice>');
  const said = { fileName: 'factur-x.xml', level: 'EN 16931', version: '1.0', isWhole: true };
  embedInvoice(file, { ...said, xml, now: '2026-01-31T12:00:00Z' });
  const saved = await openPdf(await file.save());
  expect(Buffer.from(extractInvoice(saved).xml)).toEqual(xml);
  const ref = saved.refs().find((one) => saved.dict(one)['/Type'] === '/EmbeddedFile') ?? '';
  saved.set(ref, saved.dict(ref), deflateSync(xml.subarray(0, 20)));
  expect(() => extractInvoice(saved)).toThrow(expect.objectContaining({ code: 'pdf_damaged' }));
  const { '/Params': _parameters, ...rest } = saved.dict(ref);
  saved.set(ref, rest);
  expect(Buffer.from(extractInvoice(saved).xml)).toEqual(xml.subarray(0, 20));
});
