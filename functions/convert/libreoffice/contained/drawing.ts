import { gunzipSync } from 'node:zlib';
import { SvgRules } from './rules.ts';
import { rewriteXml, XmlFault, xmlText } from './xml.ts';

/** SVG in documents, which LibreOffice tells by its content, compressed or not, whatever it is called. */

/** Bytes of a compressed drawing, unpacked. */
const MAX_DRAWING = 32 * 1024 * 1024;

/** An SVG that refers to nothing but itself; null where the file is none, or cannot be read. */
export function cleanDrawing(file: Buffer): Buffer | null {
  try {
    const plain = isGzip(file) ? gunzipSync(file, { maxOutputLength: MAX_DRAWING }) : file;
    const xml = xmlText(plain);
    return xml !== null && isSvg(xml.text) ? Buffer.from(rewriteXml(xml.text, new SvgRules())) : null;
  } catch (error) {
    // What zlib cannot unpack, LibreOffice cannot either.
    if (error instanceof XmlFault || (error instanceof Error && 'code' in error)) return null;
    throw error;
  }
}

/**
 * A compressed picture: a drawing refers to nothing but itself, anything else, a metafile most often, stays; empty where
 * it cannot be told.
 */
export function cleanCompressed(file: Buffer): Buffer {
  let plain: Buffer;
  try {
    plain = gunzipSync(file, { maxOutputLength: MAX_DRAWING });
  } catch (error) {
    // Others are damaged, or begin like this by chance.
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

/** Whether the root of a document is that of a drawing. */
export function isSvg(text: string): boolean {
  const root = /<(?![?!])(?:[^\s<>/:]{1,100}:)?([^\s<>/]{1,100})/.exec(withoutProlog(text));
  return root?.[1] === 'svg';
}

/** Whether a document says that it is html. */
export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype\s+html|html[\s>])/i.test(withoutProlog(text));
}

/** What stands before the root goes, its document type too if it is one of XML. */
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
