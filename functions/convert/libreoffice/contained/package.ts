import { PlatenError } from '@platen/core/errors';
import { looksLikeOle, looksLikeZip } from '@platen/office/format';
import { decodeHtml } from '@platen/core/text';
import { OFFICE_ZIP_LIMITS, readZip, type ZipContent, ZipFault } from '@platen/core/zip';
import { officeFile } from '@platen/core/zip-file';
import { selfContained } from './html.ts';
import { cleanCompressed, cleanDrawing, isGzip, isHtml, isSvg } from './drawing.ts';
import { OfficeRules } from './rules.ts';
import { rewriteXml, XmlFault, xmlText } from './xml.ts';

/** Removes every reference to a place outside from office packages, at any depth. */

/** Most bytes of one part; pictures in office files are the largest parts. */
const MAX_PART = 96 * 1024 * 1024;
/** Packages within packages: a chart's workbook is one, and contains none itself. */
const MAX_DEPTH = 3;
const NOTHING = Buffer.alloc(0);

/**
 * Returns an office file whose parts refer to nothing outside. The file is always packed again, so that
 * LibreOffice reads exactly the entries that were checked, whatever else a ZIP reader might find.
 *
 * @param check called with the content before it is cleaned; an error that it throws is passed on
 * @param prepare changes the clean parts, by path
 * @throws PlatenError `office_file_damaged`, `office_file_encrypted`
 */
export async function selfContainedPackage(
  document: Uint8Array,
  check: (content: ZipContent) => void = () => undefined,
  prepare: (parts: Parts) => Parts | Promise<Parts> = (parts) => parts,
): Promise<Buffer> {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const place = { depth: 0, left: OFFICE_ZIP_LIMITS.totalBytes };
  try {
    const content = await unpacked(bytes, place);
    check(content);
    return packed(await prepare(await cleanParts(content, place)));
  } catch (error) {
    if (error instanceof ZipFault) {
      const code = error.kind === 'encrypted' ? 'office_file_encrypted' : 'office_file_damaged';
      throw new PlatenError(code, `The office file ${error.message}.`, { cause: error });
    }
    throw error;
  }
}

/** The parts of a package by path. */
type Parts = ReadonlyMap<string, Buffer>;

/** A path in the document, and the bytes that all nested packages may still unpack to. */
interface Place {
  depth: number;
  left: number;
}

async function unpacked(bytes: Buffer, place: Place): Promise<ZipContent> {
  const limits = { ...OFFICE_ZIP_LIMITS, totalBytes: place.left, wantedBytes: MAX_PART };
  const content = await readZip(bytes, () => true, limits);
  for (const part of content.wanted.values()) place.left -= part.length;
  return content;
}

async function cleanParts({ wanted }: ZipContent, place: Place): Promise<Parts> {
  const parts = new Map<string, Buffer>();
  for (const [path, part] of wanted) parts.set(path, await cleanPart(part, path, place));
  return parts;
}

/** Nothing is compressed, as the file is read only once. */
const packed = (parts: Parts): Buffer => officeFile(parts, () => false);

async function cleanPart(part: Buffer, path: string, place: Place): Promise<Buffer> {
  if (!looksLikeZip(part)) return cleanFile(part, path);
  if (place.depth >= MAX_DEPTH) return NOTHING;
  try {
    const inner = { depth: place.depth + 1, left: place.left };
    const clean = packed(await cleanParts(await unpacked(part, inner), inner));
    place.left = inner.left;
    return clean;
  } catch (error) {
    // LibreOffice could not open it either; the document is printed without it.
    if (error instanceof ZipFault || error instanceof PlatenError) return NOTHING;
    throw error;
  }
}

/**
 * Cleans a file in a document. Its kind is detected by its content, as LibreOffice does.
 *
 * @throws PlatenError `office_file_damaged` for XML that cannot be read and is not a picture
 */
export function cleanFile(file: Buffer, path: string): Buffer {
  if (isGzip(file)) return cleanCompressed(file);
  if (isMessage(file)) return NOTHING;
  try {
    const xml = xmlText(file);
    if (xml === null) return file;
    if (isHtml(xml.text)) return cleanHtml(file);
    return cleanXml(file, xml, path);
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    if (!isNamedXml(path)) return mayBeDrawing(file) ? NOTHING : file;
    throw new PlatenError('office_file_damaged', `The part ${path} of the office file ${error.message}.`, {
      cause: error,
    });
  }
}

function cleanXml(file: Buffer, { text, isUtf8 }: { text: string; isUtf8: boolean }, path: string): Buffer {
  if (isSvg(text)) return cleanDrawing(file) ?? NOTHING;
  if (isUtf8 && !SUSPECT.test(text)) return file;
  return Buffer.from(rewriteXml(text, new OfficeRules((inner) => cleanInner(inner, path))));
}

/** Cleans a base64 file within a part. */
function cleanInner(inner: Buffer, path: string): Buffer {
  return looksLikeZip(inner) || looksLikeOle(inner) ? NOTHING : cleanFile(inner, `${path} (a file in it)`);
}

function cleanHtml(file: Buffer): Buffer {
  const html = decodeHtml(file);
  return 'text' in html ? Buffer.from(`\ufeff${selfContained(html.text)}`) : NOTHING;
}

function isNamedXml(path: string): boolean {
  return /\.(?:xml|rels|vml|rdf)$/i.test(path);
}

/** Fonts and other files may begin like XML by chance; a drawing names its root element. */
function mayBeDrawing(file: Buffer): boolean {
  return ['latin1', 'utf16le'].some((encoding) => file.includes('svg', 0, encoding as BufferEncoding));
}

/**
 * Returns whether a file is rich text or a web archive, which Word accepts as parts of a document and which
 * name files in their own ways.
 */
function isMessage(file: Buffer): boolean {
  return /^\s*(?:\{\\rt|(?:MIME-Version|From|Content-Type|Message-ID)\s*:)/i.test(
    file.toString('latin1', 0, 200),
  );
}

/**
 * Matches parts that must be parsed. Names of elements and attributes have one spelling in XML, but values
 * may have many, so a part with an entity or a character reference in a value is parsed as well.
 */
const SUSPECT = new RegExp(
  [
    // Document types, and constructs that can split a word.
    '<!|<\\?(?!xml[\\s?])',
    // An address that is loaded, unless it plainly refers to a part.
    '(?:href|src|srcset|image-data|archive|codebase|sourceFile|odcFile|base)\\s*=\\s*(?!"(?:#[^"&]*|(?:\\./)?[A-Za-z][\\w .-]*(?:/[A-Za-z0-9_-][\\w .-]*)*)?")',
    // Every spelling of TargetMode, and the references of Excel and XForms.
    'TargetMode|\\bTarget\\s*=\\s*["\'][^"\'>]*[:\\\\]|<(?:[\\w.-]+:)?(?:webPr|dbPr|submission|instance|model|ddeLink)\\b|dde-|gfxdata|binary-data|binData',
    'instr(?:Text)?\\b|file-name|&amp;Z',
    // Formulas that may read outside the workbook, and other spellings of them.
    "WEBSERVICE|\\b(?:DDE|RTD)\\b|\\b(?:EXTERN|REGISTER|SQL)\\.|\\bCALL\\s*\\(|&apos;|&#(?!1[03];|9;|x[aAdD9];)|'[^'<>]{0,300}'\\s*#",
    '(?:file|private|smb|ftp|macro|slot|vnd\\.[\\w.-]{1,100}):',
    "<(?:[\\w.-]+:)?(?:f|definedName|formula[12]?|calculatedColumnFormula|totalsRowFormula)(?:\\s[^<>]*)?>[^<[|'\\\\]*[[|'\\\\]",
  ].join('|'),
  'i',
);
