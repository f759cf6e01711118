import { gunzipSync } from 'node:zlib';
import { SvgRules } from './rules.ts';
import { rewriteXml, XmlFault, xmlText } from './xml.ts';

/**
 * Cleans SVG in documents. LibreOffice detects SVG by its content, compressed or not, regardless of the file name.
 */

/** Most bytes of a compressed drawing once unpacked. */
const MAX_DRAWING = 32 * 1024 * 1024;

/** Returns an SVG that refers only to itself; null if the file is not an SVG or cannot be read. */
export function cleanDrawing(file: Buffer): Buffer | null {
  try {
    const plain = isGzip(file) ? gunzipSync(file, { maxOutputLength: MAX_DRAWING }) : file;
    const xml = xmlText(plain);
    return xml !== null && isSvg(xml.text) ? Buffer.from(rewriteXml(xml.text, new SvgRules())) : null;
  } catch (error) {
    // LibreOffice cannot unpack what zlib cannot unpack.
    if (error instanceof XmlFault || (error instanceof Error && 'code' in error)) return null;
    throw error;
  }
}

/**
 * Cleans a compressed picture. A drawing may refer only to itself; any other file, usually a metafile, stays
 * as it is. Returns an empty buffer if the kind cannot be determined.
 */
export function cleanCompressed(file: Buffer): Buffer {
  let plain: Buffer;
  try {
    plain = gunzipSync(file, { maxOutputLength: MAX_DRAWING });
  } catch (error) {
    // Other files are damaged, or begin with the same bytes by chance.
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? Buffer.alloc(0) : file;
  }
  try {
    if (xmlText(plain) === null) return file;
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
  }
  return cleanDrawing(plain) ?? Buffer.alloc(0);
}

export function isGzip(file: Buffer): boolean {
  return file[0] === 0x1f && file[1] === 0x8b;
}

/** Returns whether the root of a document is an SVG element. */
export function isSvg(text: string): boolean {
  const root = /<(?![?!])(?:[^\s<>/:]{1,100}:)?([^\s<>/]{1,100})/.exec(withoutProlog(text));
  return root?.[1] === 'svg';
}

/** Returns whether a document declares itself to be html. */
export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype\s+html|html[\s>])/i.test(withoutProlog(text));
}

/** Returns the text without its prolog, and without its document type if that is an XML one. */
function withoutProlog(text: string): string {
  let at = 0;
  for (;;) {
    const rest = /^[\s\ufeff]*(?:<\?|<!--|<!DOCTYPE(?!\s+html)(?=[\s[]))/.exec(text.slice(at, at + 1_000));
    if (rest === null) return text.slice(at, at + 2_000);
    const kind = rest[0].trimStart();
    const end = kind.endsWith('?') ? '?>' : kind.endsWith('--') ? '-->' : '>';
    let close = text.indexOf(end, at + rest[0].length);
    if (kind.endsWith('DOCTYPE')) {
      const subset = text.indexOf('[', at);
      if (subset !== -1 && subset < close) close = text.indexOf('>', text.indexOf(']', subset));
    }
    if (close === -1) return '';
    at = close + end.length;
  }
}
