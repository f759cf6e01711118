/**
 * Builds both images of the Dockerfile without Docker, by its steps in a Debian made with debootstrap, runs them as
 * compose.yaml does (user 1000, read-only root), and has every engine make a document. Then the data folder is copied
 * and served by another container, as a backup is. Takes root, a network and a quarter of an hour.
 *
 *     npm run verify -- image [folder that keeps the roots]
 */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Platen, PlatenError, type Work } from '@platen/client';
import { ROOT } from '../../bin/service.ts';
import { docx, xlsx } from '../convert/documents.ts';
import { pdfInfo, pdfText } from '../convert/support.ts';
import { buildImage, type Image } from '../support/dockerfile.ts';
import { nodeImage } from '../support/node-image.ts';
import { runIn, start } from './confined.ts';
import { freePort } from '../support/free-port.ts';

const [kept] = process.argv.slice(2);
const folder = path.resolve(kept ?? mkdtempSync(path.join(tmpdir(), 'platen-image-')));
const TOKEN = 'a-token-for-the-container-of-this-check';
const TEXT = 'Größe Ωμέγα';
const EPS = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 50\n%%EndComments\n10 10 50 20 rectfill\n';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

function check(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
  if (!holds) process.exitCode = 1;
}

/** What git has of the repository: what .dockerignore leaves out is none of it. */
function context(): string {
  const copy = path.join(folder, 'context');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  execFileSync('sh', ['-c', 'git ls-files -z | xargs -0 cp -a --parents -t "$0"', copy], { cwd: ROOT });
  return copy;
}

/** A folder as Docker makes a volume of what the image has at its place: the user's. */
function volume(name: string): string {
  const data = path.join(folder, name);
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  chownSync(data, 1000, 1000);
  return data;
}

async function environment() {
  return {
    PLATEN_PORT: String(await freePort()),
    PLATEN_HOST: '127.0.0.1',
    PLATEN_TOKEN: TOKEN,
    PLATEN_GOTENBERG: '1',
    PLATEN_GOTENBERG_PORT: String(await freePort()),
  };
}

/** The code that a piece of work is refused with; null where it is done. */
async function refusal(work: Work): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof PlatenError) return error.code;
    throw error;
  }
}

/** A check of a document, which says why there is none. */
async function made(what: string, work: Work, holds: (pdf: Buffer) => boolean): Promise<void> {
  try {
    check(what, holds(Buffer.from(await work.bytes())));
  } catch (error) {
    check(`${what}: ${String(error)}`, false);
  }
}

const html = (text: string) => ({ file: { content: `<p>${text}</p>`, name: 'letter.html' } });
const shows = (pdf: Buffer): boolean => pdfText(pdf).includes(TEXT);
const isPdf = (pdf: Buffer): boolean => pdfInfo(pdf).includes('Pages:');

/** What needs more than Chromium: made by the full image, refused by the slim one. */
async function converted(platen: Platen): Promise<[string, Work, (pdf: Buffer) => boolean][]> {
  const cell = `<c r="A1" t="inlineStr"><is><t>${TEXT}</t></is></c>`;
  return [
    ['html by WebKit', platen.render(html(TEXT), {}, { options: { rendering_engine: 'webkit' } }), shows],
    ['docx', platen.render({ file: { content: new Uint8Array(await docx(TEXT)), name: 'a.docx' } }), shows],
    ['xlsx', platen.render({ file: { content: new Uint8Array(await xlsx(cell)), name: 'a.xlsx' } }), shows],
    ['EPS', platen.image({ content: EPS, name: 'a.eps' }), isPdf],
  ];
}

async function engines(platen: Platen, stage: string): Promise<void> {
  await made('html by Chromium', platen.render(html(TEXT)), shows);
  const pdf = await platen.render(html(TEXT)).bytes();
  await made('an image', platen.image({ content: PNG, name: 'a.png' }), isPdf);
  await made('compression', platen.pdf.compress({ content: pdf, name: 'a.pdf' }), shows);
  await made(
    'pages of the PDF as an image',
    platen.pdf.images({ content: pdf, name: 'a.pdf' }, 'png'),
    (png) => png.subarray(1, 4).equals(Buffer.from('PNG')),
  );
  for (const [what, work, holds] of await converted(platen)) {
    if (stage === 'full') await made(what, work, holds);
    else check(`${what} is refused`, (await refusal(work)) === 'engine_missing');
  }
}

/** A format that Gotenberg's routes alone take, read by a LibreOffice of theirs. */
async function richText(port: string, stage: string): Promise<void> {
  const form = new FormData();
  const escaped = TEXT.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0)}?`);
  form.append('files', new File([`{\\rtf1\\ansi ${escaped}\\par}`], 'a.rtf'));
  const address = `http://127.0.0.1:${port}/forms/libreoffice/convert`;
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(address, { method: 'POST', body: form, headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (stage === 'full') check("rich text by Gotenberg's routes", answer.status === 200 && shows(bytes));
  else check("rich text by Gotenberg's routes is refused", answer.status === 501);
}

/** Runs an image: twice, the second time with a copy of its data. */
async function verify(stage: string, image: Image): Promise<void> {
  const size = execFileSync('du', ['-sxm', image.root], { encoding: 'utf8' }).split('\t')[0] ?? '';
  console.log(`${stage}: ${size} MB on disk`);
  const [data, copy] = [volume(`${stage}-data`), volume(`${stage}-copy`)];
  check('runs as user 1000', runIn(image, data, ['id', '-u']).trim() === '1000');
  const touch = 'for f in /platen/x /etc/x /data/x /tmp/x; do touch $f 2> /dev/null && echo $f; done; true';
  check(
    'writes to its volume and /tmp, and nowhere else',
    runIn(image, data, ['sh', '-c', touch]).trim().split('\n').join() === '/data/x,/tmp/x',
  );
  const env = await environment();
  const service = await start(image, data, env);
  console.log(`${stage}: ready after ${(service.readyAfterMs / 1000).toFixed(1)} s`);
  let id = '';
  try {
    const platen = new Platen({ url: `http://127.0.0.1:${env.PLATEN_PORT}`, token: TOKEN });
    ({ id } = await platen.templates.add({ name: 'Kept', format: 'html' }, { file: `<p>${TEXT}` }));
    await engines(platen, stage);
    await richText(env.PLATEN_GOTENBERG_PORT, stage);
    runIn(image, data, image.health, env);
    check('its health check holds', true);
    check('it ends when it is asked to', (await service.stop()) === 0);
  } catch (error) {
    await service.stop('SIGKILL');
    throw error;
  }

  // A copy of the volume of a stopped container is a backup.
  execFileSync('cp', ['-a', `${data}/.`, copy]);
  rmSync(data, { recursive: true });
  const again = await environment();
  const restored = await start(image, copy, again);
  console.log(`${stage}: ready again after ${(restored.readyAfterMs / 1000).toFixed(1)} s`);
  const other = new Platen({ url: `http://127.0.0.1:${again.PLATEN_PORT}`, token: TOKEN });
  await made('a template of the copied data', other.render(id), shows);
  await restored.stop();
}

try {
  const images: [string, Image][] = [];
  buildImage(context(), folder, nodeImageOnce, (stage, image) => images.push([stage, image]));
  // One without a command is only built from.
  for (const [stage, image] of images) if (image.command.length > 0) await verify(stage, image);
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}

/** The base of an image, from a root that is kept without what the steps add. */
function nodeImageOnce(image: string, root: string): void {
  const base = path.join(folder, 'base');
  if (!existsSync(path.join(base, 'usr/local/bin/npm'))) nodeImage(image, base);
  rmSync(root, { recursive: true, force: true });
  execFileSync('cp', ['-a', base, root]);
}
