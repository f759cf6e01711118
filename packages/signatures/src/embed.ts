import { PlatenError } from '@platen/core/errors';
import { openPdf, type PdfFile } from '@platen/pdf/model';
import { isDict, isRef, type PdfDict, type PdfValue, pdfText, type Ref } from '@platen/pdf/values';
import { notValid } from './certificate.ts';
import { tagWidget } from './visible.ts';
import { pdfDate, permissionOf, signatureFields } from './fields.ts';
import type { Certification } from './levels.ts';

/** Puts signatures into PDFs, each as an incremental update, so that those that are there stay valid. */

const PERMISSIONS = { no_changes: 1, forms: 2, annotations: 3 } as const;

/** The description of a signature besides its signer. */
export interface Description {
  reason?: string | undefined;
  location?: string | undefined;
  contact?: string | undefined;
  certify?: Certification | undefined;
  /** When it is signed, as the signer says. */
  time: Date;
}

/** A widget, as it is added for a signature. */
export type Widget = (file: PdfFile, field: PdfDict) => PdfDict | Promise<PdfDict>;

/** A PDF with a place for a signature. */
export interface Prepared {
  bytes: Buffer;
  /** Where /Contents lies, its brackets too. */
  start: number;
  end: number;
}

/** More digits than any offset has: what stands there is replaced. */
const PLACEHOLDER = 9_999_999_999;

/**
 * Makes a place for a signature.
 *
 * @param room bytes for the CMS structure
 * @param widget where the signature is seen
 * @throws PlatenError `invalid_field` for a document that is certified against it; as `openPdf`
 */
export async function prepare(
  pdf: Uint8Array,
  description: Description,
  room: number,
  widget: Widget,
): Promise<Prepared> {
  const file = await openPdf(pdf);
  const fields = signatureFields(file);
  const { certify = 'none' } = description;
  refuseCertified(
    file,
    certify,
    fields.some(({ signature }) => signature !== null),
  );
  const signature = file.add({
    '/Type': '/Sig',
    '/Filter': '/Adobe.PPKLite',
    '/SubFilter': '/ETSI.CAdES.detached',
    '/ByteRange': [0, PLACEHOLDER, PLACEHOLDER, PLACEHOLDER],
    '/Contents': `b:${'00'.repeat(room)}`,
    '/M': pdfDate(description.time),
    '/Reason': textOrNone(description.reason),
    '/Location': textOrNone(description.location),
    '/ContactInfo': textOrNone(description.contact),
    ...(certify === 'none' ? {} : { '/Reference': [docMdp(PERMISSIONS[certify])] }),
  });
  const field: PdfDict = {
    '/Type': '/Annot',
    '/Subtype': '/Widget',
    '/FT': '/Sig',
    '/T': pdfText(freeName(fields.map(({ name }) => name))),
    '/V': signature,
    // Printed, and not to be moved.
    '/F': 132,
  };
  const shown = file.add(await widget(file, field));
  addField(file, shown);
  if (file.dict(shown)['/AP'] !== undefined) tagWidget(file, shown);
  if (certify !== 'none') certifyWith(file, signature);
  const places = [
    { ref: signature, key: '/Contents' },
    { ref: signature, key: '/ByteRange' },
  ];
  const { bytes, places: found } = await file.saveIncremental({ locate: places });
  const [contents, range] = found;
  if (contents === undefined || range === undefined) throw new Error('the signature has no place');
  const written = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = [0, contents.start, contents.end, written.length - contents.end];
  const text = `[${values.join(' ')}]`;
  written.write(text.padEnd(range.end - range.start), range.start, 'latin1');
  return { bytes: written, start: contents.start, end: contents.end };
}

/** Returns the signed bytes: all of the file except the signature itself. */
export function signedParts({ bytes, start, end }: Prepared): Buffer[] {
  return [bytes.subarray(0, start), bytes.subarray(end)];
}

/** Returns whether there is room for a signature. */
export function hasRoom({ start, end }: Prepared, cms: Uint8Array): boolean {
  return cms.length * 2 + 2 <= end - start;
}

/** Puts the signature in its place, in `prepared.bytes` itself. */
export function putSignature({ bytes, start }: Prepared, cms: Buffer): Buffer {
  bytes.write(cms.toString('hex'), start + 1, 'latin1');
  return bytes;
}

/** A widget that is not seen: on the first page, without extent. */
export function invisible(file: PdfFile, field: PdfDict): PdfDict {
  const [page] = file.pages();
  if (page === undefined) throw new PlatenError('pdf_damaged', 'The PDF is damaged: it has no page.');
  return { ...field, '/Rect': [0, 0, 0, 0], '/P': page };
}

function refuseCertified(file: PdfFile, certify: Certification, isSigned: boolean): void {
  if (certify !== 'none' && isSigned) {
    throw notValid('certify', 'requires a document without signatures, and this one is signed');
  }
  const certification = file.resolve(file.dict(file.catalog['/Perms'])['/DocMDP']);
  if (isDict(certification) && permissionOf(file, certification) === 1) {
    throw notValid('file', 'is certified against any change, a further signature too');
  }
}

function docMdp(permission: number): PdfDict {
  return {
    '/Type': '/SigRef',
    '/TransformMethod': '/DocMDP',
    '/TransformParams': { '/Type': '/TransformParams', '/V': '/1.2', '/P': permission },
  };
}

function certifyWith(file: PdfFile, signature: Ref): void {
  const permissions = { ...file.dict(file.catalog['/Perms']), '/DocMDP': signature };
  file.set(file.catalogRef, { ...file.catalog, '/Perms': permissions });
}

/** Adds a field to the form and to its page, changing the objects that hold the lists and no others. */
function addField(file: PdfFile, field: Ref): void {
  const { catalog } = file;
  const form = file.dict(catalog['/AcroForm']);
  const fields = file.array(form['/Fields']);
  // Signatures are there, and the file is to be appended to only (table 225).
  const changed: PdfDict = { ...form, '/SigFlags': 3 };
  const list = form['/Fields'];
  if (isRef(list)) file.set(list, [...fields, field]);
  else changed['/Fields'] = [...fields, field];
  if (isRef(catalog['/AcroForm'])) file.set(catalog['/AcroForm'], changed);
  else file.set(file.catalogRef, { ...catalog, '/AcroForm': changed });
  const page = file.dict(field)['/P'];
  if (!isRef(page)) return;
  const dict = file.dict(page);
  const annotations = dict['/Annots'];
  const all = [...file.array(annotations), field];
  if (isRef(annotations)) file.set(annotations, all);
  else file.set(page, { ...dict, '/Annots': all });
}

function freeName(taken: readonly string[]): string {
  for (let number = taken.length + 1; ; number++) {
    const name = `Signature${number}`;
    if (!taken.includes(name)) return name;
  }
}

function textOrNone(text: string | undefined): PdfValue {
  return text === undefined || text === '' ? null : pdfText(text.toWellFormed());
}
