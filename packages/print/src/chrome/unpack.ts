import { open, mkdir, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { PlatenError } from '@platen/core/errors';
import { prepareFonts } from '../font-folder.ts';

/** Number of bytes that are unpacked at a time. */
const PIECE = 1024 * 1024;

/** The files that Chromium needs to start. */
export interface ChromiumFiles {
  executable: string;
  /** Folder of the shared libraries that Amazon Linux lacks; null for an installed browser, which has its own. */
  libraries: string | null;
  /** Value of `FONTCONFIG_FILE`. */
  fontConfig: string;
}

/** The files of the layer's browser. */
interface LayerFiles extends ChromiumFiles {
  libraries: string;
}

/** Written by layers/chromium/build.ts. */
interface Manifest {
  key: string;
  /** Size of the executable in bytes. */
  size: number;
  /**
   * Compressed size of each frame of chromium.zst in bytes, in order; all but the last have the same unpacked
   * size.
   */
  frames: number[];
}

/** Finds the layers and unpacks them, once for all processes with the same folder. */
export async function unpackChromium(layerRoot: string, unpackDir: string): Promise<LayerFiles> {
  const layer = findLayer(layerRoot, 'chromium');
  const executable = unpackExecutable(layer, unpackDir);
  const fontConfig = prepareFonts(findLayer(layerRoot, 'fonts'), unpackDir);
  // If one fails, the other does not continue in the background.
  await Promise.allSettled([executable, fontConfig]);
  return { executable: await executable, libraries: path.join(layer, 'lib'), fontConfig: await fontConfig };
}

/**
 * Returns the files of an installed browser. It sees the fonts of the layer, except on macOS, where it does not use
 * fontconfig.
 *
 * @throws PlatenError `engine_missing`
 */
export async function installedChromium(
  executable: string,
  layerRoot: string,
  unpackDir: string,
): Promise<ChromiumFiles> {
  if (!existsSync(executable)) {
    throw new PlatenError(
      'engine_missing',
      `Chrome is not installed where this service runs: ${executable} does not exist. Install it, or set PLATEN_CHROME to the path of Chrome or Chromium.`,
    );
  }
  return {
    executable,
    libraries: null,
    fontConfig: await prepareFonts(findLayer(layerRoot, 'fonts'), unpackDir),
  };
}

/**
 * Unpacks the executable of a chromium layer unless it exists. It appears under its name only when complete, so
 * that concurrent processes never see or start a part of it.
 */
async function unpackExecutable(layer: string, unpackDir: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(layer, 'manifest.json'), 'utf8')) as Manifest;
  // A separate folder: Chromium searches and creates folders next to its executable.
  const folder = path.join(unpackDir, `platen-chromium-${manifest.key}`);
  const executable = path.join(folder, 'chromium');
  if (await isComplete(executable, manifest.size)) return executable;
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder, 'chromium.');
  await unpack(path.join(layer, 'chromium.zst'), manifest, executable);
  return executable;
}

function findLayer(layerRoot: string, name: string): string {
  const places = layerRoot.split(path.delimiter).map((root) => path.resolve(root, name));
  const found = places.find((place) => existsSync(path.join(place, 'manifest.json')));
  if (found === undefined) throw new Error(`the ${name} layer is not in ${layerRoot}`);
  return found;
}

async function isComplete(file: string, size: number): Promise<boolean> {
  try {
    return (await stat(file)).size === size;
  } catch {
    return false;
  }
}

async function unpack(archive: string, manifest: Manifest, executable: string): Promise<void> {
  const temporary = `${executable}.${process.pid}-${Math.random().toString(36).slice(2)}`;
  const source = await open(archive, 'r');
  try {
    const target = await open(temporary, 'wx', 0o755);
    try {
      await unpackFrames(source, manifest, target);
    } finally {
      await target.close();
    }
    await rename(temporary, executable);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await source.close();
  }
}

/**
 * Decompresses all frames at once on Node's thread pool, on every core. It works in pieces that reuse the same
 * memory: with whole frames, most of the time would go into new memory pages from the kernel.
 */
async function unpackFrames(source: FileHandle, manifest: Manifest, target: FileHandle): Promise<void> {
  const compressed = manifest.frames.reduce((sum, length) => sum + length, 0);
  if ((await source.stat()).size !== compressed) throw new Error('the chromium layer is cut short');
  const unpackedLength = Math.ceil(manifest.size / manifest.frames.length);
  let offset = 0;
  await Promise.all(
    manifest.frames.map(async (length, index) => {
      const start = offset;
      offset += length;
      await pipeline(
        source.createReadStream({ autoClose: false, start, end: start + length - 1, highWaterMark: PIECE }),
        createZstdDecompress({ chunkSize: PIECE }),
        async (pieces: AsyncIterable<Buffer>) => {
          let position = index * unpackedLength;
          for await (const piece of pieces) position = await writeFully(target, piece, position);
        },
      );
    }),
  );
}

/**
 * `write` may write less than requested, for example if the disk is nearly full. Returns the position of the next
 * piece.
 */
async function writeFully(target: FileHandle, bytes: Buffer, position: number): Promise<number> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await target.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
  return position + done;
}

/** Removes files named `<prefix><pid>-…` of processes that ended before they finished. */
async function removeAbandoned(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(prefix) ? /^\d+/.exec(name.slice(prefix.length))?.[0] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) await rm(path.join(folder, name), { force: true });
  }
}

/** Returns whether a process with that id is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
