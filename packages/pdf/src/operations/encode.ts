import { createDeflate } from 'node:zlib';
import { Readable } from 'node:stream';
import type { PageFormat } from './image-formats.ts';
import type { Bitmap } from '../pdfium/document.ts';

/** Encodes a drawn page as an image file. */

/** Maximum width and height of an icon, in pixels. */
export const MAX_ICON = 256;

/** @returns the bytes of the file, with the resolution if the format supports it. */
export async function encode(
  bitmap: Bitmap,
  format: Exclude<PageFormat, 'tiff' | 'pdf'>,
  dpi: number,
): Promise<Buffer> {
  if (format === 'bmp') return bmp(bitmap, dpi);
  if (format === 'psd') return psd(bitmap, dpi);
  const { default: sharp } = await import('sharp');
  const { width, height, pixels } = bitmap;
  const image = sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .withMetadata({ density: dpi });
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: 6 }).toBuffer();
    case 'jpeg':
      return image.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer();
    case 'webp':
      return image.webp({ quality: 90 }).toBuffer();
    case 'gif':
      return image.gif().toBuffer();
    case 'ico': {
      const png = image.resize(MAX_ICON, MAX_ICON, { fit: 'inside', withoutEnlargement: true }).png();
      const { data, info } = await png.toBuffer({ resolveWithObject: true });
      return ico(data, info.width, info.height);
    }
    case 'svg':
      return svg(await image.png({ compressionLevel: 6 }).toBuffer(), bitmap, dpi);
  }
}

/** Rows are stored from the bottom up, as blue, green and red, each padded to a multiple of four bytes. */
function bmp({ width, height, pixels }: Bitmap, dpi: number): Buffer {
  const HEADER = 54;
  const stride = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(HEADER + stride * height);
  file.write('BM', 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(HEADER, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  file.writeUInt32LE(stride * height, 34);
  const metre = Math.round(dpi / 0.0254);
  file.writeInt32LE(metre, 38);
  file.writeInt32LE(metre, 42);
  for (let row = 0; row < height; row++) {
    let to = HEADER + (height - 1 - row) * stride;
    for (let from = row * width * 4, end = from + width * 4; from < end; from += 4) {
      file[to++] = pixels[from + 2] ?? 0;
      file[to++] = pixels[from + 1] ?? 0;
      file[to++] = pixels[from] ?? 0;
    }
  }
  return file;
}

/** An icon directory with a single PNG. */
function ico(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  // 0 stands for 256.
  header.writeUInt8(width % 256, 6);
  header.writeUInt8(height % 256, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(24, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

/** A flat image: header, no palette, the resolution, no layers, then the channels one after the other. */
function psd({ width, height, pixels }: Bitmap, dpi: number): Buffer {
  const resolution = Buffer.alloc(28);
  resolution.write('8BIM', 0, 'latin1');
  resolution.writeUInt16BE(0x03ed, 4);
  resolution.writeUInt32BE(16, 8);
  for (const at of [12, 20]) {
    // A fixed-point number of pixels per inch, displayed in inches.
    resolution.writeUInt32BE(Math.round(dpi * 65_536), at);
    resolution.writeUInt16BE(1, at + 4);
    resolution.writeUInt16BE(1, at + 6);
  }
  const header = Buffer.alloc(26);
  header.write('8BPS', 'latin1');
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(3, 12);
  header.writeUInt32BE(height, 14);
  header.writeUInt32BE(width, 18);
  header.writeUInt16BE(8, 22);
  header.writeUInt16BE(3, 24);
  const lengths = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const area = width * height;
  const planes = Buffer.alloc(area * 3);
  for (let at = 0; at < area; at++) {
    planes[at] = pixels[at * 4] ?? 0;
    planes[area + at] = pixels[at * 4 + 1] ?? 0;
    planes[2 * area + at] = pixels[at * 4 + 2] ?? 0;
  }
  const uncompressed = Buffer.alloc(2);
  return Buffer.concat([
    header,
    lengths(0),
    lengths(resolution.length),
    resolution,
    lengths(0),
    uncompressed,
    planes,
  ]);
}

/** The image of the page, in the size of the page. */
function svg(png: Buffer, { width, height }: Bitmap, dpi: number): Buffer {
  const inches = (pixels: number): string => `${Number((pixels / dpi).toFixed(4))}in`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${inches(width)}" height="${inches(height)}" viewBox="0 0 ${width} ${height}">` +
      `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/></svg>\n`,
  );
}

/** Deflated RGB rows, as in a strip of a TIFF (TIFF 6.0, compression 8; predictor 2). */
export async function deflatedRows({ width, height, pixels }: Bitmap): Promise<Buffer> {
  function* rows(): Generator<Buffer> {
    for (let row = 0; row < height; row++) {
      const out = Buffer.allocUnsafe(width * 3);
      let [red, green, blue] = [0, 0, 0];
      for (let column = 0, from = row * width * 4; column < width; column++, from += 4) {
        // Differences from the pixel to the left compress far better.
        out[column * 3] = (pixels[from] ?? 0) - red;
        out[column * 3 + 1] = (pixels[from + 1] ?? 0) - green;
        out[column * 3 + 2] = (pixels[from + 2] ?? 0) - blue;
        [red, green, blue] = [pixels[from] ?? 0, pixels[from + 1] ?? 0, pixels[from + 2] ?? 0];
      }
      yield out;
    }
  }
  const parts: Buffer[] = [];
  for await (const part of Readable.from(rows()).pipe(createDeflate())) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
