import sharp from 'sharp';
import { run } from '../fixtures.ts';

/** Pixels of one point each, as poppler draws the crop box. */
export async function pixels(
  path: string,
  page = 1,
): Promise<{ width: number; height: number; at: (x: number, y: number) => number[] }> {
  run('pdftoppm', '-r', '72', '-png', '-singlefile', '-cropbox', '-f', String(page), path, path);
  const { data, info } = await sharp(`${path}.png`).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    at: (x, y) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)],
  };
}
