/**
 * Measures the stages of a cold start of the engine: from the start of the process to the first PDF, the 60-row
 * invoice, with the code bundled as for Lambda. Once with an empty folder, as in a new environment, once with the
 * executable unpacked. With `--fonts`, instead: the cost of the fonts of rare scripts for the invoice, which needs
 * none of them, and for one with a word in sixteen other scripts; each round has a start of all three.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build, stop } from 'esbuild';
import { Environment } from '@platen/jinja';
import { ESBUILD_OPTIONS } from '../lib/artifacts/bundle.ts';
import { buildChromiumLayer } from '../layers/chromium/build.ts';
import { buildFontsLayer, writeFontCache } from '../layers/fonts/build.ts';
import { FONTS } from '../layers/fonts/families.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../test/support/invoice.ts';
import { goal, median } from './figures.ts';
import { builtLayers } from './raw-browser.ts';

const { values } = parseArgs({
  options: { fonts: { type: 'boolean', default: false }, rounds: { type: 'string', default: '7' } },
});
const ROUNDS = Number(values.rounds);

/** Words that only fonts of rare scripts can draw. */
const OTHER_SCRIPTS =
  'বাংলা தமிழ் తెలుగు ગુજરાતી ਪੰਜਾਬੀ ಕನ್ನಡ മലയാളം සිංහල ქართული Հայերեն ខ្មែរ ລາວ မြန်မာ አማርኛ བོད་སྐད ⵜⵉⴼⵉⵏⴰⵖ'.split(
    ' ',
  );

/** Folders that stay until the end. */
const KEPT = new Set(['code', 'daily']);

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
try {
  const layerRoot = await builtLayers();
  const code = join(folder, 'code');
  const child = join(code, 'child.mjs');
  const entryPoints = [{ in: join(import.meta.dirname, 'cold-child.ts'), out: 'child' }];
  await build({ ...ESBUILD_OPTIONS, entryPoints, outdir: code });
  await stop();
  const html = new Environment().compile(INVOICE_TEMPLATE, 'template').render(invoiceData());
  const measure = async (
    unpackDir: string,
    layers = layerRoot,
    printed = html,
  ): Promise<Record<string, number>> => {
    const { stdout } = await promisify(execFile)(process.execPath, [child, layers, unpackDir, printed]);
    return JSON.parse(stdout) as Record<string, number>;
  };
  if (values.fonts) await compareFonts(measure, layerRoot, html);
  else await measureStarts(measure);
  console.log(`left behind: ${(await readdir(folder)).filter((name) => !KEPT.has(name)).length} files`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

type Measure = (unpackDir: string, layers?: string, printed?: string) => Promise<Record<string, number>>;

async function measureStarts(measure: Measure): Promise<void> {
  const fresh: Record<string, number>[] = [];
  const unpacked: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const unpackDir = await mkdtemp(join(folder, 'unpack-'));
    fresh.push(await measure(unpackDir));
    unpacked.push(await measure(unpackDir));
    await rm(unpackDir, { recursive: true });
  }
  report('nothing there', fresh);
  report('executable unpacked', unpacked);
  goal('cold, to the first PDF', median(fresh.map(({ all = NaN }) => all)) / 1000, 0.5, ' s');
}

/** Measures starts with the complete layer of fonts, and with only the fonts of daily use. */
async function compareFonts(measure: Measure, whole: string, invoice: string): Promise<void> {
  const daily = await dailyLayers();
  const scripts = `${invoice}${OTHER_SCRIPTS.map((text) => `<p>${text}</p>`).join('')}`;
  const cases = {
    'invoice, fonts of daily use alone': [daily, invoice],
    'invoice, all fonts': [whole, invoice],
    'invoice with a word in each of sixteen other scripts, all fonts': [whole, scripts],
  } as const;
  const found = new Map<string, Record<string, number>[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, [layers, printed]] of Object.entries(cases)) {
      const unpackDir = await mkdtemp(join(folder, 'unpack-'));
      found.set(name, [...(found.get(name) ?? []), await measure(unpackDir, layers, printed)]);
      await rm(unpackDir, { recursive: true });
    }
  }
  for (const [name, rounds] of found) report(name, rounds);
}

/** Returns the layers with only the fonts from npm: the others are for rare scripts. */
async function dailyLayers(): Promise<string> {
  const [chromium, fonts] = [await buildChromiumLayer(), await buildFontsLayer()];
  const root = join(folder, 'daily');
  await cp(fonts.dist, root, { recursive: true });
  const rare = FONTS.filter(({ from }) => 'debian' in from).flatMap(({ files }) => [...files]);
  for (const file of rare) await rm(join(root, 'fonts', 'files', basename(file)), { force: true });
  await rm(join(root, 'fonts', 'cache'), { recursive: true });
  await writeFontCache(chromium.dist, root);
  return [chromium.dist, root].join(delimiter);
}

function report(title: string, rounds: readonly Record<string, number>[]): void {
  const parts = Object.keys(rounds[0] ?? {});
  const figures = parts.map(
    (part) => `${part} ${median(rounds.map((round) => round[part] ?? NaN)).toFixed(0)} ms`,
  );
  console.log(`${title}: ${figures.join(', ')}`);
}
