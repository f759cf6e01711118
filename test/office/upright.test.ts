import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { TemplateImages } from '../../functions/render/images.ts';
import { fillOffice } from '../../packages/office/src/index.ts';
import { ENGINES } from '../images/support.ts';
import { docx, p, unzip } from './build.ts';
import { odf, page, tp } from './odf.ts';
import { pptx } from './pptx.ts';
import { xlsx } from './xlsx.ts';

/** Pictures of the data that a camera stored lying on their side: they stand upright in every format. */

const execute = promisify(execFile);
const FORMATS = ['docx', 'odt', 'pptx', 'odp', 'xlsx', 'ods'] as const;
const TAG = '<image src="{{ photo }}">';
const templates: Record<(typeof FORMATS)[number], () => Promise<Buffer>> = {
  docx: () => docx(p(TAG)),
  odt: () => odf('odt', tp(TAG)),
  pptx: () => pptx([{ shapes: [TAG] }]),
  odp: () => odf('odp', page('One', TAG)),
  xlsx: () => xlsx([{ name: 'S', rows: [[TAG]] }]),
  ods: () => odf('ods', `<table:table table:name="S"><table:table-column/><table:table-row><table:table-cell office:value-type="string">${tp(TAG)}</table:table-cell></table:table-row></table:table>`), // prettier-ignore
};

/** A picture of 48 × 96 pixels, the upper half red and the lower half blue, stored on its side. */
async function lying(format: 'jpeg' | 'webp'): Promise<string> {
  const half = (background: string) => ({ create: { width: 48, height: 48, channels: 3, background } }) as const; // prettier-ignore
  const red = await sharp(half('#ff0000')).png().toBuffer();
  const upright = await sharp(half('#0000ff'))
    .extend({ top: 48, background: '#ff0000' })
    .composite([{ input: red, top: 0, left: 0 }])
    .png()
    .toBuffer();
  const stored = sharp(upright).rotate(270).withMetadata({ orientation: 6, density: 96 });
  const bytes = await stored.toFormat(format, { quality: 95 }).toBuffer();
  return `data:image/${format};base64,${bytes.toString('base64')}`;
}

async function filled(format: (typeof FORMATS)[number], photo: string): Promise<Uint8Array> {
  const images = new TemplateImages(ENGINES, 10_000_000);
  return await fillOffice({
    format,
    bytes: await templates[format](),
    engine: 'jinja2',
    data: JSON.stringify({ photo }),
    images: new Map(),
    shownOf: async (picture) => await images.ofOffice(picture),
  });
}

/** Corners of a colour on a page at 96 dots per inch. */
async function areaOf(png: Buffer, isColour: (r: number, g: number, b: number) => boolean) {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const area = { left: Infinity, top: Infinity, right: 0, bottom: 0 };
  for (let i = 0; i < data.length; i += 3) {
    if (!isColour(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0)) continue;
    const [x, y] = [(i / 3) % info.width, Math.floor(i / 3 / info.width)];
    area.left = Math.min(area.left, x);
    area.right = Math.max(area.right, x + 1);
    area.top = Math.min(area.top, y);
    area.bottom = Math.max(area.bottom, y + 1);
  }
  return { ...area, width: area.right - area.left, height: area.bottom - area.top };
}

const pages: Record<string, Buffer> = {};

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'platen-upright-'));
  try {
    const photo = await lying('jpeg');
    for (const format of FORMATS) await writeFile(path.join(folder, `${format}.${format}`), await filled(format, photo)); // prettier-ignore
    const soffice = process.env['PLATEN_SOFFICE'] ?? 'soffice';
    const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile')).href}`;
    const files = FORMATS.map((format) => path.join(folder, `${format}.${format}`));
    await execute(soffice, [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, ...files], { timeout: 200_000 }); // prettier-ignore
    for (const format of FORMATS) {
      const base = path.join(folder, format);
      await execute('pdftoppm', ['-r', '96', '-l', '1', '-png', '-singlefile', `${base}.pdf`, base]);
      if ((await readdir(folder)).includes(`${format}.png`)) pages[format] = await readFile(`${base}.png`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 240_000);

it.each(FORMATS)('stand upright in the PDF of a %s, at their own size', async (format) => {
  const shown = pages[format] ?? Buffer.alloc(0);
  const red = await areaOf(shown, (r, g, b) => r > 180 && g < 90 && b < 90);
  const blue = await areaOf(shown, (r, g, b) => b > 180 && r < 90 && g < 90);
  expect(Math.abs(red.bottom - blue.top)).toBeLessThan(4);
  for (const { width, height } of [red, blue]) {
    expect(Math.abs(width - 48)).toBeLessThan(4);
    expect(Math.abs(height - 48)).toBeLessThan(4);
  }
});

it('are PNG or JPEG in the document, which Microsoft Office shows', async () => {
  const parts = await unzip(await filled('docx', await lying('webp')));
  const [media] = [...parts].filter(([name]) => name.startsWith('word/media/'));
  expect(media?.[0]).toMatch(/\.png$/);
  expect(await sharp(media?.[1]).metadata()).toMatchObject({ format: 'png', width: 48, height: 96 });
});
