import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';

/** Extension of compressed files, which `readLargeAsset` of `@platen/core/worker` adds to the name. */
export const COMPRESSED = '.zst';

/** Higher levels take minutes for the largest engine, and save a tenth more. */
const LEVEL = 12;
/** Matches are found within 2^24 bytes, half of the largest engine. */
const WINDOW_LOG = 24;

const inProgress = new Map<string, Promise<string>>();

/**
 * Compresses a file with Zstandard. The result is stored below `node_modules/.cache`, because the compression takes
 * several seconds and the files change only with the versions of packages.
 *
 * @param root the repository
 * @returns the path of the compressed file
 */
export async function compressedFile(root: string, file: string): Promise<string> {
  // Several functions of one build contain the same file.
  const key = `${root}\n${file}`;
  const compressing = inProgress.get(key) ?? compress(root, file).finally(() => inProgress.delete(key));
  inProgress.set(key, compressing);
  return await compressing;
}

async function compress(root: string, file: string): Promise<string> {
  const content = await readFile(file);
  const hash = createHash('sha256').update(content).digest('hex');
  const folder = path.join(root, 'node_modules', '.cache', 'platen', 'compressed');
  const target = path.join(folder, `${hash}-${LEVEL}${COMPRESSED}`);
  if (await exists(target)) return target;
  await mkdir(folder, { recursive: true });
  const params = {
    [constants.ZSTD_c_compressionLevel]: LEVEL,
    [constants.ZSTD_c_windowLog]: WINDOW_LOG,
    [constants.ZSTD_c_checksumFlag]: 1,
  };
  // Another process may compress the same file: the complete file is renamed into its place.
  const staging = `${target}.${process.pid}`;
  await writeFile(
    staging,
    await promisify(zstdCompress)(content, { params, pledgedSrcSize: content.length }),
  );
  await rename(staging, target);
  return target;
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
