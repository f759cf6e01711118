import type { TenantFiles } from '../../functions/shared/store/tenant-files.ts';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect } from 'vitest';
import { createGroup, type Reply } from '../../functions/shared/http/index.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import type { TemplateStore } from '../../functions/shared/store/templates.ts';
import { imageOperations, type ImageServices } from '../../functions/images/operations.ts';
import type { ImageEngines } from '../../packages/imaging/src/engine-calls.ts';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { localGhostscript } from '../support/local-engines.ts';
import { bodyText, CONTEXT, gatewayEvent, multipart } from '../support/gateway-event.ts';

/** What the tests of the images function share: calling it, and looking at the PDFs it makes. */

setLogLevel('silent');

const ROOT = path.resolve(import.meta.dirname, '../..');
const { dist } = await buildFontsLayer();

export const ENGINES: ImageEngines = {
  fontFolder: path.join(dist, 'fonts', 'files'),
  converter: localGhostscript(),
};

/** A file of `test/images/samples`. */
export function sample(name: string): Buffer {
  return readFileSync(path.join(ROOT, 'test/images/samples', name));
}

export interface Service {
  /** `POST /v1/render/img` with a file and options. */
  image(bytes: Buffer, name: string, options?: object): Promise<Reply>;
  barcode(data: string, format: string, options?: object): Promise<Reply>;
  call: ReturnType<typeof createGroup>;
}

export function service(
  given: Partial<Pick<ImageServices, 'engines' | 'timeout' | 'signing'>> & {
    templates?: Partial<TemplateStore>;
    tenantFonts?: Partial<TenantFiles>;
  } = {},
): Service {
  const images = createGroup(
    'images',
    imageOperations({
      templates: (given.templates ?? {}) as TemplateStore,
      tenantFonts: (given.tenantFonts ?? { current: () => Promise.resolve([]) }) as TenantFiles,
      engines: given.engines ?? ENGINES,
      signing: given.signing,
      timeout: given.timeout ?? 60_000,
    }),
  );
  const call: typeof images = async (...request) => {
    const reply = await images(...request);
    // A document is in memory here: nothing is read from disk after its end.
    await reply.close?.();
    return reply;
  };
  return {
    call,
    image: async (bytes, name, options) => {
      const parts = [
        { name: 'image', content: bytes, filename: name, contentType: 'application/octet-stream' },
        ...(options === undefined ? [] : [{ name: 'render_options', content: JSON.stringify(options) }]),
      ];
      return await call(
        gatewayEvent({ method: 'POST', path: '/v1/render/img', ...multipart(parts) }),
        CONTEXT,
      );
    },
    barcode: async (data, format, options) => {
      const body = JSON.stringify({ data: { data, barcode_format: format }, render_options: options });
      const headers = { 'Content-Type': 'application/json' };
      return await call(gatewayEvent({ method: 'POST', path: '/v1/render/barcode', headers, body }), CONTEXT);
    },
  };
}

/** The PDF of an answer that has to be one. */
export function pdfOf(reply: Reply): Buffer {
  if (reply.status !== 200) throw new Error(`${reply.status}: ${bodyText(reply)}`);
  expect(reply.headers['content-type']).toBe('application/pdf');
  return Buffer.from(reply.body as Uint8Array);
}

export interface Problem {
  status: number;
  code: string;
  detail: string;
  errors?: { field: string; message: string }[];
}

/** The problem document of an answer that has to be one. */
export function problemOf(reply: Reply): Problem {
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
  return JSON.parse(bodyText(reply)) as Problem;
}

/** Runs `work` with a folder that is gone afterwards. */
export async function withFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-images-test-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program on a file with `bytes`; `{in}` and `{out}` in its arguments are paths. */
export async function through(
  program: string,
  args: readonly string[],
  bytes: Buffer,
  output?: string,
): Promise<{ stdout: string; bytes: Buffer }> {
  return await withFolder((folder) => {
    const [input, out] = [path.join(folder, 'in'), path.join(folder, output ?? 'out')];
    writeFileSync(input, bytes);
    const filled = args.map((argument) => argument.replaceAll('{in}', input).replaceAll('{out}', out));
    const stdout = execFileSync(program, filled, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return { stdout, bytes: existsSync(out) ? readFileSync(out) : Buffer.alloc(0) };
  });
}

/** @param rows each with the number of its filter before it */
export function grayPng(
  { width, height, bits }: { width: number; height: number; bits: number },
  rows: Buffer,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(bits, 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const whole = Buffer.alloc(body.length + 8);
    whole.writeUInt32BE(data.length, 0);
    body.copy(whole, 4);
    whole.writeUInt32BE(crc32(body), body.length + 4);
    return whole;
  };
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** `pdfimages -list`: one row for each image. */
export interface EmbeddedImage {
  type: string;
  width: number;
  height: number;
  colour: string;
  components: number;
  bits: number;
  encoding: string;
}

export async function embeddedImages(pdf: Buffer): Promise<EmbeddedImage[]> {
  const { stdout } = await through('pdfimages', ['-list', '{in}'], pdf);
  return stdout
    .split('\n')
    .slice(2)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, , type = '', width, height, colour = '', components, bits, encoding = ''] = line
        .trim()
        .split(/\s+/);
      return {
        type,
        width: Number(width),
        height: Number(height),
        colour,
        components: Number(components),
        bits: Number(bits),
        encoding,
      };
    });
}

/** Red, green and blue of every pixel. */
export interface Pixels {
  width: number;
  height: number;
  data: Buffer;
}

/** A page as a reader shows it. */
export async function rendered(pdf: Buffer, resolution = 96, page = 1): Promise<Pixels> {
  return await drawn(pdf, ['-r', String(resolution), '-f', String(page), '-l', String(page)]);
}

/**
 * The upper left corner of the first page. Drawn four times as large and thinned out, since readers widen a picture to
 * the pixels its edges touch.
 */
export async function renderedCorner(pdf: Buffer, width: number, height: number): Promise<Pixels> {
  const size = ['-W', String(width * 4), '-H', String(height * 4)];
  const large = await drawn(pdf, ['-r', '384', '-f', '1', '-l', '1', '-x', '0', '-y', '0', ...size]);
  const data = await sharp(large.data, { raw: { width: large.width, height: large.height, channels: 3 } })
    .resize(width, height, { kernel: 'nearest', fastShrinkOnLoad: false })
    .raw()
    .toBuffer();
  return { width, height, data };
}

async function drawn(pdf: Buffer, args: readonly string[]): Promise<Pixels> {
  const file = await withFolder((folder) => {
    writeFileSync(path.join(folder, 'in.pdf'), pdf);
    // pdftoppm adds the ending itself.
    const files = [path.join(folder, 'in.pdf'), path.join(folder, 'page')];
    execFileSync('pdftoppm', [...args, '-singlefile', '-png', ...files], { stdio: 'ignore' });
    return readFileSync(path.join(folder, 'page.png'));
  });
  return await pixelsOf(file);
}

/** An image as a browser would show it, on white. */
export async function pixelsOf(image: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(image)
    .rotate()
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Mean difference of a component, 0 to 255. */
export function difference(a: Pixels, b: Pixels): number {
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  let sum = 0;
  for (let i = 0; i < a.data.length; i += 1) sum += Math.abs((a.data[i] ?? 0) - (b.data[i] ?? 0));
  return sum / a.data.length;
}

/** The colour at (x, y). */
export function colourAt({ data, width }: Pixels, x: number, y: number): [number, number, number] {
  const at = (y * width + x) * 3;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}

/** Centimetres in which a picture of so many pixels has one of them in each 1/96 inch. */
export function centimetres(pixels: number): number {
  return (pixels / 96) * 2.54;
}

/**
 * Renders an image so that its pixels fall onto those of the page as shown at 96 dpi: in the corner of a sheet whose
 * sides are whole numbers of pixels.
 */
export async function shown(bytes: Buffer, name: string, size: [number, number], options: object = {}) {
  const reply = await service().image(bytes, name, { ...inCorner(size), ...options });
  return await renderedCorner(pdfOf(reply), ...size);
}

/** Options that put an image of that many pixels there. */
export function inCorner([width, height]: [number, number]): object {
  return { paper_format: 'Letter', x: 0, y: 0, w: centimetres(width), h: centimetres(height) };
}

/** The picture of the synthetic raws: eight bars, darker downwards. Names of their colours from left to right. */
export const BARS = ['red', 'green', 'blue', 'yellow', 'cyan', 'magenta', 'light', 'dark'] as const;

/** Which of the bars' colours a colour is. */
export function nameOfColour([red, green, blue]: readonly [number, number, number]): string {
  const brightest = Math.max(red, green, blue);
  const [r, g, b] = [red, green, blue].map((component) => component > brightest * 0.7);
  if (r && g && b) return brightest > 140 ? 'light' : 'dark';
  if (r) return g ? 'yellow' : b ? 'magenta' : 'red';
  if (g) return b ? 'cyan' : 'green';
  return 'blue';
}

/** The synthetic raw of a format, 480 pixels wide, shows its bars. */
export function expectBars(got: Pixels, format: string): void {
  const names = BARS.map((_, bar) => nameOfColour(colourAt(got, bar * 60 + 30, 150)));
  // The synthetic ARW has no white balance of its own: its yellow and light bars lean to another colour.
  const bars = format === 'arw' ? [0, 1, 2, 4, 5] : BARS.map((_, bar) => bar);
  expect(bars.map((bar) => names[bar])).toEqual(bars.map((bar) => BARS[bar]));
}
