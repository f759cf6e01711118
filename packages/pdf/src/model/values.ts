/**
 * PDF values as qpdf's JSON (version 2) writes them: names as `/Name` (or `n:/Na#6de` when not UTF-8), strings
 * as `u:text` or `b:hex`, references as `12 0 R`.
 */
export type PdfValue = null | boolean | number | string | PdfValue[] | PdfDict;
export type PdfDict = { [key: string]: PdfValue };

/** A reference to an indirect object, such as `12 0 R`. */
export type Ref = string;

export function isDict(value: PdfValue | undefined): value is PdfDict {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isRef(value: PdfValue | undefined): value is Ref {
  if (typeof value !== 'string') return false;
  // Every value of a document is checked here, so regular expressions would be too slow.
  const last = value.length - 1;
  if (value.charCodeAt(last) !== BIG_R || value.charCodeAt(last - 1) !== SPACE) return false;
  const first = value.charCodeAt(0);
  return first >= ZERO && first <= NINE;
}

const [SPACE, ZERO, NINE, BIG_R] = [0x20, 0x30, 0x39, 0x52];

/** A PDF string, not a name and not a reference. */
export function isString(value: PdfValue | undefined): value is string {
  return typeof value === 'string' && (value.startsWith('u:') || value.startsWith('b:'));
}

export function isName(value: PdfValue | undefined): value is string {
  return typeof value === 'string' && (value.startsWith('/') || value.startsWith('n:/'));
}

/** Where PDFDocEncoding is not Latin-1: 0x18 to 0x1f, and 0x80 to 0xa0 (ISO 32000-2, annex D.3). */
const PDF_DOC = { 0x18: [...'˘ˇˆ˙˝˛˚˜'], 0x80: [...'•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\x9f€'] };

/** Returns the text of a string in PDFDocEncoding, whose bytes were read as Latin-1. */
export function pdfDocText(latin1: string): string {
  return latin1.replace(/[^\x20-\x7f]/g, (char) => {
    const code = char.charCodeAt(0);
    return (code < 0x80 ? PDF_DOC[0x18][code - 0x18] : PDF_DOC[0x80][code - 0x80]) ?? char;
  });
}

/** The text of a PDF string; bytes that are not valid text are converted anyway. */
export function textOf(value: PdfValue | undefined): string {
  if (!isString(value)) return '';
  return value.startsWith('u:')
    ? value.slice(2)
    : pdfDocText(Buffer.from(value.slice(2), 'hex').toString('latin1'));
}

/** Returns the text of a name, without its slash; bytes that are not UTF-8 are read as Latin-1. */
export function nameText(name: string): string {
  if (!name.startsWith('n:')) return name.slice(1);
  return name
    .slice(3)
    .replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

export function pdfText(text: string): string {
  return `u:${text}`;
}

/**
 * A date as PDF writes it (ISO 32000-1, 7.9.4).
 *
 * @param date ISO 8601 to the second at most; parts may be missing from its end, and so may the time zone
 */
export function pdfDate(date: string): string {
  const [, time = ''] = date.split('T');
  const at = time.search(/[Z+-]/);
  const zone = at < 0 ? '' : time.slice(at);
  const digits = date.slice(0, date.length - zone.length).replace(/\D/g, '');
  return pdfText(`D:${digits}${zone.replace(':', "'")}`);
}

/** The bytes of a string; name trees are sorted by them (ISO 32000-1, 7.9.6). */
export function stringBytes(value: string): Buffer {
  const text = value.slice(2);
  if (value.startsWith('b:')) return Buffer.from(text, 'hex');
  // Below 0x7f, except for some control codes that do not occur in text, PDFDocEncoding is ASCII (Annex D.3).
  if (/^[\t\n\r\x20-\x7e]*$/.test(text)) return Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
}

/** The text of a string in any encoding; strings of content streams are read as bytes. */
export function stringText(value: string): string {
  const bytes = value.startsWith('b:') ? stringBytes(value) : undefined;
  if (bytes === undefined) return textOf(value);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return Buffer.from(bytes.subarray(2, bytes.length & ~1))
      .swap16()
      .toString('utf16le');
  }
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? textOf(value) : text;
}

/** PDF syntax of a value (ISO 32000-1, 7.3). */
export function serialize(value: PdfValue): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return serializeNumber(value);
  if (typeof value === 'string') return serializeText(value);
  if (Array.isArray(value)) return `[${value.map(serialize).join(' ')}]`;
  // A key whose value is null is equivalent to a missing key (7.3.7).
  const entries = Object.entries(value).filter(([, entry]) => entry !== null);
  return `<<${entries.map(([key, entry]) => `${serializeName(key)} ${serialize(entry)}`).join(' ')}>>`;
}

/** PDF has no exponents. */
function serializeNumber(value: number): string {
  const text = String(value);
  if (!Number.isFinite(value)) return '0';
  if (!text.includes('e')) return text;
  // bounded: toFixed gives at most 13 characters
  return Math.abs(value) < 1 ? value.toFixed(10).replace(/\.?0+$/, '') : String(BigInt(value));
}

function serializeText(value: string): string {
  if (value.startsWith('u:') || value.startsWith('b:')) {
    const bytes = stringBytes(value);
    if (value.startsWith('b:') || bytes[0] === 0xfe) return `<${bytes.toString('hex')}>`;
    return `(${bytes
      .toString('latin1')
      .replace(/[\\()]/g, '\\$&')
      .replaceAll('\r', '\\r')})`;
  }
  return value.startsWith('/') || value.startsWith('n:') ? serializeName(value) : value;
}

function serializeName(name: string): string {
  if (name.startsWith('n:')) return name.slice(2);
  const bytes = Buffer.from(name.slice(1), 'utf8');
  let text = '/';
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    text +=
      /[!-~]/.test(char) && !/[#()<>[\]{}/%]/.test(char) ? char : `#${byte.toString(16).padStart(2, '0')}`;
  }
  return text;
}
