import { PlatenError } from '@platen/core/errors';
import type { TemplateFormat } from './options.ts';
import { detectImageFormat, isPostScript } from '@platen/imaging/image-type';
import {
  detectOfficeZip,
  looksLikeOle,
  looksLikeZip,
  type OfficeFormat,
  refuseOle,
} from '@platen/office/format';
import { decodeHtml } from '@platen/core/text';

/** The formats of templates and of rendered documents, detected from the content. */

const MEDIA_TYPES: Readonly<Record<TemplateFormat, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  html: 'text/html',
  markdown: 'text/markdown',
  pdf: 'application/pdf',
};

/** Returns the media type of a template format, without a charset. */
export function templateMediaType(format: TemplateFormat): string {
  return MEDIA_TYPES[format];
}

/**
 * Detects the format of a template file from its content (I-8). It reads office files completely, so that a
 * damaged one is found now and not at the first rendering. Text of no other known format counts as HTML.
 *
 * @throws PlatenError `template_file_invalid`, `office_file_damaged`, `office_file_encrypted`
 */
export async function detectTemplateFormat(bytes: Uint8Array): Promise<TemplateFormat> {
  if (isPdf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) return 'pdf';
  return await detectConvertible(bytes);
}

/**
 * Detects the format of a file to convert: a template, or a filled document.
 *
 * @throws PlatenError as `detectTemplateFormat`
 */
export async function detectConvertible(bytes: Uint8Array): Promise<OfficeFormat | 'html'> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (looksLikeZip(file)) return await detectOfficeZip(file);
  if (looksLikeOle(file)) refuseOle(file);
  const other = describeForeign(file);
  if (other !== null)
    throw new PlatenError('template_file_invalid', `The file is ${other}, which is not a template.`);
  htmlText(file, 'The file');
  return 'html';
}

/**
 * Returns the text of an HTML template, a header or a footer, and its original encoding.
 *
 * @param subject begins the error's sentence, e.g. `The header`
 * @throws PlatenError `template_file_invalid`
 */
export function htmlText(bytes: Uint8Array, subject: string): { text: string; encoding: string } {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const other =
    looksLikeZip(file) || looksLikeOle(file) ? 'an office file or an archive' : describeForeign(file);
  if (other !== null) throw new PlatenError('template_file_invalid', `${subject} is ${other}, not text.`);
  const decoded = decodeHtml(file);
  if ('text' in decoded) return decoded;
  throw new PlatenError('template_file_invalid', `${subject} cannot be read as text: ${decoded.fault}.`);
}

/** Returns a description of a file that is certainly neither HTML nor an office file; null otherwise. */
export function describeForeign(file: Buffer): string | null {
  if (file.length === 0) return 'empty';
  if (isPdf(file)) return 'a PDF document';
  const head = file.toString('latin1', 0, 1024);
  if (isPostScript(file)) return 'a PostScript file';
  if (head.startsWith('{\\rtf')) return 'an RTF document';
  if (head.startsWith('\x1f\x8b')) return 'a gzip archive';
  const image = detectImageFormat(file);
  // SVG is markup too: a template may consist of one drawing.
  return image === null || image === 'svg' ? null : `a picture (${image})`;
}

function isPdf(file: Buffer): boolean {
  return /^\s*%PDF-/.test(file.toString('latin1', 0, 1024));
}
