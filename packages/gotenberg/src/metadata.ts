import type { PdfInfo } from '@platen/client';
import type { Form } from './form.ts';
import { RequestError } from './request-error.ts';
import type { Step } from './steps.ts';

/** Metadata under the names and in the forms of ExifTool, as Gotenberg has them, and in the Info dictionary. */

/** Names of ExifTool for keys of the Info dictionary. */
const KEYS: Readonly<Record<string, string>> = { CreateDate: 'CreationDate', ModifyDate: 'ModDate' };
/** Properties of the file itself, which metadata does not change. */
const OF_FILE =
  /^(?:(?:System|File|ExifTool):.*|File\w*|Directory|HardLink|SymLink|TestName|PDFVersion|PageCount|MIMEType|Linearized)$/i;
const CONTROL = /\p{Cc}/u;

/** Returns the step that writes the metadata of a form. @throws RequestError */
export function writtenMetadata(form: Form): Step[] {
  const given = form.json('metadata') ?? {};
  if (typeof given !== 'object' || Array.isArray(given))
    throw new RequestError(400, 'metadata must be a JSON object');
  const values: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(given as Record<string, unknown>)) {
    if (OF_FILE.test(name)) form.warn(`metadata.${name} is ignored: it is a property of the file`);
    else {
      const tag = name.split(':').at(-1) ?? '';
      values[KEYS[tag] ?? tag] = value === null ? null : textOf(name, value);
    }
  }
  return Object.keys(values).length === 0 ? [] : [{ metadata: values }];
}

/** @throws RequestError for a value that has control characters, or is an object */
function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => textOf(name, item)).join(', ');
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new RequestError(400, `metadata.${name} must be a text or a list`);
  const text = String(value);
  if (CONTROL.test(text)) throw new RequestError(400, `metadata.${name} has control characters`);
  return isoDate(text);
}

/** Returns a date of ExifTool in ISO 8601; any other text stays as it is. */
function isoDate(text: string): string {
  return text.replace(
    /^(\d{4}):(\d\d):(\d\d)(?: (?=\d\d:)|$)/,
    (date, year, month, day) => `${year}-${month}-${day}${date.endsWith(' ') ? 'T' : ''}`,
  );
}

/** Returns the metadata of a document under ExifTool's names. */
export function metadataOf({ metadata, version, pages }: PdfInfo): Record<string, unknown> {
  const { CreationDate: created, ModDate: changed, ...others } = metadata;
  return {
    ...Object.fromEntries(Object.entries(others).map(([key, text]) => [key, valueOf(key, text)])),
    ...(created === undefined ? {} : { CreateDate: exifDate(created) }),
    ...(changed === undefined ? {} : { ModDate: exifDate(changed), ModifyDate: exifDate(changed) }),
    PDFVersion: Number(version),
    PageCount: pages.length,
    FileType: 'PDF',
    MIMEType: 'application/pdf',
  };
}

/** Keys whose values are texts, whatever they look like. */
const TEXTS: ReadonlySet<string> = new Set(['Title', 'Author', 'Subject', 'Creator', 'Producer', 'Trapped']);

/** Returns a list for several keywords, and booleans and numbers for what looks like one. */
function valueOf(key: string, text: string): unknown {
  if (key === 'Keywords' && text.includes(',')) return text.split(',').map((word) => word.trim());
  if (TEXTS.has(key) || key === 'Keywords') return text;
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

/** Returns a date in ISO 8601 in the form of ExifTool: `2026:03:01 09:30:00+01:00`. */
function exifDate(date: string): string {
  return date.replace(/^(\d{4})-(\d\d)-(\d\d)T/, '$1:$2:$3 ');
}
