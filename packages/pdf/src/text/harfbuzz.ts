import { readFile } from 'node:fs/promises';
import { assetPath } from '@platen/core/worker';

/** HarfBuzz's subsetting as WebAssembly: untrusted fonts are read in isolated memory. */

export interface HarfBuzz {
  memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(size: number): number;
  free(address: number): void;
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_clear(set: number): void;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_keep_everything(input: number): void;
  hb_subset_input_unicode_set(input: number): number;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set(input: number, which: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_or_fail(face: number, input: number): number;
}

/** hb_memory_mode_t: HarfBuzz may write to it. */
const WRITABLE = 2;

let compiled: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  return await WebAssembly.compile(
    await readFile(assetPath(import.meta.url, 'harfbuzzjs/dist/harfbuzz-subset.wasm')),
  );
}

/** Selects the kept glyphs on an hb_subset_input_t. */
export type Choose = (harfBuzz: HarfBuzz, input: number) => void;

/**
 * The memory in which HarfBuzz reads fonts. A new one costs several milliseconds, as Node counts its 65 MB and collects
 * garbage. Fonts of different tenants must not share one: a fault of HarfBuzz could carry bytes from one to the other.
 */
export class FontMemory {
  #harfBuzz: HarfBuzz | null = null;

  /** @returns null if HarfBuzz cannot read the font */
  async subset(font: Uint8Array, choose: Choose): Promise<Uint8Array | null> {
    const used = this.#harfBuzz;
    // What is left of earlier fonts must not decide whether this one fits.
    const subset = used === null ? null : this.#attempt(used, font, choose);
    return subset ?? this.#attempt(await fresh(), font, choose);
  }

  #attempt(harfBuzz: HarfBuzz, font: Uint8Array, choose: Choose): Uint8Array | null {
    // A trap leaves a memory that nothing is known of.
    this.#harfBuzz = null;
    const subset = subsetIn(harfBuzz, font, choose);
    this.#harfBuzz = subset === null ? null : harfBuzz;
    return subset;
  }
}

/** Keeps the memory of the last owner: documents of another one get another memory. */
export class OwnedFontMemory {
  #last: { owner: string; memory: FontMemory } | null = null;

  of(owner: string): FontMemory {
    if (this.#last?.owner !== owner) this.#last = { owner, memory: new FontMemory() };
    return this.#last.memory;
  }
}

async function fresh(): Promise<HarfBuzz> {
  compiled ??= compile();
  const instance = new WebAssembly.Instance(await compiled, {});
  const harfBuzz = instance.exports as unknown as HarfBuzz;
  harfBuzz._initialize();
  return harfBuzz;
}

/** @throws WebAssembly.RuntimeError if a font makes HarfBuzz fail */
function subsetIn(harfBuzz: HarfBuzz, font: Uint8Array, choose: Choose): Uint8Array | null {
  const data = harfBuzz.malloc(font.length);
  if (data === 0) return null;
  new Uint8Array(harfBuzz.memory.buffer).set(font, data);
  const whole = harfBuzz.hb_blob_create(data, font.length, WRITABLE, 0, 0);
  const face = harfBuzz.hb_face_create(whole, 0);
  const input = harfBuzz.hb_subset_input_create_or_fail();
  choose(harfBuzz, input);
  const subset = harfBuzz.hb_subset_or_fail(face, input);
  if (subset === 0) return null;
  const blob = harfBuzz.hb_face_reference_blob(subset);
  const length = harfBuzz.hb_blob_get_length(blob);
  const start = harfBuzz.hb_blob_get_data(blob, 0);
  const bytes = length === 0 ? null : new Uint8Array(harfBuzz.memory.buffer.slice(start, start + length));
  harfBuzz.hb_blob_destroy(blob);
  harfBuzz.hb_face_destroy(subset);
  harfBuzz.hb_subset_input_destroy(input);
  harfBuzz.hb_face_destroy(face);
  harfBuzz.hb_blob_destroy(whole);
  harfBuzz.free(data);
  return bytes;
}
