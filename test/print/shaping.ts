import { readFileSync } from 'node:fs';
import * as hb from 'harfbuzzjs';
import sharp, { type Sharp } from 'sharp';

/** Draws words with HarfBuzz and one font, to compare an engine's pictures with them. */

/** The black area of a picture, cropped to its edges. */
export interface Ink {
  width: number;
  height: number;
  /** One byte for each pixel, rows from the top: 255 for ink. */
  pixels: Buffer;
}

/**
 * Draws a word with HarfBuzz and a font.
 *
 * @returns its ink at a size in pixels per em, and the number of missing glyphs
 */
export async function shaped(
  file: string,
  text: string,
  language: string,
  pixelsOfEm: number,
): Promise<{ ink: Ink; boxes: number }> {
  const face = new hb.Face(new hb.Blob(new Uint8Array(readFileSync(file)).buffer));
  const font = new hb.Font(face);
  const buffer = new hb.Buffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  buffer.setLanguage(language);
  hb.shape(font, buffer);
  const infos = buffer.getGlyphInfos();
  const positions = buffer.getGlyphPositions();
  let [x, y, boxes] = [0, 0, 0];
  const paths: string[] = [];
  for (const [index, { codepoint }] of infos.entries()) {
    const place = positions[index];
    if (place === undefined) continue;
    if (codepoint === 0) boxes++;
    paths.push(
      `<path transform="translate(${x + place.xOffset} ${y + place.yOffset})" d="${font.glyphToPath(codepoint)}"/>`,
    );
    x += place.xAdvance;
    y += place.yAdvance;
  }
  const scale = pixelsOfEm / face.upem;
  const [width, height] = [Math.ceil((x + 2 * face.upem) * scale), Math.ceil(5 * pixelsOfEm)];
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>` +
    `<g transform="translate(${pixelsOfEm} ${3 * pixelsOfEm}) scale(${scale} ${-scale})">${paths.join('')}</g></svg>`;
  return { ink: await inkOf(sharp(Buffer.from(svg))), boxes };
}

/** Returns the ink of a picture. */
export async function inkOf(picture: Sharp): Promise<Ink> {
  const { data, info } = await picture
    .flatten({ background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let [left, right, top, bottom] = [info.width, -1, info.height, -1];
  for (let at = 0; at < data.length; at++) {
    if ((data[at] ?? 255) > 128) continue;
    const [column, row] = [at % info.width, Math.floor(at / info.width)];
    [left, right, top, bottom] = [
      Math.min(left, column),
      Math.max(right, column),
      Math.min(top, row),
      Math.max(bottom, row),
    ];
  }
  if (right < 0) return { width: 0, height: 0, pixels: Buffer.alloc(0) };
  const [width, height] = [right - left + 1, bottom - top + 1];
  const pixels = Buffer.alloc(width * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      if ((data[(row + top) * info.width + column + left] ?? 255) <= 128) pixels[row * width + column] = 255;
  return { width, height, pixels };
}

/** Most pixels between two lines that count as equal. */
const TOLERANCE = 2;

/**
 * Returns the similarity of two pictures: the share of each picture's ink that lies on or beside ink of the other one;
 * the smaller of both shares. 1 for equal pictures.
 */
export function similarity(one: Ink, other: Ink): number {
  return Math.min(shareUpon(one, other), shareUpon(other, one));
}

function shareUpon(one: Ink, other: Ink): number {
  let [ink, upon] = [0, 0];
  for (let at = 0; at < one.pixels.length; at++) {
    if (one.pixels[at] === 0) continue;
    ink++;
    if (hasInkNear(other, at % one.width, Math.floor(at / one.width))) upon++;
  }
  return ink === 0 ? 0 : upon / ink;
}

function hasInkNear({ width, height, pixels }: Ink, x: number, y: number): boolean {
  for (let row = Math.max(0, y - TOLERANCE); row <= Math.min(height - 1, y + TOLERANCE); row++)
    for (let column = Math.max(0, x - TOLERANCE); column <= Math.min(width - 1, x + TOLERANCE); column++)
      if (pixels[row * width + column] === 255) return true;
  return false;
}
