import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/**
 * V8 replaces the wrappers through which WebAssembly calls JavaScript after a thousand calls, and frees the old ones.
 * With WebAssembly in several threads it sometimes frees one that another thread registers at that moment, and the
 * process dies (WasmImportWrapperCache::Free; nodejs/node#64500, open). Where they are never replaced nothing is freed,
 * and nothing takes measurably longer. It holds for the modules that are compiled from then on, in all threads.
 */
setFlagsFromString('--wasm-wrapper-tiering-budget=2000000000');

/**
 * Where the files that are loaded by name at run time are: worker entries and the engines' own files. Run from source
 * or installed as packages they are found where they were written or installed; in a bundle all of them lie beside it.
 */

/**
 * The entry of a worker thread.
 * @param base `import.meta.url` of the module beside which `<name>.ts` is written.
 * @param name File name without its ending, e.g. `pdf.worker`.
 */
export function workerUrl(base: string, name: string): URL {
  return new URL(`./${name}${extname(base)}`, base);
}

/**
 * A file of a package that is read at run time (WebAssembly and what loads it).
 * @param base `import.meta.url` of the caller.
 * @param specifier How the package exports the file, e.g. `@embedpdf/pdfium/pdfium.wasm`.
 * @returns Its path: beside the bundle under its own file name, or in the package.
 */
export function assetPath(base: string, specifier: string): string {
  // The bundles of functions end with .mjs; sources and installed packages do not.
  if (!base.endsWith('.mjs')) return createRequire(base).resolve(specifier);
  return fileURLToPath(new URL(`./${specifier.slice(specifier.lastIndexOf('/') + 1)}`, base));
}
