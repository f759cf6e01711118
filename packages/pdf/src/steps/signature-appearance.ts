import { PlatenError } from '@platen/core/errors';
import { pdfNumbers } from '../content/write.ts';
import type { PdfFile } from '../model/index.ts';
import { claimsOfDocument } from '../look/claims.ts';
import { TextSetter } from '../text/index.ts';
import type { PdfDict, Ref } from '../model/values.ts';
import { mappedBox, type Matrix, points, viewOf } from './geometry.ts';
import { formOfImage } from './image-form.ts';
import { corners } from './move-content.ts';
import { addForm } from './paint.ts';

/** What a visible signature shows. */
export interface SignatureContent {
  /** The bytes of an image. */
  image?: Uint8Array | undefined;
  /** Lines one below the other. */
  text?: string | undefined;
}

/**
 * The place and the appearance of a visible signature. Lengths are cm from the top left corner of the page as
 * displayed.
 */
export interface SignatureAppearance extends SignatureContent {
  /** 1-based. Default 1. */
  page?: number | undefined;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Line spacing relative to the text size, and the maximum text size in points. */
const LEADING = 1.2;
const MAX_SIZE = 12;
/** Distance between the content and the edges, in points. */
const INSET = 2;

/** White point of sRGB (IEC 61966-2-1) in CIE XYZ. */
const WHITE = [0.9505, 1, 1.089];
/**
 * Default colour spaces for grey and RGB in an archived document, whose output intent may be for another device,
 * or missing (ISO 32000-2, 8.6.5.6; ISO 19005-2, 6.2.4.3).
 */
const CALIBRATED: PdfDict = {
  '/DefaultGray': ['/CalGray', { '/WhitePoint': WHITE, '/Gamma': 2.2 }],
  '/DefaultRGB': [
    '/CalRGB',
    {
      '/WhitePoint': WHITE,
      '/Gamma': [2.2, 2.2, 2.2],
      '/Matrix': [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505],
    },
  ],
};

/**
 * Draws a visible signature: an image, a text, or the image on the left and the text on the right.
 *
 * @param fonts folder of the font files; null for none
 * @returns the entries of its widget
 * @throws PlatenError `page_range_outside_document`, `image_invalid`, `image_too_large`, `invalid_field`,
 * `engine_missing`
 */
export async function signatureAppearance(
  file: PdfFile,
  { page: number = 1, x, y, w, h, image, text }: SignatureAppearance,
  fonts: string | null,
): Promise<PdfDict & { '/P': Ref }> {
  const [page, dict] = [file.pages()[number - 1], file.pageDict(number - 1)];
  if (page === undefined) throw noPage(number);
  const view = viewOf(file, dict);
  const [width, height] = [points(w), points(h)];
  const box = { x: points(x), y: view.height - points(y + h), width, height };
  const operators: string[] = [];
  const resources: PdfDict = {};
  // A signed document keeps its claims. PDF/A-1 has no transparency, and lists the glyphs of fonts (ISO 19005-1,
  // 6.4 and 6.3.5).
  const claims = claimsOfDocument(file);
  const isPdfA1 = claims.some((claim) => claim.startsWith('pdf/a-1'));
  if (claims.some((claim) => claim.startsWith('pdf/a-'))) resources['/ColorSpace'] = CALIBRATED;
  const half = image !== undefined && text !== undefined ? width / 2 : width;
  if (image !== undefined) {
    const form = await formOfImage(file, Buffer.from(image), 'appearance.image', { isOpaque: isPdfA1 });
    const scale = Math.min((half - 2 * INSET) / form.box.width, (height - 2 * INSET) / form.box.height);
    const drawn = file.dict(form.ref);
    file.set(form.ref, { ...drawn, '/Resources': { ...resources, ...file.dict(drawn['/Resources']) } });
    const left = (half - form.box.width * scale) / 2;
    const bottom = (height - form.box.height * scale) / 2;
    resources['/XObject'] = { '/Im': form.ref };
    operators.push(`q ${pdfNumbers(scale, 0, 0, scale, left, bottom)} cm /Im Do Q`);
  }
  if (text !== undefined) {
    const room = { width: half - 2 * INSET, height: height - 2 * INSET };
    const shown = await linesOf(file, text, room, { folder: fonts, listsGlyphs: isPdfA1 });
    resources['/Font'] = shown.fonts;
    operators.push(`q 0 g 1 0 0 1 ${pdfNumbers(width - half + INSET, INSET)} cm`, ...shown.operators, 'Q');
  }
  const form = addForm(file, { x: 0, y: 0, width, height }, operators.join('\n'), resources);
  // Readers fit it upright into the rectangle; on a rotated page it is rotated with the page.
  const [a, b, c, d] = view.toPage;
  const scale = Math.hypot(a, b);
  const turn: Matrix = [a / scale, b / scale, c / scale, d / scale, 0, 0];
  file.set(form.ref, { ...file.dict(form.ref), '/Matrix': [...turn] });
  return { '/P': page, '/Rect': corners(mappedBox(box, view.toPage)), '/AP': { '/N': form.ref } };
}

async function linesOf(
  file: PdfFile,
  text: string,
  room: { width: number; height: number },
  { folder, listsGlyphs }: { folder: string | null; listsGlyphs: boolean },
): Promise<{ operators: string[]; fonts: PdfDict }> {
  if (folder === null) throw new PlatenError('engine_missing', 'This deployment has no fonts.');
  const setter = new TextSetter(file, folder);
  const style = setter.style(undefined, 'appearance.text');
  const rows = text.split(/\r\n|\r|\n/);
  const set = (size: number) =>
    Promise.all(rows.map(async (row) => await setter.line(row, style, size, 'appearance.text')));
  const widest = Math.max(0.1, ...(await set(1)).map(({ width }) => width));
  const size = Math.max(0.5, Math.min(MAX_SIZE, room.width / widest, room.height / (rows.length * LEADING)));
  const lines = await set(size);
  const fonts: PdfDict = {};
  const operators: string[] = [];
  const top = (room.height + rows.length * LEADING * size) / 2;
  for (const [index, line] of lines.entries()) {
    for (const [name, ref] of line.fonts) fonts[`/${name}`] = ref;
    const baseline = top - (index + 1) * LEADING * size + 0.3 * size;
    operators.push(`q 1 0 0 1 0 ${pdfNumbers(baseline)} cm`, line.operators, 'Q');
  }
  await setter.finish({ listsGlyphs });
  return { operators, fonts };
}

function noPage(page: number): PlatenError {
  const field = 'appearance.page';
  const message = `there is no page ${page}`;
  return new PlatenError('page_range_outside_document', `\`${field}\`: ${message}.`, {
    faults: [{ field, message, value: page }],
  });
}
