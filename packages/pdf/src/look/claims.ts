import { isPlatenError } from '@platen/core/errors';
import { openPdfFile, type PdfFile } from '../model/index.ts';
import { packetIn } from '../operations/packet.ts';
import { namesIn } from '../files/page-tree.ts';

/** Reads the conformance claims of an XMP packet. */

const CLAIMS: readonly { standard: string; namespace: string; conformance: boolean }[] = [
  { standard: 'pdf/a', namespace: 'http://www.aiim.org/pdfa/ns/id/', conformance: true },
  { standard: 'pdf/ua', namespace: 'http://www.aiim.org/pdfua/ns/id/', conformance: false },
];

/** Such as `pdf/a-3a` and `pdf/ua-1`; they are not verified. */
export function claimsOf(packet: string | undefined): string[] {
  if (packet === undefined) return [];
  return CLAIMS.flatMap(({ standard, namespace, conformance }) => {
    const prefix = prefixOf(packet, namespace);
    const part = prefix === undefined ? undefined : propertyOf(packet, `${prefix}:part`);
    if (prefix === undefined || part === undefined) return [];
    const level = conformance ? (propertyOf(packet, `${prefix}:conformance`) ?? '') : '';
    return [`${standard}-${part}${level}`.toLowerCase()];
  });
}

/** Returns the claims of a document. */
export function claimsOfDocument(file: PdfFile): string[] {
  return claimsOf(packetIn(file));
}

/**
 * Returns the claims of a file, of which only the necessary parts are read; none if it is encrypted or damaged.
 */
export async function claimsOfFile(path: string): Promise<string[]> {
  if ((await namesIn(path, /\/Metadata\b/g)) === 0) return [];
  try {
    return claimsOfDocument(await openPdfFile(path));
  } catch (error) {
    if (isPlatenError(error) && error.code.startsWith('pdf_')) return [];
    throw error;
  }
}

function prefixOf(packet: string, namespace: string): string | undefined {
  const at = [`="${namespace}"`, `='${namespace}'`]
    .map((text) => packet.indexOf(text))
    .find((place) => place > 0);
  if (at === undefined) return undefined;
  return /xmlns:([\w-]{1,40})\s{0,4}$/.exec(packet.slice(Math.max(0, at - 60), at))?.[1];
}

/** The value of an attribute, or of an element that contains only text. */
function propertyOf(packet: string, name: string): string | undefined {
  for (let at = packet.indexOf(name); at !== -1; at = packet.indexOf(name, at + name.length)) {
    const rest = packet.slice(at + name.length, at + name.length + 60);
    const value = /^\s{0,4}(?:=\s{0,4}["']\s{0,4}|>\s{0,4})([\w.]{1,10})/.exec(rest)?.[1];
    if (value !== undefined) return value;
  }
  return undefined;
}
