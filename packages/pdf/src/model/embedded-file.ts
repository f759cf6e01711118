import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { PdfFile } from './index.ts';
import { pdfDate, type Ref } from './values.ts';

/**
 * Embeds a file in a document, so that a file specification can refer to it (ISO 32000-1, 7.11.4).
 *
 * @param mime media type
 * @param now ISO 8601 in UTC
 */
export function embedFile(file: PdfFile, content: Uint8Array, mime: string, now: string): Ref {
  return file.add(
    {
      '/Type': '/EmbeddedFile',
      '/Subtype': `/${mime}`,
      '/Params': { '/Size': content.length, '/CheckSum': checksumOf(content), '/ModDate': pdfDate(now) },
      '/Filter': '/FlateDecode',
    },
    deflateSync(content),
  );
}

/** Returns the checksum of an embedded file (ISO 32000-1, table 46), which detects damage and does not protect. */
export function checksumOf(content: Uint8Array): string {
  return `b:${createHash('md5').update(content).digest('hex')}`;
}
