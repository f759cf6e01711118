import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';

/** The modification time of the fonts folder that the cache expects, in seconds since 1970. */
const CHANGED = 1_700_000_000;

/**
 * Makes a fonts layer usable by fontconfig without reading all fonts first, which takes a tenth of a second
 * and most of the layer's bytes at every cold start. The layer contains fontconfig's cache, which is valid
 * for one path, which the configuration maps, and for one modification time of the folder, which a layer does
 * not guarantee. So fontconfig reads a folder of links, whose time is set.
 *
 * @param layer `fonts` of the layer: `files`, `cache` and `fonts.conf` with placeholders
 * @param dir writable; its content serves every process that names the same folder
 * @returns the path of the configuration, for `FONTCONFIG_FILE`
 */
export async function prepareFonts(layer: string, dir: string): Promise<string> {
  // A layer may be accessed through links that are new at every start, as on a laptop.
  layer = await realpath(layer);
  const { key } = JSON.parse(await readFile(path.join(layer, 'manifest.json'), 'utf8')) as { key: string };
  const name = createHash('sha256').update(`${layer}\0${key}`).digest('hex').slice(0, 12);
  const folder = path.join(dir, `platen-fonts-${name}`);
  const config = path.join(folder, 'fonts.conf');
  if (!existsSync(config)) await makeFontFolder(layer, folder);
  return config;
}

/** The folder appears atomically. */
async function makeFontFolder(layer: string, folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}.`);
  try {
    const links = path.join(temporary, 'fonts');
    await mkdir(links);
    const files = path.join(layer, 'files');
    const names = await readdir(files);
    await Promise.all(names.map((name) => symlink(path.join(files, name), path.join(links, name))));
    await utimes(links, CHANGED, CHANGED);

    const places = {
      '@FONTS@': path.join(folder, 'fonts'),
      '@LAYER_CACHE@': path.join(layer, 'cache'),
      '@CACHE@': path.join(folder, 'cache'),
    };
    let config = await readFile(path.join(layer, 'fonts.conf'), 'utf8');
    for (const [place, value] of Object.entries(places)) config = config.replaceAll(place, value);
    await writeFile(path.join(temporary, 'fonts.conf'), config);
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another process has already created it.
    if (!existsSync(path.join(folder, 'fonts.conf'))) throw error;
  }
}
