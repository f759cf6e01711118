import { readLargeAsset } from '@platen/core/worker';

/** The engines' machine code, compiled once per process and shared with the worker threads. */

const BINARIES = {
  magick: '@imagemagick/magick-wasm/magick.wasm',
  typst: '@myriaddreamin/typst-ts-web-compiler/pkg/typst_ts_web_compiler_bg.wasm',
} as const;
export type EngineName = keyof typeof BINARIES;

/**
 * Memory limit in bytes of the Typst engine, whose memory grows by its own instructions; other engines ask
 * JavaScript for more.
 */
export const SVG_MEMORY = 768 * 2 ** 20;

const compiled = new Map<EngineName, Promise<WebAssembly.Module>>();

export function engineBinary(name: EngineName): Promise<WebAssembly.Module> {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const started = compile(name);
  compiled.set(name, started);
  // Reading the file may succeed the next time.
  started.catch(() => compiled.delete(name));
  return started;
}

async function compile(name: EngineName): Promise<WebAssembly.Module> {
  const bytes = await readLargeAsset(import.meta.url, BINARIES[name]);
  return await WebAssembly.compile(name === 'typst' ? withMemoryLimit(bytes, SVG_MEMORY) : bytes);
}

const MEMORY_SECTION = 5;
const PAGE = 65_536;

/**
 * Sets an upper limit on a module's own memory (WebAssembly core specification, 5.5.8 "Memory Section").
 *
 * @throws Error when the module has no memory of its own, or one that needs more
 */
export function withMemoryLimit(module: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  // The loop starts after the magic number and the version.
  for (let at = 8; at < module.length;) {
    const id = module[at];
    const size = readUnsigned(module, at + 1);
    const end = size.next + size.value;
    if (id === MEMORY_SECTION) {
      const minimum = readUnsigned(module, readUnsigned(module, size.next).next + 1);
      if (minimum.value * PAGE > limit) throw new Error('the module needs more memory than its limit');
      const contents = [1, 1, ...unsigned(minimum.value), ...unsigned(Math.floor(limit / PAGE))];
      const section = Uint8Array.from([MEMORY_SECTION, ...unsigned(contents.length), ...contents]);
      return Uint8Array.from(Buffer.concat([module.subarray(0, at), section, module.subarray(end)]));
    }
    at = end;
  }
  throw new Error('the module has no memory of its own');
}

/** Reads a LEB128 number, the format's encoding for all numbers. */
function readUnsigned(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let next = at, shift = 0; ; next += 1, shift += 7) {
    const byte = bytes[next] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: next + 1 };
  }
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) | 0x80);
  }
}
