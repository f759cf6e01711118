import { OFFICE_ZIP_LIMITS, readZip } from '@platen/core/zip';

/** Parts whose text is printed. */
const PARTS =
  /^word\/(?:document|header\d*|footer\d*|footnotes|endnotes)\.xml$|^xl\/(?:sharedStrings|worksheets\/[^/]+)\.xml$|^ppt\/slides\/[^/]+\.xml$|^(?:word|xl|ppt)\/charts\/[^/]+\.xml$|^(?:content|styles)\.xml$/;
/** Fonts embedded in a document. */
const FONTS = /^(?:word\/fonts|ppt\/fonts|Fonts)\//;
/** Maximum bytes of a part that is read. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Returns the XML that contains an office document's printed text.
 *
 * @returns null for a document with embedded fonts, which may contain any character
 */
export async function printedText(document: Uint8Array): Promise<string[] | null> {
  const file = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  let hasFonts = false;
  const isWanted = (path: string): boolean => {
    hasFonts ||= FONTS.test(path);
    return PARTS.test(path);
  };
  const { wanted } = await readZip(file, isWanted, { ...OFFICE_ZIP_LIMITS, wantedBytes: MAX_BYTES });
  return hasFonts ? null : Array.from(wanted.values(), (bytes) => bytes.toString('utf8'));
}
