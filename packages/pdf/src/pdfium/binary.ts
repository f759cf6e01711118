import { readLargeAsset } from '@platen/core/worker';

let compiled: Promise<WebAssembly.Module> | undefined;

/** PDFium's machine code, compiled once in a process; worker threads are handed it and share it. */
export function compilePdfium(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(await readLargeAsset(import.meta.url, '@embedpdf/pdfium/pdfium.wasm'));
  } catch (error) {
    // What could not be read now may be there the next time.
    compiled = undefined;
    throw error;
  }
}
