/**
 * Builds the fonts layer: `layers/fonts/dist/fonts/` holds the fonts of the product, their licences, the configuration
 * that makes them, and no font of the machine, visible to the engine (decision 20), and the cache that the engine's
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
import { ChromeBrowser } from '../../functions/render/chrome/browser.ts';
import { chromeConfig } from '../../functions/render/chrome/config.ts';
import { unpackChromium } from '../../functions/render/chrome/unpack.ts';
import { buildChromiumLayer } from '../chromium/build.ts';
import { buildLayer, type LayerForm, runBuild } from '../layer.ts';
import { withoutTables } from './sfnt.ts';

/** Raise when the layout or the treatment of the fonts changes. */
const LAYOUT = 2;

const REGULAR_BOLD = ['400Regular', '700Bold'];
const WITH_ITALICS = [...REGULAR_BOLD, '400Regular_Italic', '700Bold_Italic'];

/** Package → files, relative to the package's root. Regular and bold; italics where the script has them. */
const FONTS: Record<string, string[]> = {
  '@embedpdf/fonts-latin': ['Regular', 'Bold', 'Italic', 'BoldItalic'].map(
    (style) => `fonts/NotoSans-${style}.ttf`,
  ),
  '@embedpdf/fonts-arabic': ['fonts/NotoNaskhArabic-Regular.ttf', 'fonts/NotoNaskhArabic-Bold.ttf'],
  '@expo-google-fonts/noto-sans-arabic': google('NotoSansArabic', REGULAR_BOLD),
  '@expo-google-fonts/noto-sans-devanagari': google('NotoSansDevanagari', REGULAR_BOLD),
  '@expo-google-fonts/noto-color-emoji': google('NotoColorEmoji', ['400Regular']),
  // TrueType: of OpenType fonts with PostScript outlines Chromium makes Type 3 fonts, slow to draw and hard to copy from.
  '@expo-google-fonts/noto-sans-sc': google('NotoSansSC', REGULAR_BOLD),
  '@expo-google-fonts/noto-sans-tc': google('NotoSansTC', REGULAR_BOLD),
  '@expo-google-fonts/noto-sans-jp': google('NotoSansJP', REGULAR_BOLD),
  '@expo-google-fonts/noto-sans-kr': google('NotoSansKR', REGULAR_BOLD),
  '@expo-google-fonts/noto-sans-thai': google('NotoSansThai', REGULAR_BOLD),
  '@expo-google-fonts/noto-sans-symbols': google('NotoSansSymbols', REGULAR_BOLD),
  '@expo-google-fonts/noto-sans-symbols-2': google('NotoSansSymbols2', ['400Regular']),
  '@expo-google-fonts/noto-sans-math': google('NotoSansMath', ['400Regular']),
  '@expo-google-fonts/arimo': google('Arimo', WITH_ITALICS),
  '@expo-google-fonts/tinos': google('Tinos', WITH_ITALICS),
  '@expo-google-fonts/cousine': google('Cousine', WITH_ITALICS),
  '@expo-google-fonts/carlito': google('Carlito', WITH_ITALICS),
  '@expo-google-fonts/caladea': google('Caladea', WITH_ITALICS),
};

function google(family: string, styles: string[]): string[] {
  return styles.map((style) => `${style}/${family}_${style}.ttf`);
}

/** Builds the layer unless it is there. `dist` is the folder to be mounted as `/opt`. */
export async function buildFontsLayer(
  form: LayerForm = 'deployed',
): Promise<{ dist: string; built: boolean }> {
  const config = await readFile(path.join(import.meta.dirname, 'fonts.conf'));
  const chromium = form === 'deployed' ? await buildChromiumLayer() : null;
  const key = createHash('sha256')
    .update(`${LAYOUT}-${form}`)
    .update(chromium === null ? '' : await readFile(path.join(chromium.dist, 'chromium', 'manifest.json')))
    .update(config)
    .update(JSON.stringify(FONTS));
  for (const name of Object.keys(FONTS))
    key.update(await readFile(path.join(packageRoot(name), 'package.json')));

  return buildLayer(import.meta.dirname, {
    name: 'fonts',
    form,
    key: key.digest('hex'),
    async build(folder) {
      await writeFile(path.join(folder, 'fonts.conf'), config);
      await mkdir(path.join(folder, 'files'));
      await mkdir(path.join(folder, 'licences'));
      for (const [name, files] of Object.entries(FONTS)) {
        const root = packageRoot(name);
        for (const file of files) {
          // The colour emoji come twice, as COLR and as SVG (20 of 25 MB); the engine draws COLR.
          const font = withoutTables(await readFile(path.join(root, file)), ['SVG ']);
          await writeFile(path.join(folder, 'files', path.basename(file)), font);
        }
        for (const licence of (await readdir(root)).filter((entry) => /^LICENSE/i.test(entry))) {
          const target = `${name.replace('/', '-').replace('@', '')}-${licence}`;
          await copyFile(path.join(root, licence), path.join(folder, 'licences', target));
        }
      }
      if (chromium === null) return {};
      // The cache belongs to the layer: its place is known to the configuration only when the manifest is there.
      await writeFile(path.join(folder, 'manifest.json'), JSON.stringify({ key: '' }));
      await writeFontCache(chromium.dist, path.dirname(folder));
      return {};
    },
  });
}

/**
 * Starts the engine with the fonts of a layer that has no cache yet: what it writes for itself is what the layer carries.
 *
 * @param layerRoot holds the folder `fonts`
 */
async function writeFontCache(chromiumRoot: string, layerRoot: string): Promise<void> {
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

function packageRoot(name: string): string {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`${name} is not installed`);
  return path.dirname(manifest);
}

if (import.meta.main) await runBuild('fonts', buildFontsLayer);
