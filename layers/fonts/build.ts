/**
 * Builds the fonts layer: `layers/fonts/dist/fonts/` holds the fonts of the product, their licences, the configuration
 * that makes them, and no font of the machine, visible to the engine (I-20), and the cache that the engine's
 * fontconfig makes of them. The local form has no cache: the engine's first start makes it for all that follow.
 *
 * Run: `node layers/fonts/build.ts`. Does nothing when the layer of these versions is there.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChromeBrowser } from '@platen/print/chrome/browser';
import { chromeConfig } from '@platen/print/chrome/config';
import { unpackChromium } from '@platen/print/chrome/unpack';
import { buildChromiumLayer } from '../chromium/build.ts';
import { buildLayer, type LayerForm, runBuild } from '../layer.ts';
import { DEBIAN_FONTS, FONTS, type FontSource } from './families.ts';
import { charactersOf, rangesOf } from './coverage.ts';
import { familyName, withoutTables } from './sfnt.ts';
import { withCharacters } from './subset.ts';

/** Raise when the layout or the treatment of the fonts changes. */
const LAYOUT = 4;

/** Builds the layer unless it is there. `dist` is the folder to be mounted as `/opt`. */
export async function buildFontsLayer(
  form: LayerForm = 'deployed',
): Promise<{ dist: string; built: boolean }> {
  const config = await readFile(path.join(import.meta.dirname, 'fonts.conf'), 'utf8');
  const sources = FONTS.filter(isInstalled);
  for (const { from } of FONTS.filter((source) => !isInstalled(source)))
    if ('debian' in from)
      console.error(
        `The fonts layer lacks rare scripts: the Debian package ${from.debian} is not installed.`,
      );
  const chromium = form === 'deployed' ? await buildChromiumLayer() : null;
  const key = createHash('sha256')
    .update(`${LAYOUT}-${form}`)
    .update(chromium === null ? '' : await readFile(path.join(chromium.dist, 'chromium', 'manifest.json')))
    .update(config)
    .update(JSON.stringify(sources));
  for (const { from } of sources) if ('npm' in from) key.update(await readFile(packageFile(from.npm)));

  return buildLayer(import.meta.dirname, {
    name: 'fonts',
    form,
    key: key.digest('hex'),
    async build(folder) {
      await mkdir(path.join(folder, 'files'));
      await mkdir(path.join(folder, 'licences'));
      const scripts = new Set<string>();
      const characters = new Set<number>();
      for (const source of sources) await addFonts(folder, source, { scripts, characters });
      await writeFile(path.join(folder, 'coverage.json'), JSON.stringify(rangesOf(characters)));
      await writeFile(path.join(folder, 'fonts.conf'), config.replaceAll('@SCRIPTS@', elements(scripts)));
      if (chromium === null) return {};
      // The cache belongs to the layer: its place is known to the configuration only when the manifest is there.
      await writeFile(path.join(folder, 'manifest.json'), JSON.stringify({ key: '' }));
      await writeFontCache(chromium.dist, path.dirname(folder));
      return {};
    },
  });
}

/** What the fonts of a layer are found to be for. */
interface Found {
  /** Families that have one script each. */
  scripts: Set<string>;
  /** What there is a glyph for. */
  characters: Set<number>;
}

/** Puts the fonts of one source, and its licences, into the layer, and what they are for into `found`. */
async function addFonts(folder: string, source: FontSource, found: Found): Promise<void> {
  const root = fontRoot(source);
  for (const file of source.files) {
    // The colour emoji come twice, as COLR and as SVG (20 of 25 MB); the engine draws COLR.
    let font = withoutTables(await readFile(path.join(root, file)), ['SVG ']);
    if (source.characters) font = await withCharacters(font, source.characters);
    if ('debian' in source.from) found.scripts.add(familyName(font));
    for (const code of charactersOf(font)) found.characters.add(code);
    await writeFile(path.join(folder, 'files', path.basename(file)), font);
  }
  for (const [licence, name] of await licences(source))
    await copyFile(licence, path.join(folder, 'licences', name));
}

async function licences(source: FontSource): Promise<[file: string, name: string][]> {
  const { from } = source;
  if ('debian' in from) return [[`/usr/share/doc/${from.debian}/copyright`, `${from.debian}-copyright`]];
  const root = fontRoot(source);
  const prefix = from.npm.replace('/', '-').replace('@', '');
  return (await readdir(root))
    .filter((entry) => /^LICENSE/i.test(entry))
    .map((entry) => [path.join(root, entry), `${prefix}-${entry}`]);
}

function fontRoot({ from }: FontSource): string {
  return 'npm' in from ? path.dirname(packageFile(from.npm)) : DEBIAN_FONTS;
}

/** npm's packages are there, or nothing would run; Debian's are there where somebody could install them. */
function isInstalled(source: FontSource): boolean {
  return 'npm' in source.from || source.files.every((file) => existsSync(path.join(DEBIAN_FONTS, file)));
}

function elements(families: Iterable<string>): string {
  return Array.from(families, (name) => `<string>${name}</string>`).join('\n      ');
}

/**
 * Starts the engine with the fonts of a layer that has no cache yet: what it writes for itself is what the layer carries.
 *
 * @param layerRoot holds the folder `fonts`
 */
export async function writeFontCache(chromiumRoot: string, layerRoot: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'platen-layer-'));
  try {
    const config = chromeConfig({
      layerRoot: `${chromiumRoot}${path.delimiter}${layerRoot}`,
      unpackDir: folder,
      workDir: folder,
    });
    const files = await unpackChromium(config.layerRoot, config.unpackDir);
    const browser = await ChromeBrowser.launch(files, config, false);
    try {
      await browser.openPage();
    } finally {
      await browser.process.close();
    }
    const cache = path.join(layerRoot, 'fonts', 'cache');
    const written = path.join(path.dirname(files.fontConfig), 'cache');
    if (existsSync(cache)) return;
    await cp(written, cache, { recursive: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function packageFile(name: string): string {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`${name} is not installed`);
  return manifest;
}

if (import.meta.main) await runBuild('fonts', buildFontsLayer);
