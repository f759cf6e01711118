import { PlatenError } from '@platen/core/errors';
import { type ZipContent, ZipFault, readZip } from '@platen/core/zip';

/** Detects office formats: OOXML (ECMA-376) and OpenDocument (ISO 26300) packages, whole or damaged. */

export type OfficeFormat = 'docx' | 'odt' | 'ods' | 'odp' | 'pptx' | 'xlsx';

const CONTENT_TYPES = '[Content_Types].xml';
/** The list of the parts of an OpenDocument file (ODF 1.3 part 2, 4). */
export const MANIFEST = 'META-INF/manifest.xml';
const KEPT: ReadonlySet<string> = new Set([CONTENT_TYPES, MANIFEST, 'mimetype']);

const OOXML_MAIN: Readonly<Record<string, { format: OfficeFormat; part: string }>> = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml': {
    format: 'docx',
    part: 'word/document.xml',
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml': {
    format: 'xlsx',
    part: 'xl/workbook.xml',
  },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml': {
    format: 'pptx',
    part: 'ppt/presentation.xml',
  },
};

const ODF_TYPES: Readonly<Record<string, OfficeFormat>> = {
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
};

/** Related formats that are sent by mistake, by a piece of their main content type. */
const OOXML_RELATIVES: readonly [piece: string, name: string][] = [
  ['word.document.macroenabled', 'a docx with macros (docm): save it as docx'],
  ['excel.sheet.macroenabled', 'an xlsx with macros (xlsm): save it as xlsx'],
  ['excel.sheet.binary', 'a binary Excel workbook (xlsb): save it as xlsx'],
  ['powerpoint.presentation.macroenabled', 'a pptx with macros (pptm): save it as pptx'],
  ['word.template.macroenabled', 'a Word template with macros (dotm): save it as docx'],
  ['excel.template.macroenabled', 'an Excel template with macros (xltm): save it as xlsx'],
  ['excel.addin', 'an add-in of Excel (xlam): save it as xlsx'],
  ['powerpoint.template.macroenabled', 'a PowerPoint template with macros (potm): save it as pptx'],
  ['powerpoint.slideshow.macroenabled', 'a PowerPoint show with macros (ppsm): save it as pptx'],
  ['powerpoint.addin', 'an add-in of PowerPoint (ppam): save it as pptx'],
  ['wordprocessingml.template', 'a Word template (dotx): save it as docx'],
  ['spreadsheetml.template', 'an Excel template (xltx): save it as xlsx'],
  ['presentationml.template', 'a PowerPoint template (potx): save it as pptx'],
  ['presentationml.slideshow', 'a PowerPoint show (ppsx): save it as pptx'],
];

/** Related formats of OpenDocument, by the end of their media type. */
const ODF_RELATIVES: Readonly<Record<string, string>> = {
  'text-template': 'a text template (ott): save it as odt',
  'spreadsheet-template': 'a spreadsheet template (ots): save it as ods',
  'presentation-template': 'a presentation template (otp): save it as odp',
  'text-master': 'a master document (odm): save it as odt',
  'text-web': 'a web page template (oth): save it as odt',
  graphics: 'a drawing (odg): save it as odp',
  'graphics-template': 'a template of drawings (otg): save it as odp',
  formula: 'a formula (odf): put it into an odt',
  chart: 'a chart (odc): put it into an ods',
  base: 'a database (odb)',
};

const ZIP_MAGIC = Buffer.from('PK\x03\x04', 'latin1');
const OLE_MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');

export function looksLikeZip(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(ZIP_MAGIC);
}

/**
 * Returns whether the file is an OLE container, as Office 97 files and password-protected OOXML files are
 * ([MS-OFFCRYPTO] 2.3.4).
 */
export function looksLikeOle(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(OLE_MAGIC);
}

/**
 * Detects the office format of a ZIP file and reads the whole file once.
 *
 * @throws PlatenError `office_file_encrypted`, `office_file_damaged`, or `template_file_invalid` for a file
 *   of another format, including related ones that are not supported
 */
export async function detectOfficeZip(bytes: Buffer): Promise<OfficeFormat> {
  let content: ZipContent;
  try {
    content = await readZip(bytes, (name) => KEPT.has(name));
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    const code = error.kind === 'encrypted' ? 'office_file_encrypted' : 'office_file_damaged';
    throw new PlatenError(code, `The office file ${error.message}.`, { cause: error });
  }
  return officeFormat(content);
}

/**
 * Detects the office format of an unpacked file.
 *
 * @param content with at least the parts that say what the file is
 * @throws PlatenError as `detectOfficeZip`
 */
export function officeFormat(content: ZipContent): OfficeFormat {
  const contentTypes = content.wanted.get(CONTENT_TYPES);
  return contentTypes ? ooxmlFormat(xmlText(contentTypes), content.names) : odfFormat(content);
}

/** @throws PlatenError always: `office_file_encrypted` or `template_file_invalid` */
export function refuseOle(bytes: Buffer): never {
  if (bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    throw new PlatenError(
      'office_file_encrypted',
      'The office file is password-protected: remove the password and send it again.',
    );
  }
  throw new PlatenError(
    'template_file_invalid',
    'The file is of an Office 97 format (doc, xls, ppt): save it as docx, xlsx or pptx.',
  );
}

function ooxmlFormat(contentTypes: string, names: ReadonlySet<string>): OfficeFormat {
  const types = contentTypeEntries(contentTypes);
  const main = types.find(({ type }) => Object.hasOwn(OOXML_MAIN, type));
  const known = main && OOXML_MAIN[main.type];
  if (!known) {
    const relative = OOXML_RELATIVES.find(([piece]) => types.some(({ type }) => type.includes(piece)));
    throw new PlatenError(
      'template_file_invalid',
      `The file is ${relative?.[1] ?? 'an Office package without a document, a workbook or a presentation in it'}.`,
    );
  }
  const part = main.part ?? known.part;
  if (!names.has(part)) {
    throw new PlatenError('office_file_damaged', `The office file lacks its main part, ${part}.`);
  }
  return known.format;
}

/** Returns the entries of `[Content_Types].xml`: types in lower case, parts without the leading slash. */
function contentTypeEntries(xml: string): { part: string | null; type: string }[] {
  return Array.from(
    xml.matchAll(/<(?:[\w.-]{1,40}:)?(?:Override|Default)\s([^>]{0,2000})>/g),
    ([, attributes]) => ({
      part: attribute(attributes ?? '', 'PartName')?.replace(/^\//, '') ?? null,
      type: attribute(attributes ?? '', 'ContentType')?.toLowerCase() ?? '',
    }),
  );
}

function attribute(attributes: string, name: string): string | null {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return found ? (found[1] ?? found[2] ?? null) : null;
}

function odfFormat({ names, wanted }: ZipContent): OfficeFormat {
  const manifest = xmlText(wanted.get(MANIFEST) ?? Buffer.alloc(0));
  // `encrypted-package` is the whole document encrypted at once, as LibreOffice 24.2 and later write it.
  if (/<(?:[\w.-]{1,40}:)?encryption-data[\s>]/.test(manifest) || names.has('encrypted-package')) {
    throw new PlatenError(
      'office_file_encrypted',
      'The office file is password-protected: remove the password and send it again.',
    );
  }
  const type = wanted.get('mimetype')?.toString('latin1').trim() ?? rootMediaType(manifest);
  if (type === null) {
    throw new PlatenError('template_file_invalid', 'The file is a ZIP archive, but not an office file.');
  }
  const format = Object.hasOwn(ODF_TYPES, type) ? ODF_TYPES[type] : undefined;
  if (!format) {
    throw new PlatenError(
      'template_file_invalid',
      `The file is ${ODF_RELATIVES[/\.opendocument\.([a-z-]+)$/.exec(type)?.[1] ?? ''] ?? `of the type ${type.slice(0, 100)}, which is not supported`}.`,
    );
  }
  if (!names.has('content.xml')) {
    throw new PlatenError('office_file_damaged', 'The office file lacks its main part, content.xml.');
  }
  return format;
}

/** Returns the media type in the manifest: some programs omit the `mimetype` entry. */
function rootMediaType(manifest: string): string | null {
  for (const [, attributes] of manifest.matchAll(/<(?:[\w.-]{1,40}:)?file-entry\s([^>]{0,2000})>/g)) {
    const unprefixed = (attributes ?? '').replace(/(^|\s)[\w.-]{1,40}:/g, '$1');
    if (attribute(unprefixed, 'full-path') === '/') return attribute(unprefixed, 'media-type');
  }
  return null;
}

function xmlText(bytes: Buffer): string {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(utf16 ? 'utf16le' : 'utf8');
}
