/**
 * Builds the Chromium layer: `layers/chromium/dist/` is what Lambda shows as `/opt`.
 *
 *   chromium/manifest.json   key of this version, size of the executable, lengths of its zstd frames
 *   chromium/chromium.zst    the executable as zstd frames laid end to end, so that they unpack in parallel
 *   chromium/lib/            shared libraries that Lambda's Amazon Linux 2023 does not have (NSS, expat); used
 *                            everywhere, so that the engine is the same on every machine
 *
 * The executable (209 MB) cannot be carried as it is: with fonts and bundles it would pass Lambda's 250 MB. zstd unpacks
 * in a third of the time of the npm package's brotli. SwiftShader is left out: the engine runs without a GPU. In the local
 * form the frames are compressed less, which takes no time.
 *
 * Run: `node layers/chromium/build.ts`. Does nothing when the layer of this version is there.
 */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { buildLayer, type LayerForm, runBuild } from '../layer.ts';
import { readTar } from './tar.ts';

/** Raise when the layout above changes. */
const LAYOUT = 1;
/**
 * Enough frames to keep every core of a Lambda busy until the end, and few enough not to reduce the compression.
 */
const FRAMES = 8;
/**
 * On two cores, level 12 takes 3 s for 86 MB, 17 takes 16 s for 82 MB, and 1 takes less than a second for 100 MB.
 */
const LEVELS: Readonly<Record<LayerForm, number>> = { deployed: 12, local: 1 };
/**
 * Maximum distance of a match, as a power of two. 128 KiB fit into the cache of a core: unpacking takes 240 ms of
 * processor time, instead of 410 with the default window of level 9 (2 MiB), which gives 79 MB.
 */
const WINDOW_LOG = 17;

/** Builds the layer unless it exists. `dist` is the folder to be mounted as `/opt`. */
export async function buildChromiumLayer(
  form: LayerForm = 'deployed',
): Promise<{ dist: string; built: boolean }> {
  const packageFile = findPackageJSON('@sparticuz/chromium', import.meta.url);
  if (packageFile === undefined) throw new Error('@sparticuz/chromium is not installed');
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const bin = path.join(path.dirname(packageFile), 'bin');

  return buildLayer(import.meta.dirname, {
    name: 'chromium',
    form,
    key: `${version}-${LAYOUT}-${LEVELS[form]}-${WINDOW_LOG}`,
    async build(folder) {
      const executable = await unbrotli(path.join(bin, 'chromium.br'));
      const frames = await compressFrames(executable, LEVELS[form]);
      await writeFile(path.join(folder, 'chromium.zst'), Buffer.concat(frames));

      await mkdir(path.join(folder, 'lib'));
      for (const entry of readTar(await unbrotli(path.join(bin, 'al2023.tar.br')))) {
        const file = path.join(folder, 'lib', path.basename(entry.name));
        await writeFile(file, entry.bytes);
        await chmod(file, 0o755);
      }
      return { size: executable.length, frames: frames.map((frame) => frame.length) };
    },
  });
}

async function unbrotli(file: string): Promise<Buffer> {
  return promisify(zlib.brotliDecompress)(await readFile(file));
}

/** Divides `bytes` into {@link FRAMES} equal parts and compresses them in parallel. */
async function compressFrames(bytes: Buffer, level: number): Promise<Buffer[]> {
  const length = Math.ceil(bytes.length / FRAMES);
  const parts = Array.from({ length: FRAMES }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  );
  const compress = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdCompress);
  const { ZSTD_c_compressionLevel, ZSTD_c_windowLog } = zlib.constants;
  const options = { params: { [ZSTD_c_compressionLevel]: level, [ZSTD_c_windowLog]: WINDOW_LOG } };
  return Promise.all(parts.map((part) => compress(part, options)));
}

if (import.meta.main) await runBuild('chromium', buildChromiumLayer);
