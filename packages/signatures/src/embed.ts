import { PlatenError } from '@platen/core/errors';
import {
  openPdf,
  type PdfFile,
  isDict,
  isRef,
  type PdfDict,
  type PdfValue,
  pdfText,
  type Ref,
} from '@platen/pdf/model';
import type { SignatureContent } from '@platen/pdf/signature-appearance';
import { notValid } from './certificate.ts';
import { emptyField, lockReference, signField } from './existing.ts';
import { tagWidget } from './visible.ts';
import { pdfDate, permissionOf, signatureFields } from './fields.ts';
import type { Certification } from './levels.ts';

/** Adds signatures to PDFs as incremental updates, so that existing signatures stay valid. */

const PERMISSIONS = { no_changes: 1, forms: 2, annotations: 3 } as const;

/** The description of a signature besides its signer. */
export interface Description {
  reason?: string | undefined;
  location?: string | undefined;
  contact?: string | undefined;
  certify?: Certification | undefined;
  /** Name of an empty signature field; by default, a new field is added. */
  field?: string | undefined;
  /** The signing time as the signer states it. */
  time: Date;
}

/** How a signature is shown. */
export interface View {
  /** Returns the widget of a new signature field. */
  widget: (file: PdfFile, field: PdfDict) => PdfDict | Promise<PdfDict>;
  /** What an existing field shows; undefined leaves it unchanged. */
  content?: SignatureContent | undefined;
  /** Folder of the font files; null for none. */
  fonts: string | null;
}

/** A PDF with reserved space for a signature. */
export interface Prepared {
  bytes: Buffer;
  /** Offset of the value of /Contents, including its brackets. */
  start: number;
  end: number;
}

/** A number with more digits than any offset, so that every real value fits into its place. */
const PLACEHOLDER = 9_999_999_999;

/**
 * Adds a signature field, or takes an existing one, and reserves space for the signature.
 *
 * @param room bytes for the CMS structure
 * @param view how the signature is shown
 * @throws PlatenError `invalid_field` for a document whose certification forbids it, and as `emptyField`; the errors of
 *   `openPdf`
 */
export async function prepare(
  pdf: Uint8Array,
  description: Description,
  room: number,
  view: View,
): Promise<Prepared> {
  const file = await openPdf(pdf);
  const fields = signatureFields(file);
  const { certify = 'none' } = description;
  refuseCertified(
    file,
    certify,
    fields.some(({ signature }) => signature !== null),
  );
  const existing = description.field === undefined ? undefined : emptyField(file, description.field);
  const references = [
    ...(certify === 'none' ? [] : [docMdp(PERMISSIONS[certify])]),
    ...(existing === undefined ? [] : lockReference(file, existing)),
  ];
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
    ...(references.length === 0 ? {} : { '/Reference': references }),
  });
  if (existing === undefined) {
    const name = freeName(fields.map((field) => field.name));
    await addSigned(file, name, signature, view);
  } else {
    await signField(file, existing, signature, view);
    flagForm(file);
  }
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

/** Adds a field with a signature. */
async function addSigned(file: PdfFile, name: string, signature: Ref, { widget }: View): Promise<void> {
  const field: PdfDict = {
    '/Type': '/Annot',
    '/Subtype': '/Widget',
    '/FT': '/Sig',
    '/T': pdfText(name),
    '/V': signature,
    // The flags Print and Locked.
    '/F': 132,
  };
  const shown = file.add(await widget(file, field));
  addField(file, shown);
  if (file.dict(shown)['/AP'] !== undefined) tagWidget(file, shown);
}

/** Returns the signed bytes: all of the file except the signature itself. */
export function signedParts({ bytes, start, end }: Prepared): Buffer[] {
  return [bytes.subarray(0, start), bytes.subarray(end)];
}

/** Returns whether the reserved space is large enough for a signature. */
export function hasRoom({ start, end }: Prepared, cms: Uint8Array): boolean {
  return cms.length * 2 + 2 <= end - start;
}

/** Writes the signature into the reserved space of `prepared.bytes`. */
export function putSignature({ bytes, start }: Prepared, cms: Buffer): Buffer {
  bytes.write(cms.toString('hex'), start + 1, 'latin1');
  return bytes;
}

/** Returns an invisible widget: it has no extent and is on the first page. */
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

/** Adds a field to the form and to its page. Only the objects that contain these lists change. */
function addField(file: PdfFile, field: Ref): void {
  const list = file.dict(file.catalog['/AcroForm'])['/Fields'];
  const fields = [...file.array(list), field];
  if (isRef(list)) file.set(list, fields);
  flagForm(file, isRef(list) ? {} : { '/Fields': fields });
  const page = file.dict(field)['/P'];
  if (!isRef(page)) return;
  const dict = file.dict(page);
  const annotations = dict['/Annots'];
  const all = [...file.array(annotations), field];
  if (isRef(annotations)) file.set(annotations, all);
  else file.set(page, { ...dict, '/Annots': all });
}

/** Sets the flags SignaturesExist and AppendOnly of the form (table 225), and other entries. */
function flagForm(file: PdfFile, entries: PdfDict = {}): void {
  const { catalog } = file;
  const changed: PdfDict = { ...file.dict(catalog['/AcroForm']), '/SigFlags': 3, ...entries };
  if (isRef(catalog['/AcroForm'])) file.set(catalog['/AcroForm'], changed);
  else file.set(file.catalogRef, { ...catalog, '/AcroForm': changed });
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
