import { readFile } from 'node:fs/promises';
import module, { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { zstdDecompress } from 'node:zlib';

/**
 * V8 replaces the wrappers through which WebAssembly calls JavaScript after a thousand calls, and frees the
 * old ones. With WebAssembly in several threads it sometimes frees a wrapper that another thread registers at
 * that moment, and the process crashes (WasmImportWrapperCache::Free; nodejs/node#64500, open). This flag
 * prevents the replacement, without a measurable slowdown. It applies to all modules compiled from then on,
 * in all threads.
 */
setFlagsFromString('--wasm-wrapper-tiering-budget=2000000000');

/**
 * Locates files that are loaded by name at run time: worker entries and the engines' own files. When the code
 * runs from source or from installed packages, they are in their original place; in a bundle, all of them are
 * next to it.
 */

/**
 * Returns the URL of a worker thread's entry.
 * @param base `import.meta.url` of the module that has `<name>.ts` next to it.
 * @param name File name without its extension, e.g. `pdf.worker`.
 */
export function workerUrl(base: string, name: string): URL {
  return new URL(`./${name}${extname(base)}`, base);
}

/**
 * Returns the environment of a thread that handles untrusted input. It reads no configuration and must not see the
 * process's credentials. It only has Node's cache of compiled code if the process has one: otherwise every thread
 * compiles all of its modules again, which takes longer than most of its tasks.
 */
export function threadEnvironment(): Record<string, string> {
  // Absent in Node 20. The cache is in a folder of its own for each version of Node.
  const folder = module.getCompileCacheDir?.();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/**
 * Returns the path of a package's file that is read at run time (WebAssembly and its loader).
 * @param base `import.meta.url` of the caller.
 * @param specifier The package's export of the file, e.g. `@embedpdf/pdfium/pdfium.wasm`.
 * @returns the path next to the bundle under the file's own name, or in the package
 */
export function assetPath(base: string, specifier: string): string {
  if (!isBundle(base)) return createRequire(base).resolve(specifier);
  return fileURLToPath(new URL(`./${specifier.slice(specifier.lastIndexOf('/') + 1)}`, base));
}

/** Added to the name of a file that is compressed with Zstandard in the bundles of functions. */
const COMPRESSED = '.zst';

/**
 * Reads a large file of a package, such as WebAssembly of several megabytes. Bundles contain it compressed with
 * Zstandard: the ZIP of a function, which compresses with deflate only, becomes smaller by a fifth of the file.
 * @param base `import.meta.url` of the caller.
 * @param specifier The package's export of the file; `compressed` of the function's specification lists it.
 */
export async function readLargeAsset(base: string, specifier: string): Promise<Uint8Array<ArrayBuffer>> {
  const path = assetPath(base, specifier);
  if (!isBundle(base)) return await readFile(path);
  return await promisify(zstdDecompress)(await readFile(`${path}${COMPRESSED}`));
}

/** The bundles of functions end with .mjs; sources and installed packages do not. */
function isBundle(base: string): boolean {
  return base.endsWith('.mjs');
}
