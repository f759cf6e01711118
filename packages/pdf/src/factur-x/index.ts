import { PlatenError } from '@platen/core/errors';
import { checksumOf, embedFile } from '../model/embedded-file.ts';
import { openPdf, type PdfFile } from '../model/index.ts';
import { damaged } from '../model/syntax.ts';
import { readNames, writeNames } from '../model/name-tree.ts';
import { decodePacket } from '../operations/packet.ts';
import {
  isRef,
  isString,
  pdfText,
  stringBytes,
  textOf,
  type PdfDict,
  type PdfValue,
  type Ref,
} from '../model/values.ts';
import { describeInvoice, type InvoiceDescription } from './xmp.ts';

export { invoiceSchema } from './xmp.ts';

/** The XML of an invoice in a PDF, as defined by Factur-X and ZUGFeRD. */

/** Names of the file in all versions, newest first. */
export const INVOICE_FILE_NAMES = [
  'factur-x.xml',
  'xrechnung.xml',
  'zugferd-invoice.xml',
  'ZUGFeRD-invoice.xml',
] as const;

export interface EmbeddedInvoice extends InvoiceDescription {
  xml: Uint8Array;
  /**
   * Whether the PDF contains no more than the XML; otherwise the XML contains less (MINIMUM, BASIC WL).
   */
  isWhole: boolean;
  /** Creation time, ISO 8601 in UTC. */
  now: string;
}

/**
 * Embeds an invoice in a document and declares it. An existing invoice is replaced; other attachments stay. The
 * caller is responsible for PDF/A-3.
 *
 * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
 */
export function embedInvoice(file: PdfFile, invoice: EmbeddedInvoice): void {
  attachInvoice(file, invoice);
  const packet = setPacket(file, describeInvoice(packetOf(file), invoice));
  file.set(file.catalogRef, { ...file.catalog, '/Metadata': packet });
}

/**
 * Attaches the file only. Callers that write the XMP anyway declare it with `invoiceSchema`.
 *
 * @throws PlatenError as `embedInvoice`
 */
export function attachInvoice(file: PdfFile, invoice: EmbeddedInvoice): void {
  const { catalog } = file;
  const names = file.dict(catalog['/Names']);
  const before = readNames(file, names['/EmbeddedFiles']);
  const kept = before.filter(([name, value]) => !isInvoice(file, name, value));
  const gone = new Set(before.filter((entry) => !kept.includes(entry)).map(([, value]) => value));
  const associated = file
    .array(catalog['/AF'])
    .filter((value) => !gone.has(value) && !isInvoice(file, null, value));
  const specification = file.add(specificationOf(file, invoice));
  const entries: [string, PdfValue][] = [...kept, [pdfText(invoice.fileName), specification]];
  file.set(file.catalogRef, {
    ...catalog,
    '/Names': { ...names, '/EmbeddedFiles': file.add(writeNames(entries, (node) => file.add(node))) },
    '/AF': [...associated, specification],
  });
}

function specificationOf(file: PdfFile, { xml, fileName, isWhole, now }: EmbeddedInvoice): PdfDict {
  const stream = embedFile(file, xml, 'text/xml', now);
  return {
    '/Type': '/Filespec',
    '/F': pdfText(fileName),
    '/UF': pdfText(fileName),
    '/Desc': pdfText('The invoice as XML'),
    '/AFRelationship': isWhole ? '/Alternative' : '/Data',
    '/EF': { '/F': stream, '/UF': stream },
  };
}

/** Names of an attachment: in the name tree, and in the file specification. */
function namesOf(file: PdfFile, key: string | null, value: PdfValue): string[] {
  const specification = file.dict(value);
  const said = [specification['/UF'], specification['/F'], key];
  return said.map((name) => textOf(file.resolve(name)).toLowerCase()).filter((name) => name !== '');
}

function isInvoice(file: PdfFile, key: string | null, value: PdfValue): boolean {
  const names = namesOf(file, key, value);
  return INVOICE_FILE_NAMES.some((name) => names.includes(name.toLowerCase()));
}

function packetOf(file: PdfFile): string | undefined {
  const metadata = file.catalog['/Metadata'];
  const data = isRef(metadata) ? file.streamData(metadata, MAX_PACKET)?.data : undefined;
  return data === undefined ? undefined : decodePacket(Buffer.from(data));
}

const MAX_PACKET = 16 << 20;

/** Stored as plain text, so that programs without PDF support find it (ISO 32000-1, 14.3.2). */
function setPacket(file: PdfFile, packet: string): Ref {
  const dict = { '/Type': '/Metadata', '/Subtype': '/XML' };
  const before = file.catalog['/Metadata'];
  if (!isRef(before)) return file.add(dict, Buffer.from(packet));
  file.set(before, dict, Buffer.from(packet));
  return before;
}

/** An embedded invoice. */
export interface FoundInvoice {
  xml: Uint8Array;
  /** Its name in the PDF. */
  fileName: string;
}

/**
 * Returns the invoice of a document; the newest name takes precedence.
 *
 * @throws PlatenError `factur_x_invalid` if there is none, `pdf_damaged`, `pdf_too_complex`
 */
export function extractInvoice(file: PdfFile): FoundInvoice {
  const { catalog } = file;
  const attached: [string | null, PdfValue][] = [
    ...readNames(file, file.dict(catalog['/Names'])['/EmbeddedFiles']),
    ...file.array(catalog['/AF']).map((value): [null, PdfValue] => [null, value]),
  ];
  for (const wanted of INVOICE_FILE_NAMES) {
    for (const [key, value] of attached) {
      if (!namesOf(file, key, value).includes(wanted.toLowerCase())) continue;
      const specification = file.dict(value);
      const streams = file.dict(specification['/EF']);
      const stream = streams['/F'] ?? streams['/UF'];
      const data = isRef(stream) ? file.streamData(stream, MAX_INVOICE) : undefined;
      if (data === undefined || data.filters.length > 0) continue;
      if (!isWhole(file, stream, data.data))
        throw damaged('the invoice in it is not the one that was attached');
      const said = textOf(file.resolve(specification['/UF'] ?? specification['/F']));
      return { xml: data.data, fileName: said === '' ? wanted : said };
    }
  }
  const names = INVOICE_FILE_NAMES.join(', ');
  const detail = `The PDF has no invoice: no attached file is named ${names}.`;
  throw new PlatenError('factur_x_invalid', detail, {
    faults: [{ field: 'file', message: detail, rule: 'embedded', detail }],
  });
}

/** Returns whether a file is unchanged since it was attached, if the document has its checksum or size. */
function isWhole(file: PdfFile, stream: PdfValue | undefined, data: Uint8Array): boolean {
  const said = file.resolve(file.dict(file.dict(stream)['/Params'])['/CheckSum']);
  return (
    !isString(said) ||
    stringBytes(said).length !== 16 ||
    stringBytes(said).equals(stringBytes(checksumOf(data)))
  );
}

/** Maximum size of an extracted invoice in bytes. */
const MAX_INVOICE = 64 << 20;

/** Associated files were introduced with PDF/A-3, which is based on PDF 1.7. */
export function versionFor({ version }: PdfFile): string {
  return version < '1.7' ? '1.7' : version;
}

/**
 * Works as `embedInvoice` for the bytes of a file.
 *
 * @throws as `openPdf` in addition
 */
export async function pdfWithInvoice(
  pdf: Uint8Array,
  invoice: EmbeddedInvoice,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const file = await openPdf(pdf, { signal });
  embedInvoice(file, invoice);
  return await file.save({ version: versionFor(file), signal });
}
