/**
 * Builds the fonts layer. `layers/fonts/dist/fonts/` contains the fonts of the product, the everyday parts of some of
 * them, which WebKit uses (decision record 0082), their licences, the cache
 * of the engine's fontconfig, and the configuration that makes these fonts, and no font of the machine, visible to
 * the engine (I-20). The local form has no cache: the first start of the engine creates it for all later ones. Run
 * `node layers/fonts/build.ts`. It does nothing if the layer of these versions exists.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fontAliases } from '@platen/pdf/text';
import { EVERYDAY_CHARACTERS, EVERYDAY_FAMILIES, EVERYDAY_FOLDER } from '@platen/print/fonts';
import { ChromeBrowser, chromeConfig, unpackChromium } from '@platen/print/chrome';
import { buildChromiumLayer } from '../chromium/build.ts';
import { buildLayer, type LayerForm, runBuild } from '../layer.ts';
import { DEBIAN_FONTS, FONTS, type FontSource } from './families.ts';
import { charactersOf, rangesOf } from './coverage.ts';
import { familyName, withLine, withoutTables } from './sfnt.ts';
import { withCharacters } from './subset.ts';

/** Raise when the layout or the treatment of the fonts changes. */
const LAYOUT = 6;

/** Builds the layer unless it exists. `dist` is the folder to be mounted as `/opt`. */
export async function buildFontsLayer(
  form: LayerForm = 'deployed',
): Promise<{ dist: string; built: boolean }> {
  const config = (await readFile(path.join(import.meta.dirname, 'fonts.conf'), 'utf8')).replace(
    '@ALIASES@',
    fontAliases('prefer'),
  );
  const sources = FONTS.filter(isInstalled);
  for (const { from } of FONTS.filter((source) => !isInstalled(source)))
    if ('debian' in from)
      console.error(`The fonts layer lacks scripts: the Debian package ${from.debian} is not installed.`);
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
      await mkdir(path.join(folder, EVERYDAY_FOLDER));
      const scripts = new Set<string>();
      const characters = new Set<number>();
      for (const source of sources) await addFonts(folder, source, { scripts, characters });
      await writeFile(path.join(folder, 'coverage.json'), JSON.stringify(rangesOf(characters)));
      await writeFile(path.join(folder, 'fonts.conf'), config.replaceAll('@SCRIPTS@', elements(scripts)));
      if (chromium === null) return {};
      // The cache is part of the layer. The configuration knows its place only after the manifest exists.
      await writeFile(path.join(folder, 'manifest.json'), JSON.stringify({ key: '' }));
      await writeFontCache(chromium.dist, path.dirname(folder));
      return {};
    },
  });
}

/** The characters and scripts of the fonts in a layer. */
interface Found {
  /** Families that support one script each. */
  scripts: Set<string>;
  /** Characters with a glyph. */
  characters: Set<number>;
}

/** Adds the fonts and licences of one source to the layer, and their characters and scripts to `found`. */
async function addFonts(folder: string, source: FontSource, found: Found): Promise<void> {
  const root = fontRoot(source);
  for (const file of source.files) {
    // The colour emoji exist twice, as COLR and as SVG (20 of 25 MB). The engine draws COLR.
    let font = withoutTables(await readFile(path.join(root, file)), ['SVG ']);
    if (source.line) font = withLine(font, source.line);
    if (source.characters) font = await withCharacters(font, source.characters);
    if ('debian' in source.from) found.scripts.add(familyName(font));
    for (const code of charactersOf(font)) found.characters.add(code);
    const name = path.basename(file);
    await writeFile(path.join(folder, 'files', name), font);
    if (familyName(font) in EVERYDAY_FAMILIES) {
      const part = await withCharacters(font, EVERYDAY_CHARACTERS);
      await writeFile(path.join(folder, EVERYDAY_FOLDER, name), part);
    }
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

/**
 * npm packages always exist, because nothing runs without them. Debian packages exist only if they were installed.
 */
function isInstalled(source: FontSource): boolean {
  return 'npm' in source.from || source.files.every((file) => existsSync(path.join(DEBIAN_FONTS, file)));
}

function elements(families: Iterable<string>): string {
  return Array.from(families, (name) => `<string>${name}</string>`).join('\n      ');
}

/**
 * Starts the engine with the fonts of a layer without a cache. The layer keeps the cache that the engine writes.
 *
 * @param layerRoot contains the folder `fonts`
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
