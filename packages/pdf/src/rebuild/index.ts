import { isDict, isRef } from '../model/values.ts';
import type { PdfDict } from '../model/values.ts';
import { FoundDocument } from './document.ts';
import { scan, type Scan, valueOf } from './scan.ts';
import { writePdf } from './write.ts';

/**
 * Rebuilds a PDF from the objects in its bytes, for readers that need an intact file: one that is truncated,
 * has lost or wrong cross-references, wrong stream lengths, or a cyclic page tree. An encrypted document
 * stays encrypted.
 *
 * @returns undefined if no page is found, or the remaining parts cannot be read without the lost ones
 */
export function rebuildPdf(bytes: Buffer): Buffer | undefined {
  const rebuilt = rebuildOrExplain(bytes);
  return typeof rebuilt === 'string' ? undefined : rebuilt;
}

/**
 * Works as `rebuildPdf`.
 *
 * @returns on failure, a sentence about the missing part; an empty one if there are no objects
 */
export function rebuildOrExplain(bytes: Buffer): Buffer | string {
  const found = scan(bytes);
  const trailer = trailerOf(found);
  if (found.objects.size === 0) return '';
  if (trailer['/Encrypt'] !== undefined && found.sealed > 0) {
    return 'The PDF is damaged: its cross-references are lost, and without them its encrypted objects cannot be read.';
  }
  const document = new FoundDocument(found);
  const root = document.rootOf(trailer['/Root']);
  if (root === undefined) {
    return `The PDF is damaged: none of the ${found.objects.size} objects that can be found in it is a page.`;
  }
  const version = /%PDF-(\d\.\d)/.exec(bytes.toString('latin1', 0, 1024))?.[1] ?? '1.7';
  return writePdf(version, document, { ...trailer, '/Root': root });
}

/** The entries of all trailers; later ones take precedence. */
function trailerOf({ trailers, objects }: Scan): PdfDict {
  const trailer: PdfDict = {};
  for (const candidate of trailers) {
    for (const key of ['/Root', '/Info', '/ID', '/Encrypt']) {
      const value = candidate[key];
      if (value === undefined || (isRef(value) && !objects.has(Number.parseInt(value, 10)))) continue;
      trailer[key] = value;
    }
  }
  return trailer['/Encrypt'] === undefined ? { ...trailer, ...lostEncryption(objects) } : trailer;
}

/** Without its trailer, an encrypted document would look like an unencrypted one with random data. */
function lostEncryption(objects: Scan['objects']): PdfDict {
  for (const [id, found] of objects) {
    if (found.type !== '' || found.data !== undefined) continue;
    const value = valueOf(found);
    if (!isDict(value) || value['/Filter'] !== '/Standard') continue;
    if (value['/O'] !== undefined && value['/U'] !== undefined) {
      return { '/Encrypt': `${id} ${found.generation} R` };
    }
  }
  return {};
}
