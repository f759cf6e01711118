import { readLargeAsset } from '@platen/core/worker';

let compiled: Promise<WebAssembly.Module> | undefined;

/** PDFium's machine code, compiled once per process and shared with worker threads. */
export function compilePdfium(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(await readLargeAsset(import.meta.url, '@embedpdf/pdfium/pdfium.wasm'));
  } catch (error) {
    // A failed read may succeed the next time.
    compiled = undefined;
    throw error;
  }
}
