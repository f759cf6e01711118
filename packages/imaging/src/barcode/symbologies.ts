import type { QuietZone } from './drawing.ts';

/** The barcodes of I-27: the encoder's names for them, and the conversion of data to the form it expects. */

export const BARCODE_FORMATS = [
  'codabar',
  'code128',
  'code39',
  'ean',
  'ean13',
  'ean13-guard',
  'ean14',
  'ean8',
  'ean8-guard',
  'gs1',
  'gs1_128',
  'gtin',
  'isbn',
  'isbn10',
  'isbn13',
  'issn',
  'itf',
  'jan',
  'nw-7',
  'pzn',
  'upc',
  'upca',
  'qr',
  'pdf417',
  'datamatrix',
  'ean5',
  'postnet',
  'msi',
] as const;
export type BarcodeFormat = (typeof BARCODE_FORMATS)[number];

/** The input of the encoder. */
export interface Encoding {
  symbology: string;
  text: string;
  options: Readonly<Record<string, unknown>>;
  quietZone: QuietZone;
}

/**
 * Returns the format of that name, in any case and with `-` and `_` treated alike; null when there is none.
 */
export function barcodeFormatNamed(name: string): BarcodeFormat | null {
  const plain = (text: string): string => text.trim().toLowerCase().replaceAll('_', '-');
  return BARCODE_FORMATS.find((format) => plain(format) === plain(name)) ?? null;
}

/**
 * Ten times the narrowest bar: the largest quiet zone of all linear symbologies except EAN, whose digits are
 * inside it.
 */
const LINEAR: QuietZone = { x: 10, y: 1 };
/**
 * A square of these symbologies is two units wide. Quiet zones: ISO/IEC 18004: 4 squares; 16022: 1; 15438: 2.
 */
const QR_ZONE: QuietZone = { x: 8, y: 8 };
const DATAMATRIX_ZONE: QuietZone = { x: 4, y: 4 };
const PDF417_ZONE: QuietZone = { x: 4, y: 4 };

/** No symbology holds more; the largest takes 7,089 digits. */
const MAX_LENGTH = 7_100;

/** @throws BarcodeDataError when the data is known not to fit before encoding */
export function encodingOf(format: BarcodeFormat, data: string): Encoding {
  if (data.length > MAX_LENGTH) refuse(`${data.length} characters are more than any barcode holds`);
  switch (format) {
    case 'codabar':
    case 'nw-7':
      return linear('rationalizedCodabar', codabar(data));
    case 'code128':
      return linear('code128', latin1(data));
    case 'code39':
      return linear('code39', data);
    case 'ean':
    case 'ean13':
      return linear('ean13', digits(data));
    case 'ean13-guard':
      return linear('ean13', digits(data), { guardwhitespace: true });
    case 'ean8':
      return linear('ean8', digits(data));
    case 'ean8-guard':
      return linear('ean8', digits(data), { guardwhitespace: true });
    case 'ean14':
      return linear('ean14', `(01)${withoutIdentifier(data)}`);
    case 'ean5':
      return linear('ean5', digits(data));
    case 'gs1':
    case 'gs1_128':
      return gs1(data);
    case 'gtin':
      return gtin(digits(withoutIdentifier(data)));
    case 'isbn':
      return isbn(data, [10, 9, 13, 12]);
    case 'isbn10':
      return isbn(data, [10, 9]);
    case 'isbn13':
      return isbn(data, [13, 12]);
    case 'issn':
      return linear('issn', issn(data));
    case 'itf':
      return linear('interleaved2of5', digits(data));
    case 'jan':
      return linear('ean13', jan(digits(data)));
    case 'pzn':
      return pzn(data);
    case 'upc':
    case 'upca':
      return linear('upca', digits(data));
    case 'postnet':
      return linear('postnet', digits(data));
    case 'msi':
      return linear('msi', digits(data));
    case 'qr':
      return square('qrcode', data, QR_ZONE);
    case 'pdf417':
      return square('pdf417', data, PDF417_ZONE);
    case 'datamatrix':
      return square('datamatrix', data, DATAMATRIX_ZONE);
  }
}

/**
 * The notation of GS1 for the number of an article or of a shipping container, which other elements may follow: nobody
 * means these brackets as text. Other elements alone may be telephone numbers.
 */
const GS1_NUMBER = /^\((?:0[12]\)\d{14}|00\)\d{18})(?=\(|$)/;

/** Returns elements of GS1 that ASCII 29 separates, in the notation of the encoder. */
function withSeparators(elements: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII 29 separates elements that have no fixed length
  if (!/^[\x1d\x21-\x7e]+$/.test(elements)) refuse('only printable ASCII characters are possible');
  return elements.replaceAll('^', '^^').replaceAll('\x1d', '^FNC1');
}

/**
 * Encodes text beyond ASCII as UTF-8 and marks it as such: without number 26 of the AIM's list of encodings a
 * reader has to guess, and some guess a Japanese encoding.
 */
function square(symbology: string, data: string, quietZone: QuietZone): Encoding {
  if (symbology !== 'pdf417') {
    if (GS1_NUMBER.test(data.trim()))
      return { symbology: `gs1${symbology}`, text: data.trim(), options: {}, quietZone };
    if (data.startsWith('\x1d'))
      return { symbology, text: withSeparators(data), options: { parsefnc: true }, quietZone };
  }
  // oxlint-disable-next-line no-control-regex -- ASCII, all of it
  if (/^[\x00-\x7f]*$/.test(data)) return { symbology, text: data, options: {}, quietZone };
  const text = `^ECI000026${data.replaceAll('^', '^^')}`;
  return { symbology, text, options: { parsefnc: true }, quietZone };
}

/**
 * Returns the encoding of a linear symbology, whose text is bytes already: only two-dimensional ones can mark
 * text as UTF-8.
 */
function linear(symbology: string, text: string, options: Readonly<Record<string, unknown>> = {}): Encoding {
  return { symbology, text, options: { binarytext: true, ...options }, quietZone: LINEAR };
}

/** Returns the digits of the data; people write numbers with spaces and hyphens in between. */
function digits(data: string): string {
  const plain = data.replace(/[\s-]/g, '');
  if (!/^\d+$/.test(plain)) refuse('only digits are possible');
  return plain;
}

function latin1(data: string): string {
  const wrong = Array.from(data).find((character) => (character.codePointAt(0) ?? 0) > 0xff);
  if (wrong !== undefined) refuse(`${JSON.stringify(wrong)} is not a character of Latin-1`);
  return data;
}

/** Adds start and stop characters, which belong to the symbol; the default is A and A. */
function codabar(data: string): string {
  const upper = data.trim().toUpperCase();
  return /^[A-D].*[A-D]$/.test(upper) ? upper : `A${upper}A`;
}

function withoutIdentifier(data: string): string {
  return data.trim().replace(/^\(01\)/, '');
}

/** Accepts the notation `(01)0952…(10)ABC`, or the bare elements as they are encoded. */
function gs1(data: string): Encoding {
  const text = data.trim();
  if (text.startsWith('(')) return linear('gs1-128', text);
  // A leading FNC1 turns a Code 128 into a GS1-128.
  return linear('code128', `^FNC1${withSeparators(text)}`, {
    parsefnc: true,
    alttext: text.replaceAll('\x1d', ' '),
  });
}

/** Chooses the symbology by length: a GTIN is one of the four numbers with their check digits. */
function gtin(number: string): Encoding {
  const bySize: Readonly<Record<number, () => Encoding>> = {
    8: () => linear('ean8', number),
    12: () => linear('upca', number),
    13: () => linear('ean13', number),
    14: () => linear('ean14', `(01)${number}`),
  };
  return (
    bySize[number.length]?.() ??
    refuse('a GTIN has 8, 12, 13 or 14 digits, the last of which is its check digit')
  );
}

/**
 * Encodes an ISBN. With its hyphens it is also printed above the bars, as on books. The places of the hyphens
 * depend on the list of all publishers, so a number without them gets only the bars and the digits.
 */
function isbn(data: string, lengths: readonly number[]): Encoding {
  const text = data
    .trim()
    .replace(/^ISBN(-1[03])?:?\s*/i, '')
    .toUpperCase()
    .replaceAll(' ', '-');
  const plain = text.replaceAll('-', '');
  if (!/^(97[89])?\d{9}[\dX]?$/.test(plain) || !lengths.includes(plain.length)) {
    refuse(`an ISBN has ${lengths.filter((length) => length > 9).join(' or ')} digits`.replace('9 or ', ''));
  }
  if (/^(97[89]-)?\d+-\d+-\d+(-[\dX])?$/.test(text)) return linear('isbn', text);
  if (plain.length > 10) return linear('ean13', plain);
  const check = isbn10Check(plain.slice(0, 9));
  if (plain.length === 10 && plain.at(9) !== check) refuse(`the check digit is wrong: it would be ${check}`);
  return linear('ean13', `978${plain.slice(0, 9)}`);
}

/** Returns the check character by ISO 2108:1992, annex: weights 10 down to 2, modulo 11. */
function isbn10Check(nine: string): string {
  const sum = Array.from(nine).reduce((total, digit, index) => total + Number(digit) * (10 - index), 0);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'X' : String(check);
}

function issn(data: string): string {
  const text = data
    .trim()
    .replace(/^ISSN:?\s*/i, '')
    .toUpperCase();
  return /^\d{7}[\dX]?(\s|$)/.test(text) ? `${text.slice(0, 4)}-${text.slice(4)}` : text;
}

/** Checks a number for the GS1 prefixes of Japan. */
function jan(number: string): string {
  if (!/^4[59]/.test(number)) refuse('a JAN begins with 45 or 49');
  return number;
}

/** Accepts 6 digits and a check digit (until 2019) or 7 and a check digit (since then). */
function pzn(data: string): Encoding {
  const number = digits(data.trim().replace(/^PZN/i, ''));
  return linear('pzn', number, { pzn8: number.length === 8 });
}

/** @param reason completes "the data does not fit ean13: …" */
function refuse(reason: string): never {
  throw new BarcodeDataError(reason);
}

/** The reason why data does not fit, without the format's name, which only the caller knows. */
export class BarcodeDataError extends Error {
  override readonly name = 'BarcodeDataError';
}
