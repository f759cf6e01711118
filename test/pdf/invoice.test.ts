import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { embedInvoice, extractInvoice } from '../../packages/pdf/src/factur-x/index.ts';
import { finishPdf } from '../../packages/pdf/src/finish.ts';
import { openPdf } from '../../packages/pdf/src/model/index.ts';
import { packetIn } from '../../packages/pdf/src/operations/packet.ts';
import { conform } from '../../packages/pdf/src/conformance/index.ts';
import { claimsOfDocument } from '../../packages/pdf/src/look/claims.ts';
import type { Embedded } from '../../packages/pdf/src/operations/factur-x-task.ts';
import { embedInPdf } from '../../packages/pdf/src/operations/factur-x.ts';
import { rawPdf, rawStream, run, workspace } from './fixtures.ts';
import { process } from './steps/chain.ts';

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

/** A page with text in a font that the file does not contain, and that nothing can replace. */
const WITHOUT_FONT = [
  ...ONE_PAGE.slice(0, 2),
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
  rawStream('', 'BT /F 9 Tf (Text) Tj ET'),
  '<< /Type /Font /Subtype /Type1 /BaseFont /Nowhere /Encoding /WinAnsiEncoding >>',
];

type Asked = Partial<Parameters<typeof embedInPdf>[0]>;

/** The claims of a document with an invoice, and what is told about it. */
async function embedded(pdf: Uint8Array, asked: Asked = {}): Promise<Embedded & { claims: string[] }> {
  const at = workspace();
  writeFileSync(at('in.pdf'), pdf);
  const task = {
    input: { path: at('in.pdf') },
    output: at('out.pdf'),
    invoice: INVOICE,
    fonts: null,
    ...asked,
  };
  const told = await embedInPdf(task);
  const file = await openPdf(readFileSync(at('out.pdf')));
  expect(Buffer.from(extractInvoice(file).xml)).toEqual(XML);
  return { ...told, claims: claimsOfDocument(file) };
}

const page = (objects = ONE_PAGE): Uint8Array => readFileSync(rawPdf(workspace()('page.pdf'), objects));
const claiming = async (...levels: ('pdf/a-2b' | 'pdf/a-3u' | 'pdf/a-3b')[]): Promise<Uint8Array> =>
  (await conform(page(), { levels })).pdf;

const silent = { violations: [], notes: [], lostProtection: false };

it('makes a document PDF/A-3b, or the level that is asked for (I-44)', async () => {
  expect(await embedded(page())).toEqual({ ...silent, claims: ['pdf/a-3b'] });
  expect(await embedded(page(), { conformance: 'pdf/a-3u' })).toEqual({ ...silent, claims: ['pdf/a-3u'] });
  expect(await embedded(await claiming('pdf/a-2b'))).toEqual({ ...silent, claims: ['pdf/a-3b'] });
  expect(await embedded(await claiming('pdf/a-3u'))).toEqual({ ...silent, claims: ['pdf/a-3u'] });
});

it('lowers a level that the document only claims, and says so', async () => {
  const claim = Buffer.from(await claiming('pdf/a-3u')).toString('latin1');
  const untrue = Buffer.from(claim.replace('conformance>U<', 'conformance>A<'), 'latin1');
  const { claims, notes, violations } = await embedded(untrue);
  expect([claims, violations]).toEqual([['pdf/a-3b'], []]);
  expect(notes).toEqual([
    { claimed: ['pdf/a-3a'], now: ['pdf/a-3b'], reason: expect.stringContaining('no tags') as string },
  ]);
});

it('refuses a document that cannot be PDF/A-3, or warns of it, or leaves it as it is', async () => {
  const detail = expect.stringContaining('The font Nowhere is not embedded') as string;
  await expect(embedded(page(WITHOUT_FONT))).rejects.toMatchObject({
    code: 'not_conformant',
    faults: [{ field: 'conformance', rule: 'ISO 19005-3, 6.2.11.4.1', page: 1, detail }],
  });
  const warned = await embedded(page(WITHOUT_FONT), { onViolation: 'warn' });
  expect(warned).toMatchObject({ claims: [], notes: [], violations: [{ page: 1, detail }] });
  const left = await embedded(page(WITHOUT_FONT), { conformance: 'none' });
  expect(left).toEqual({ ...silent, claims: [], notes: ['invoice_without_archive'] });
  const kept = await embedded(await claiming('pdf/a-3b'), { conformance: 'none' });
  expect(kept).toEqual({ ...silent, claims: ['pdf/a-3b'] });
});

it('makes the document PDF/A-3 as a step too, whatever stands before and after it', async () => {
  const at = workspace();
  const path = rawPdf(at('page.pdf'), ONE_PAGE);
  const embed = { name: 'factur_x', options: { invoice: INVOICE } } as const;
  const task = { inputs: [{ path }], output: at('out.pdf') };
  const claims = async (): Promise<string[]> => claimsOfDocument(await openPdf(readFileSync(at('out.pdf'))));
  await process({ ...task, steps: [{ name: 'rotate', options: { angle: 90 } }, embed] });
  expect(await claims()).toEqual(['pdf/a-3b']);
  const archive = { name: 'conform', options: { levels: ['pdf/a-2u'] } } as const;
  await process({ ...task, steps: [archive, embed, { name: 'linearize', options: {} }] });
  expect(await claims()).toEqual(['pdf/a-3u']);
  run('qpdf', '--check-linearization', at('out.pdf'));
  const inputs = [{ path: rawPdf(at('text.pdf'), WITHOUT_FONT) }];
  await expect(process({ ...task, inputs, steps: [embed] })).rejects.toMatchObject({
    code: 'not_conformant',
    faults: [{ field: 'steps[0].factur_x.conformance' }],
  });
  // A document without the claim has been accepted before.
  const lenient = { name: 'conform', options: { levels: ['pdf/a-3b'], onViolation: 'warn' } } as const;
  const { violations } = await process({ ...task, inputs, steps: [lenient, embed] });
  expect(violations).toMatchObject([{ page: 1 }, { page: 1 }]);
  expect(await claims()).toEqual([]);
});
