import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { embedInvoice, extractInvoice } from '../../packages/pdf/src/factur-x/index.ts';
import { finishPdf } from '../../packages/pdf/src/finish.ts';
import { openPdf } from '../../packages/pdf/src/model/index.ts';
import { packetIn } from '../../packages/pdf/src/operations/packet.ts';
import { rawPdf, workspace } from './fixtures.ts';

/** Invoices within documents (I-44). */

const XML = Buffer.from('<invoice>äöü</invoice>');
const SAID = { fileName: 'factur-x.xml', level: 'EN 16931', version: '1.0', isWhole: true };
const INVOICE = { ...SAID, xml: XML, now: '2026-01-31T12:00:00Z' };

const ONE_PAGE = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
];

it('extracts an invoice as it was attached, or not at all (ISO 32000-1, table 46)', async () => {
  const file = await openPdf(readFileSync(rawPdf(workspace()('page.pdf'), ONE_PAGE)));
  embedInvoice(file, INVOICE);
  const saved = await openPdf(await file.save());
  expect(Buffer.from(extractInvoice(saved).xml)).toEqual(XML);
  const ref = saved.refs().find((one) => saved.dict(one)['/Type'] === '/EmbeddedFile') ?? '';
  saved.set(ref, saved.dict(ref), deflateSync(XML.subarray(0, 20)));
  expect(() => extractInvoice(saved)).toThrow(expect.objectContaining({ code: 'pdf_damaged' }));
  const { '/Params': _parameters, ...rest } = saved.dict(ref);
  saved.set(ref, rest);
  expect(Buffer.from(extractInvoice(saved).xml)).toEqual(XML.subarray(0, 20));
});

it.each([
  ['in one pass with the claims', false],
  ['before a document is compressed', true],
])('embeds an invoice %s, and removes the metadata of an older one', async (_, compress) => {
  const ferd = 'urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#';
  const packet =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    `<rdf:Description rdf:about="" xmlns:zf="${ferd}" zf:DocumentFileName="ZUGFeRD-invoice.xml"/>` +
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:rights>kept</dc:rights></rdf:Description>' +
    '<rdf:Description rdf:about="" xmlns:e="http://www.aiim.org/pdfa/ns/extension/" xmlns:s="http://www.aiim.org/pdfa/ns/schema#">' +
    `<e:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><s:namespaceURI>${ferd}</s:namespaceURI></rdf:li></rdf:Bag></e:schemas>` +
    '</rdf:Description></rdf:RDF></x:xmpmeta>';
  const at = workspace();
  const file = await openPdf(readFileSync(rawPdf(at('old.pdf'), ONE_PAGE)));
  embedInvoice(file, { ...INVOICE, fileName: 'ZUGFeRD-invoice.xml', xml: Buffer.from('<old/>') });
  const metadata = file.add({ '/Type': '/Metadata', '/Subtype': '/XML' }, Buffer.from(packet));
  file.set(file.catalogRef, { ...file.catalog, '/Metadata': metadata });
  const claims = { title: 'An invoice', language: 'en', onViolation: 'error', outline: true } as const;
  const nothing = { steps: [], fonts: null, encryptPassword: null };
  const pdf = await finishPdf(
    await file.save(),
    { ...nothing, compress, invoice: INVOICE, claims: { ...claims, levels: ['pdf/a-3b'] } },
    {
      scratch: () => Promise.resolve(at('')),
      violated: () => undefined,
      noted: () => undefined,
      signal: new AbortController().signal,
    },
  );
  const finished = await openPdf(pdf);
  expect(Buffer.from(extractInvoice(finished).xml)).toEqual(XML);
  expect(finished.array(finished.catalog['/AF'])).toHaveLength(1);
  const said = packetIn(finished) ?? '';
  expect(said).toContain('<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>');
  expect(said.match(/:namespaceURI[^>]*>urn:/g)).toHaveLength(1);
  expect(said).toContain('<pdfaid:part>3</pdfaid:part>');
  expect(said).toContain('kept');
  expect(said).not.toContain('zf:');
});
