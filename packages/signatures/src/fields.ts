import {
  type PdfFile,
  isDict,
  isRef,
  type PdfDict,
  type PdfValue,
  type Ref,
  stringBytes,
  isString,
  textOf,
} from '@platen/pdf/model';

/** Signature fields of a PDF, and the signatures in them (ISO 32000-2, 12.7.5.5 and 12.8). */

export interface SignatureField {
  /** Fully qualified field name. */
  name: string;
  /** Undefined for a field that is a direct object. */
  ref: Ref | undefined;
  /** The signature dictionary; null for a field that is not signed. */
  signature: PdfDict | null;
}

/** Maximum fields that are read, and maximum levels of them. */
const MAX_FIELDS = 100_000;
const MAX_LEVELS = 64;

/** Returns all signature fields in the order of the form. */
export function signatureFields(file: PdfFile): SignatureField[] {
  const found: SignatureField[] = [];
  const seen = new Set<Ref>();
  let left = MAX_FIELDS;
  const visit = (value: PdfValue, above: { name: string; type: PdfValue }, level: number): void => {
    if (left-- <= 0 || level > MAX_LEVELS || (isRef(value) && seen.has(value))) return;
    if (isRef(value)) seen.add(value);
    const field = file.dict(value);
    const partial = textOf(file.resolve(field['/T']));
    const name = [above.name, partial].filter((part) => part !== '').join('.');
    const type = file.resolve(field['/FT']) ?? above.type;
    const signature = file.resolve(field['/V']);
    if (type === '/Sig' && ('/V' in field || !('/Kids' in field))) {
      found.push({
        name,
        ref: isRef(value) ? value : undefined,
        signature: isDict(signature) ? signature : null,
      });
      return;
    }
    for (const kid of file.array(field['/Kids'])) visit(kid, { name, type }, level + 1);
  };
  const form = file.dict(file.catalog['/AcroForm']);
  for (const field of file.array(form['/Fields'])) visit(field, { name: '', type: null }, 0);
  return found;
}

/** The changes that a certification permits (table 257): 1 none, 2 forms, 3 forms and annotations. */
export type Permission = 1 | 2 | 3;

/** Returns the permission of a certification signature; null for any other signature. */
export function permissionOf(file: PdfFile, signature: PdfDict): Permission | null {
  for (const reference of file.array(signature['/Reference'])) {
    const dict = file.dict(reference);
    if (file.resolve(dict['/TransformMethod']) !== '/DocMDP') continue;
    const permission = file.resolve(file.dict(dict['/TransformParams'])['/P']);
    return permission === 1 || permission === 3 ? permission : 2;
  }
  return null;
}

/** Returns the bytes of a string; empty for any other value. */
export function bytesOf(value: PdfValue): Buffer {
  return isString(value) ? stringBytes(value) : Buffer.alloc(0);
}

/** Returns a PDF date (7.9.4); null for an invalid one. */
export function dateOf(value: PdfValue): Date | null {
  const text = textOf(value);
  const parts = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?/.exec(text);
  if (parts === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part, index) => Number(part ?? (index === 1 || index === 2 ? 1 : 0)));
  const shift = (Number(parts[8] ?? 0) * 60 + Number(parts[9] ?? 0)) * (parts[7] === '-' ? -1 : 1);
  return new Date(Date.UTC(year, month - 1, day, hour, minute - shift, second));
}

/** Returns a PDF date. */
export function pdfDate(time: Date): string {
  return `u:D:${time.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
}
