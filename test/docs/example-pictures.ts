import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { pdfInfo } from '../api/client.ts';
import { pdfPicture } from '../chrome/pdf.ts';
import { sideBySide } from './sample-pages.ts';

/** Pictures of what the examples of routes make, for their pages (`npm run docs:pictures`). */

/** Documents that nobody opens without their password. */
const CLOSED: ReadonlySet<string> = new Set(['encryptPdf']);

/**
 * Up to three pages of a PDF beside one another, or an image; of other files nothing.
 *
 * @param ending of the file: `pdf`
 */
export async function writePicture(
  folder: string,
  operation: string,
  ending: string,
  bytes: Buffer,
): Promise<void> {
  if (CLOSED.has(operation)) return;
  let shown: Buffer[];
  if (ending === 'pdf') {
    const pages = Math.min(3, Number(pdfInfo(bytes)['Pages']));
    shown = Array.from({ length: pages }, (_, index) => pdfPicture(bytes, index + 1, 36));
  } else if (ending === 'png') {
    shown = [await sharp(bytes).resize({ width: 300, withoutEnlargement: true }).png().toBuffer()];
  } else return;
  const picture = await sideBySide(shown);
  const file = path.join(folder, 'routes', `${operation}.png`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, await picture.png({ palette: true, colours: 64, effort: 10 }).toBuffer());
}
