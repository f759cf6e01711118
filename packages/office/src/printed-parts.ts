import { mainPart } from './ooxml/related.ts';
import { OfficePackage } from './package.ts';

/** Content types of parts of OOXML whose text is printed. */
const TYPES =
  /[.-](?:wordprocessingml\.(?:document\.main|header|footer|footnotes|endnotes)|spreadsheetml\.(?:sharedStrings|worksheet)|presentationml\.slide|drawingml\.chart)\+xml$/;
/** Those of OpenDocument. */
const PATHS: ReadonlySet<string> = new Set(['content.xml', 'styles.xml']);

/** Opens an office document, and returns the XML of the parts whose text is printed. */
export async function printedParts(document: Uint8Array): Promise<{ file: OfficePackage; parts: string[] }> {
  const file = await OfficePackage.open(document);
  const main = mainPart(file);
  const paths = file
    .paths()
    .filter((path) => path === main || TYPES.test(file.typeOf(path)) || (main === '' && PATHS.has(path)));
  return { file, parts: paths.map((path) => file.bytes(path)?.toString('utf8') ?? '') };
}
