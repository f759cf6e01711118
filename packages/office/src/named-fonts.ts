import { OFFICE_ZIP_LIMITS, readZip } from '@platen/core/zip';

/** Parts that name fonts: the document itself, its styles and its theme, in any folder. */
const PARTS = /^(?!docProps\/|customXml\/|META-INF\/).*\.xml$/;
/** Elements and attributes of OOXML and ODF whose value is a font family. */
const NAMES =
  /(?:w:(?:ascii|hAnsi|eastAsia|cs)|typeface|fo:font-family|svg:font-family|style:font-family-asian|style:font-family-complex)="([^"]{1,200})"|<(?:name|rFont) val="([^"]{1,200})"/g;
/** Maximum bytes of all parts that are read. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Returns the font families that an office document names, each once, in the order of occurrence. */
export async function namedFonts(document: Uint8Array): Promise<string[]> {
  const file = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const { wanted } = await readZip(file, (path) => PARTS.test(path), {
    ...OFFICE_ZIP_LIMITS,
    wantedBytes: MAX_BYTES,
  });
  const names = new Set<string>();
  for (const [, bytes] of wanted) {
    for (const [, attribute, element] of bytes.toString('utf8').matchAll(NAMES)) {
      // `+mn-lt` refers to a theme font, which the theme names itself; several families form a list.
      const [name = ''] = (attribute ?? element ?? '').replaceAll('&apos;', "'").split(/[;,]/);
      const plain = name.trim().replace(/^'|'$/g, '');
      if (plain !== '' && !plain.startsWith('+')) names.add(plain);
    }
  }
  return [...names];
}
