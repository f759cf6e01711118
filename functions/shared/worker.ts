import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Where the files that are loaded by name at run time are: worker entries and the engines' own files.
 * Run from source they are found where they were written or installed; in a bundle all of them lie beside it.
 */

/** True while the code runs from its TypeScript source. */
function fromSource(base: string): boolean {
  return base.endsWith('.ts');
}

/**
 * The entry of a worker thread.
 * @param base `import.meta.url` of the module beside which `<name>.ts` is written.
 * @param name File name without its ending, e.g. `pdf.worker`.
 */
export function workerUrl(base: string, name: string): URL {
  return new URL(`./${name}.${fromSource(base) ? 'ts' : 'mjs'}`, base);
}

/**
 * A file of a package that is read at run time (WebAssembly and what loads it).
 * @param base `import.meta.url` of the caller.
 * @param specifier How the package exports the file, e.g. `@embedpdf/pdfium/pdfium.wasm`.
 * @returns Its path: in the package, or beside the bundle under its own file name.
 */
export function assetPath(base: string, specifier: string): string {
  if (fromSource(base)) return createRequire(base).resolve(specifier);
  return fileURLToPath(new URL(`./${specifier.slice(specifier.lastIndexOf('/') + 1)}`, base));
}
