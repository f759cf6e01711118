/**
 * Prints the reference tests of the Web Platform Tests (https://github.com/web-platform-tests/wpt, FOLDER is a
 * checkout) whose names end with `-print`, through the service, and compares their pages with those of their
 * references.
 *
 *   npm run verify -- wpt --tests=FOLDER [--engine=chrome|webkit] [--only=PATTERN] [--write] [--keep=FOLDER]
 *
 * wpt-expected.json lists the tests that fail, and why: `told` have a Warning in the test or its reference, `unlike`
 * have none. The run fails for a test that fails and is not in the list, that passes and is in it, or that has lost
 * its Warning. `--write` writes the list, and keeps the reasons; `--keep` writes pictures of pages that differ, beside
 * those of the reference. Pages are drawn by MuPDF: Poppler fills every pixel that an area touches.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { startService } from '../../bin/service.ts';
import type { SentFile } from '../../packages/gotenberg/src/form.ts';
import { withAssets } from '../../packages/gotenberg/src/html.ts';

const { values } = parseArgs({
  options: {
    tests: { type: 'string' },
    engine: { type: 'string', default: 'chrome' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});
if (values.tests === undefined) throw new Error('--tests=FOLDER names a checkout of the Web Platform Tests.');
const root = path.resolve(values.tests);
const { engine } = values;

/** The outcome of a test: `passes`, or how it fails. */
type Outcome = 'passes' | 'told' | 'unlike' | 'refused';

/** By engine and test: the outcome, and after a colon the reason. */
type Expected = Readonly<Record<string, Readonly<Record<string, string>>>>;
const LIST = path.join(import.meta.dirname, 'wpt-expected.json');
const expected = JSON.parse(readFileSync(LIST, 'utf8')) as Expected;

/** Pages of the tests unless they set another size: five by three inches, with margins of half an inch. */
const PAGE = {
  paper_width: '5in',
  paper_height: '3in',
  ...{ margin_top: '0.5in', margin_right: '0.5in', margin_bottom: '0.5in', margin_left: '0.5in' },
  css_page: true,
  display_header_footer: false,
  print_background: true,
  rendering_engine: engine,
};

const DPI = 96;
/** Largest difference of a channel that is not seen: edges of letters differ by it with their position in the PDF. */
const UNSEEN = 24;

/** Sent for `about:blank` and empty files, which the service refuses. */
const BLANK = '<!doctype html>';

/** A document with the files that it names, and those that its style sheets and frames name. */
async function withFiles(file: string): Promise<string> {
  if (path.basename(file) === 'about:blank') return BLANK;
  const text = readFileSync(file, 'utf8');
  return text === '' ? BLANK : await withAssets(text, await filesOf(file, text));
}

async function filesOf(file: string, text: string): Promise<SentFile[]> {
  const names = [...text.matchAll(/(?:href|src|data)\s*=\s*["']?([^"'\s>#]+)|url\(\s*["']?([^"')#]+)/g)].map(
    ([, attribute, address]) => attribute ?? address ?? '',
  );
  const files: SentFile[] = [];
  for (const name of new Set(names)) {
    const [plain = ''] = name.split('?', 1);
    const place = plain.startsWith('/') ? path.join(root, plain) : path.join(path.dirname(file), plain);
    if (!place.startsWith(root) || /^\w+:/.test(name) || place === file) continue;
    // A test may name a file that is made by the tests' own server.
    if (statSync(place, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const bytes = readFileSync(place);
    const isFrame = /\.x?html?$/.test(plain) && !/-ref\.x?html?$/.test(plain);
    const content = new File([isFrame ? await withFiles(place) : new Uint8Array(bytes)], plain);
    files.push({ name: name.replace(/^\.\//, ''), content });
    if (plain.endsWith('.css')) files.push(...(await filesOf(place, bytes.toString())));
  }
  return files;
}

interface Printed {
  pages: Buffer[];
  warning: string | null;
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'platen-wpt-'));
const service = await startService({ port: 0, dataDir });

/** @throws Error with the answer if it is refused */
async function print(file: string): Promise<Printed> {
  const form = new FormData();
  form.append(
    'file_data',
    new Blob([await withFiles(file)]),
    path.basename(file).replace(/\.xh?t(?:ml)?$/, '.html'),
  );
  form.append('template_data', JSON.stringify({ name: 'test', format: 'html', templating_engine: 'none' }));
  form.append('render_options', JSON.stringify(PAGE));
  const answer = await fetch(`${service.url}/v1/render/pdf`, {
    method: 'POST',
    headers: { authorization: service.token },
    body: form,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${answer.status} ${bytes.toString().slice(0, 300)}`);
  return { pages: picturesOf(bytes), warning: answer.headers.get('warning') };
}

/** Returns the pages of a PDF as PNG files. */
function picturesOf(pdf: Buffer): Buffer[] {
  const folder = mkdtempSync(path.join(dataDir, 'pages-'));
  try {
    const file = path.join(folder, 'document.pdf');
    writeFileSync(file, pdf);
    const args = ['draw', '-q', '-r', String(DPI), '-o', path.join(folder, '%05d.png'), file];
    execFileSync('mutool', args, { stdio: ['ignore', 'ignore', 'ignore'] });
    return globSync('*.png', { cwd: folder })
      .toSorted()
      .map((name) => readFileSync(path.join(folder, name)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the pages that a test compares (`reftest-pages`), or all. */
function chosen(pages: Buffer[], text: string): Buffer[] {
  const [, ranges] = /name=["']?reftest-pages["']?\s+content=["']([\d,\s-]+)["']/.exec(text) ?? [];
  if (ranges === undefined) return pages;
  const isIn = (page: number): boolean =>
    ranges.split(',').some((range) => {
      const [first = '', last = first] = range.trim().split('-');
      return page >= (Number(first) || 1) && page <= (Number(last) || Infinity);
    });
  return pages.filter((_, index) => isIn(index + 1));
}

/** Returns the differences that a test permits (`fuzzy`): of a channel, and of the number of pixels. */
function permitted(text: string): { difference: number; pixels: number } {
  const [, difference, pixels] =
    /name=["']?fuzzy["']?\s+content=["'][^"']*?(?:maxDifference=)?(?:\d+-)?(\d+);\s*(?:totalPixels=)?(?:\d+-)?(\d+)["']/.exec(
      text,
    ) ?? [];
  return { difference: Number(difference ?? 0), pixels: Number(pixels ?? 0) };
}

async function isAlike(one: Buffer, other: Buffer, text: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((png) =>
      sharp(png).flatten({ background: '#fff' }).raw().toBuffer({ resolveWithObject: true }),
    ),
  );
  if (a === undefined || b === undefined || a.info.width !== b.info.width || a.info.height !== b.info.height)
    return false;
  const { difference, pixels } = permitted(text);
  let different = 0;
  for (let at = 0; at < a.data.length; at += 3) {
    const by = Math.max(
      ...[0, 1, 2].map((channel) => Math.abs((a.data[at + channel] ?? 0) - (b.data[at + channel] ?? 0))),
    );
    if (by > Math.max(difference, UNSEEN)) return false;
    if (by > UNSEEN) different++;
  }
  return different <= pixels;
}

function keep(folder: string, name: string, pictures: Readonly<Record<string, Buffer[]>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [kind, pages] of Object.entries(pictures))
    for (const [index, page] of pages.entries())
      writeFileSync(path.join(folder, `${name}-${index + 1}-${kind}.png`), page);
}

async function outcomeOf(file: string): Promise<Outcome> {
  const text = readFileSync(file, 'utf8');
  const references = [...text.matchAll(/<link\s[^>]*>/g)].flatMap(([link]) => {
    const [, relation] = /rel=["']?(match|mismatch)/.exec(link) ?? [];
    const [, address] = /href=["']?([^"'\s>]+)/.exec(link) ?? [];
    if (relation === undefined || address === undefined) return [];
    const place = address.startsWith('/') ? path.join(root, address) : path.join(path.dirname(file), address);
    return [{ relation, place }];
  });
  try {
    const test = await print(file);
    const pages = chosen(test.pages, text);
    let isTold = test.warning !== null;
    for (const { relation, place } of references) {
      const reference = await print(place);
      isTold ||= reference.warning !== null;
      const others = chosen(reference.pages, await withFiles(place));
      let isSame = pages.length === others.length;
      for (const [index, page] of pages.entries())
        isSame &&= await isAlike(page, others[index] ?? page, text);
      if (isSame === (relation === 'match')) continue;
      if (values.keep !== undefined) keep(values.keep, path.basename(file), { pages, others });
      return isTold ? 'told' : 'unlike';
    }
    return 'passes';
  } catch (error) {
    console.log(`${path.relative(root, file)}: ${(error as Error).message}`);
    return 'refused';
  }
}

const found: Record<string, string> = {};
const before = expected[engine] ?? {};
const counts = new Map<Outcome, number>();
let wrong = 0;
try {
  for (const name of globSync('**/*-print{,.tentative}.{html,xht,xhtml}', { cwd: root }).toSorted()) {
    const file = path.join(root, name);
    if (!name.includes(values.only) || !/rel=["']?(?:mis)?match/.test(readFileSync(file, 'utf8'))) continue;
    const outcome = await outcomeOf(file);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const listed = before[name] ?? 'passes';
    const isListed = outcome === listed.split(':', 1)[0];
    if (outcome !== 'passes') found[name] = isListed ? listed : outcome;
    if (isListed) continue;
    wrong++;
    console.log(`${name}: ${outcome}, not ${listed} as expected`);
  }
} finally {
  await service.stop(0);
  rmSync(dataDir, { recursive: true });
}
console.log(`${engine}: ${[...counts].map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`);
if (values.write) writeFileSync(LIST, `${JSON.stringify({ ...expected, [engine]: found }, null, 2)}\n`);
else process.exitCode = wrong === 0 ? 0 : 1;
