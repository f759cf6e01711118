/**
 * Prints public samples with the service, with its Chromium without the service, and with WeasyPrint, and writes
 * pictures of their pages side by side for inspection (docs/comparisons.md lists the findings). Arguments are words of
 * names; `--clones=FOLDER` has a clone of each repository, named `owner+name`. Without it, the documents are cloned into a
 * cache. WeasyPrint is installed there; pictures are written to `tmp/samples`.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { parseArgs, promisify } from 'node:util';
import sharp from 'sharp';
import { builtLayers, launchRawBrowser } from '../../bench/raw-browser.ts';
import { unpackChromium } from '../../packages/print/src/chrome/unpack.ts';
import { pdfInfo, pdfPicture } from '../chrome/pdf.ts';
import { CONTEXT, gatewayEvent } from '../support/gateway-event.ts';
import { startWebPages } from '../support/render-service.ts';
import { SAMPLES, type SampleRepository } from './public-samples.ts';

const CACHE = 'node_modules/.cache/platen';
const WEASYPRINT = path.join(CACHE, 'weasyprint');
const WEASYPRINT_VERSION = '70.0';
const OUTPUT = 'tmp/samples';
/** Most pages of a document that are shown. */
const SHOWN = 4;
const HEIGHT = 330;
/** Documents refer to resources on the network; none of the three programs may load them. */
const NOTHING_OUTSIDE = {
  http_proxy: 'http://127.0.0.1:9',
  https_proxy: 'http://127.0.0.1:9',
  no_proxy: '127.0.0.1',
};
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.otf': 'font/otf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { clones: { type: 'string', default: path.join(CACHE, 'samples') } },
});
const { clones } = values;
const run = promisify(execFile);

function folderOf({ repository }: SampleRepository): string {
  return path.join(clones, repository.replace('/', '+'));
}

/** Clones missing repositories, and installs WeasyPrint. */
async function prepare(): Promise<void> {
  for (const sample of SAMPLES) {
    const folder = folderOf(sample);
    if (existsSync(folder)) continue;
    await mkdir(folder, { recursive: true });
    const git = (...args: string[]): void => void execFileSync('git', ['-C', folder, ...args]);
    git('init', '--quiet');
    git('fetch', '--quiet', '--depth=1', `https://github.com/${sample.repository}`, sample.commit);
    git('checkout', '--quiet', 'FETCH_HEAD');
  }
  if (existsSync(WEASYPRINT)) return;
  const args = ['install', '--quiet', '--target', WEASYPRINT, `weasyprint==${WEASYPRINT_VERSION}`];
  execFileSync('pip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Serves the clones on this machine only. `?style=` adds a style sheet to a document, as a caller would. */
async function serveClones(): Promise<{ base: string; close(): void }> {
  const root = path.resolve(clones);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const file = path.join(root, decodeURIComponent(pathname));
    const style = searchParams.get('style');
    const answer = async (): Promise<void> => {
      if (!file.startsWith(root) || !(await stat(file)).isFile()) throw new Error('no file');
      const bytes = await readFile(file);
      const type = TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
      const link = style === null ? '' : `<link rel="stylesheet" href="${style}">`;
      const body =
        style === null
          ? bytes
          : Buffer.from(bytes.toString('utf8').replace(/<title|<\/head|<body/i, (tag) => link + tag));
      response.writeHead(200, { 'content-type': type }).end(body);
    };
    answer().catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

/** Returns up to four pages as one row. */
async function row(pdf: Buffer | null): Promise<Buffer> {
  const count = pdf === null ? 0 : Math.min(SHOWN, pdfInfo(pdf).pages);
  const pages = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const page = sharp(pdfPicture(pdf ?? Buffer.alloc(0), index + 1, 50)).flatten({ background: '#fff' });
      const fitted = page.resize({ width: 340, height: HEIGHT, fit: 'inside' });
      return await fitted.png().toBuffer({ resolveWithObject: true });
    }),
  );
  let left = 4;
  const placed = pages.map(({ data, info }) => {
    const place = { input: data, left, top: 4 };
    left += info.width + 4;
    return place;
  });
  const sheet = { width: 4 + SHOWN * 344, height: HEIGHT + 8, channels: 3, background: '#778' } as const;
  return await sharp({ create: sheet }).composite(placed).png().toBuffer();
}

await prepare();
await rm(OUTPUT, { recursive: true, force: true });
await mkdir(OUTPUT, { recursive: true });
const layerRoot = await builtLayers();
const { fontConfig } = await unpackChromium(layerRoot, path.resolve('.platen/engine'));
const site = await serveClones();
const rendering = await startWebPages(['127.0.0.1']);

async function ofService(url: string): Promise<{ pdf: Buffer; warnings: string }> {
  const reply = await rendering.serve(
    gatewayEvent({
      method: 'POST',
      path: '/v1/pdf/url',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ url }).toString(),
    }),
    CONTEXT,
  );
  const body = reply.body instanceof Readable ? await buffer(reply.body) : Buffer.from(reply.body ?? '');
  await reply.close?.();
  if (reply.status !== 200) throw new Error(`${reply.status} ${body.toString('utf8', 0, 300)}`);
  return { pdf: body, warnings: String(reply.headers['warning'] ?? '') };
}

async function ofChromium(url: string): Promise<Buffer> {
  // Each document gets its own process: a document that ends it affects no other one.
  const raw = await launchRawBrowser(layerRoot, path.resolve('.platen/engine'), true);
  try {
    const page = await raw.browser.newPage();
    await page.goto(url, { waitUntil: 'networkidle0', timeout: 60_000 });
    const margin = { top: '2cm', right: '1cm', bottom: '2cm', left: '1cm' };
    const options = { format: 'A4', preferCSSPageSize: true, printBackground: true, margin } as const;
    return Buffer.from(await page.pdf(options));
  } finally {
    await raw.close();
  }
}

async function ofWeasyPrint(url: string, file: string): Promise<Buffer> {
  const env = {
    ...process.env,
    PYTHONPATH: path.resolve(WEASYPRINT),
    FONTCONFIG_FILE: fontConfig,
    ...NOTHING_OUTSIDE,
  };
  await run('python3', ['-m', 'weasyprint', '--quiet', url, file], { env, timeout: 300_000 });
  return await readFile(file);
}

/** Returns the result; null, with the reason in the table, if printing failed. */
async function attempt(
  what: string,
  work: () => Promise<Buffer>,
): Promise<{ pdf: Buffer | null; told: string }> {
  try {
    const pdf = await work();
    return { pdf, told: `${what} ${pdfInfo(pdf).pages}` };
  } catch (error) {
    return {
      pdf: null,
      told: `${what} FAILED (${(error as Error).message.split('\n', 1)[0]?.slice(0, 200)})`,
    };
  }
}

try {
  let number = 0;
  for (const sample of SAMPLES) {
    for (const document of sample.documents) {
      number += 1;
      const { path: name, style } = typeof document === 'string' ? { path: document, style: null } : document;
      if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
      const at = `${site.base}/${folderOf(sample).slice(clones.length + 1)}`;
      const url = `${at}/${name}.html${style === null ? '' : `?style=${encodeURIComponent(`${at}/${style}`)}`}`;
      const stem = path.join(OUTPUT, `${String(number).padStart(2, '0')}-${name.replaceAll('/', '-')}`);
      let warnings = '';
      const results = [
        await attempt('Platen', async () => {
          const { pdf, warnings: told } = await ofService(url);
          warnings = told;
          return pdf;
        }),
        await attempt('Chromium', () => ofChromium(url)),
        await attempt('WeasyPrint', () => ofWeasyPrint(url, `${stem}.weasyprint.pdf`)),
      ];
      const rows = await Promise.all(results.map(({ pdf }) => row(pdf)));
      const sheet = sharp({
        create: { width: 4 + SHOWN * 344, height: 3 * (HEIGHT + 8), channels: 3, background: '#778' },
      }).composite(rows.map((input, index) => ({ input, left: 0, top: index * (HEIGHT + 8) })));
      await writeFile(`${stem}.png`, await sheet.png({ palette: true }).toBuffer());
      await rm(`${stem}.weasyprint.pdf`, { force: true });
      const [own] = results;
      if (own?.pdf) await writeFile(`${stem}.pdf`, own.pdf);
      console.log(
        `${number} ${name}: pages ${results.map(({ told }) => told).join(', ')}${warnings && `; ${warnings}`}`,
      );
    }
  }
} finally {
  await rendering.stop();
  site.close();
}
