import { PlatenError } from '@platen/core/errors';
import type { PageRules } from '../page-rules.ts';
import { picturesOf, type PictureRequest } from '../word/pictures.ts';
import type { DocumentReading, Picture } from '../word/reading.ts';
import { STYLE_NAMES } from '../word/style-names.ts';
import { ProtocolError } from './connection.ts';
import type { ChromePage } from './page.ts';

/** Maximum number of elements of a document that is read; the data of each take about a kilobyte. */
const MAX_ELEMENTS = 60_000;

/** Maximum number of pictures of a document: each of them is drawn separately. */
const MAX_PICTURES = 500;

/** Maximum bytes of all pictures. */
const MAX_PICTURE_BYTES = 200 * 1024 * 1024;

/**
 * Reads the document that a page has loaded: its elements with their computed styles and positions, its lines
 * of text, and its pictures.
 *
 * @param printBackground whether elements are shown that only backgrounds draw
 * @param missing called for a picture that cannot be loaded
 * @throws PlatenError `document_too_large`; PageCrashed, ConnectionLost
 */
export async function readLoaded(
  page: ChromePage,
  printBackground: boolean,
  missing: (address: string) => void,
): Promise<Omit<DocumentReading, 'sheet'>> {
  const elements = await page.countElements();
  if (elements > MAX_ELEMENTS) {
    throw new PlatenError(
      'document_too_large',
      `The document has ${elements} elements; an office document may have at most ${MAX_ELEMENTS}.`,
    );
  }
  const snapshot = await page.snapshot(STYLE_NAMES);
  const pictures = new Map<number, Picture>();
  let bytes = 0;
  for (const wish of picturesOf(snapshot, printBackground)) {
    if (pictures.size >= MAX_PICTURES || bytes > MAX_PICTURE_BYTES) {
      missing(`pictures after the first ${pictures.size}`);
      break;
    }
    const picture = await pictureOf(page, wish);
    if (picture === null) {
      missing(wish.address ?? 'a drawing');
      continue;
    }
    pictures.set(wish.node, picture);
    bytes += picture.bytes.length;
  }
  return { snapshot, pictures };
}

/** In a word processor document all pages are alike, and their margins contain its header and footer. */
export function warnOfOtherPages(
  { hasMarginBoxes, isUneven, byPlace, margins, size, sizes }: PageRules,
  warn: (text: string) => void = () => {},
): void {
  if (hasMarginBoxes) warn('Boxes in the margins of pages (@page) require PDF, and are omitted.');
  const isOther = (said: object, general: object | null): boolean =>
    JSON.stringify(said) !== JSON.stringify(general);
  if (
    isUneven ||
    Object.values(byPlace).some((said) => isOther(said, margins)) ||
    sizes.some((one) => isOther(one, size))
  )
    warn(
      'Sizes and margins of some pages (@page :first, :left, :right and named ones) require PDF: all pages have those of @page.',
    );
}

async function pictureOf(page: ChromePage, wish: PictureRequest): Promise<Picture | null> {
  try {
    const original = wish.address === null ? null : await originalOf(page, wish.address);
    const type = original === null ? null : typeOf(original);
    if (original !== null && type !== null) return { type, bytes: original };
    return { type: 'png', bytes: await page.screenshot(wish.clip, scaleOf(wish.clip)) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return null;
  }
}

const DATA = /^data:[^,]*;base64,/i;

/** The bytes of an image; null if the browser has none. */
async function originalOf(page: ChromePage, address: string): Promise<Buffer | null> {
  const head = DATA.exec(address.slice(0, 200))?.[0];
  if (head !== undefined) return Buffer.from(decodeURIComponent(address.slice(head.length)), 'base64');
  if (!/^https?:/i.test(address)) return null;
  try {
    return await page.resource(address);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return null;
  }
}

/** Drawn with a higher resolution than a screen for sharp print, within the limits of a picture. */
function scaleOf({ width, height }: PictureRequest['clip']): number {
  return Math.min(FINER, Math.sqrt(MAX_PIXELS / (width * height)));
}

/** Scale factor relative to the document as it is read, which is twice as fine as a screen. */
const FINER = 1.5;
const MAX_PIXELS = 8_000_000;

/** Formats that both Word and LibreOffice show; all others are drawn. */
function typeOf(bytes: Buffer): Picture['type'] | null {
  if (bytes.subarray(0, 8).equals(PNG)) return 'png';
  if (bytes.subarray(0, 3).equals(JPEG)) return 'jpeg';
  return /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)) ? 'gif' : null;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
