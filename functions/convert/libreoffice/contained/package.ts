import yazl from 'yazl';
import { PlatenError } from '@platen/core/errors';
import { looksLikeOle, looksLikeZip } from '@platen/office/format';
import { decodeHtml } from '@platen/core/text';
import { OFFICE_ZIP_LIMITS, readZip, ZipFault } from '@platen/core/zip';
import { selfContained } from './html.ts';
import { cleanCompressed, cleanDrawing, isGzip, isHtml, isSvg } from './drawing.ts';
import { OfficeRules } from './rules.ts';
import { rewriteXml, XmlFault, xmlText } from './xml.ts';

/** Office packages with nothing in them that names a place outside, however deep it lies in them. */

/** Bytes of one part: pictures in office files are larger than its texts. */
const MAX_PART = 96 * 1024 * 1024;
/** Packages within packages: a chart's workbook is one, and holds none. */
const MAX_DEPTH = 3;
/** The date of every entry: the same document gives the same bytes. */
const WRITTEN = new Date(Date.UTC(1980, 0, 1));
const NOTHING = Buffer.alloc(0);

/**
 * An office file whose parts lead nowhere else. It is packed anew in any case: LibreOffice reads the entries that were
 * looked at, whatever else a ZIP reader might find in the file.
 *
 * @throws PlatenError `office_file_damaged`, `office_file_encrypted`
 */
export async function selfContainedPackage(document: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  try {
    return await cleanPackage(bytes, { depth: 0, left: OFFICE_ZIP_LIMITS.totalBytes });
  } catch (error) {
    if (error instanceof ZipFault) {
      const code = error.kind === 'encrypted' ? 'office_file_encrypted' : 'office_file_damaged';
      throw new PlatenError(code, `The office file ${error.message}.`, { cause: error });
    }
    throw error;
  }
}

/** Where in the document something is, and how many bytes all packages within may still unpack to. */
interface Place {
  depth: number;
  left: number;
}

async function cleanPackage(bytes: Buffer, place: Place): Promise<Buffer> {
  const limits = { ...OFFICE_ZIP_LIMITS, totalBytes: place.left, wantedBytes: MAX_PART };
  const { wanted } = await readZip(bytes, () => true, limits);
  for (const part of wanted.values()) place.left -= part.length;
  const zip = new yazl.ZipFile();
  // ODF 1.3 part 2, 3.3: `mimetype` is the first entry and not compressed. Nor is the rest, which is read once.
  const paths = [...wanted.keys()].toSorted((a, b) => Number(b === 'mimetype') - Number(a === 'mimetype'));
  for (const path of paths) {
    const part = await cleanPart(wanted.get(path) ?? NOTHING, path, place);
    zip.addBuffer(part, path, { mtime: WRITTEN, forceDosTimestamp: true, compress: false });
  }
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function cleanPart(part: Buffer, path: string, place: Place): Promise<Buffer> {
  if (!looksLikeZip(part)) return cleanFile(part, path);
  if (place.depth >= MAX_DEPTH) return NOTHING;
  try {
    const inner = { depth: place.depth + 1, left: place.left };
    const clean = await cleanPackage(part, inner);
    place.left = inner.left;
    return clean;
  } catch (error) {
    // LibreOffice could open it no better; the document is printed without it.
    if (error instanceof ZipFault || error instanceof PlatenError) return NOTHING;
    throw error;
  }
}

/**
 * A file in a document, told by its content, as LibreOffice tells it.
 *
 * @throws PlatenError `office_file_damaged` for XML that cannot be read and is no picture
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

/** A file in base64 within a part. */
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

/** Fonts and others begin like XML by chance; a drawing says what it is. */
function mayBeDrawing(file: Buffer): boolean {
  return ['latin1', 'utf16le'].some((encoding) => file.includes('svg', 0, encoding as BufferEncoding));
}

/** Rich text and web archives, which Word takes for parts of a document, name files in ways of their own. */
function isMessage(file: Buffer): boolean {
  return /^\s*(?:\{\\rt|(?:MIME-Version|From|Content-Type|Message-ID)\s*:)/i.test(
    file.toString('latin1', 0, 200),
  );
}

/**
 * Whether a part has to be read at all. Names of elements and attributes have one spelling in XML; a value may have
 * many, so one with an entity or a reference in it is read.
 */
const SUSPECT = new RegExp(
  [
    // Document types, and what a word could be cut in two with.
    '<!|<\\?(?!xml[\\s?])',
    // An address that is loaded, unless it plainly leads to a part.
    '(?:href|src|srcset|image-data|archive|codebase|sourceFile|odcFile|base)\\s*=\\s*(?!"(?:#[^"&]*|(?:\\./)?[A-Za-z][\\w .-]*(?:/[A-Za-z0-9_-][\\w .-]*)*)?")',
    // All that TargetMode can be said of, and what Excel and XForms name.
    'TargetMode|\\bTarget\\s*=\\s*["\'][^"\'>]*[:\\\\]|<(?:[\\w.-]+:)?(?:webPr|dbPr|submission|instance|model|ddeLink)\\b|dde-|gfxdata|binary-data|binData',
    'instr(?:Text)?\\b|file-name|&amp;Z',
    // Formulas that may leave the workbook, and what could spell it otherwise.
    "WEBSERVICE|\\b(?:DDE|RTD)\\b|\\b(?:EXTERN|REGISTER|SQL)\\.|\\bCALL\\s*\\(|&apos;|&#(?!1[03];|9;|x[aAdD9];)|'[^'<>]{0,300}'\\s*#",
    '(?:file|private|smb|ftp|macro|slot|vnd\\.[\\w.-]{1,100}):',
    "<(?:[\\w.-]+:)?(?:f|definedName|formula[12]?|calculatedColumnFormula|totalsRowFormula)(?:\\s[^<>]*)?>[^<[|'\\\\]*[[|'\\\\]",
  ].join('|'),
  'i',
);
