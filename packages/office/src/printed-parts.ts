import { OFFICE_ZIP_LIMITS, readZip } from '@platen/core/zip';
import { mainPart } from './ooxml/related.ts';
import { OfficePackage } from './package.ts';

/** Content types of parts of OOXML whose text is printed. */
const TYPES =
  /[.-](?:wordprocessingml\.(?:document\.main|header|footer|footnotes|endnotes)|spreadsheetml\.(?:sharedStrings|worksheet)|presentationml\.slide|drawingml\.chart)\+xml$/;
/** Those of OpenDocument. */
const PATHS: ReadonlySet<string> = new Set(['content.xml', 'styles.xml']);
/** Maximum bytes of a part that is read. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Returns the XML of the parts of an office document whose text is printed, and the paths of all parts. */
export async function printedParts(document: Uint8Array): Promise<{ parts: string[]; paths: string[] }> {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const limits = { ...OFFICE_ZIP_LIMITS, wantedBytes: MAX_BYTES };
  const { names, wanted } = await readZip(bytes, (path) => /\.(?:xml|rels)$/.test(path), limits);
  const file = OfficePackage.of(wanted);
  const main = mainPart(file);
  const printed = file
    .paths()
    .filter((path) => path === main || TYPES.test(file.typeOf(path)) || (main === '' && PATHS.has(path)));
  return { parts: printed.map((path) => file.bytes(path)?.toString('utf8') ?? ''), paths: [...names] };
}
