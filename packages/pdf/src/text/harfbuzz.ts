import { readFile } from 'node:fs/promises';
import { assetPath } from '@platen/core/worker';

/** HarfBuzz's subsetting as WebAssembly: fonts of strangers are read in memory of their own. */

export interface HarfBuzz {
  memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(size: number): number;
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_reference_blob(face: number): number;
  hb_set_clear(set: number): void;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_keep_everything(input: number): void;
  hb_subset_input_unicode_set(input: number): number;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set(input: number, which: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_or_fail(face: number, input: number): number;
}

/** hb_memory_mode_t: HarfBuzz may write into it. */
const WRITABLE = 2;

let compiled: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  return await WebAssembly.compile(
    await readFile(assetPath(import.meta.url, 'harfbuzzjs/dist/harfbuzz-subset.wasm')),
  );
}

/**
 * Returns a subset of a font.
 *
 * @param choose selects the kept glyphs on an hb_subset_input_t
 * @returns null if HarfBuzz cannot read the font
 */
export async function subsetOf(
  font: Uint8Array,
  choose: (harfBuzz: HarfBuzz, input: number) => void,
): Promise<Uint8Array | null> {
  compiled ??= compile();
  // An instance for each font, whose memory goes with it.
  const instance = new WebAssembly.Instance(await compiled, {});
  const harfBuzz = instance.exports as unknown as HarfBuzz;
  harfBuzz._initialize();
  const data = harfBuzz.malloc(font.length);
  if (data === 0) return null;
  new Uint8Array(harfBuzz.memory.buffer).set(font, data);
  const face = harfBuzz.hb_face_create(harfBuzz.hb_blob_create(data, font.length, WRITABLE, 0, 0), 0);
  const input = harfBuzz.hb_subset_input_create_or_fail();
  choose(harfBuzz, input);
  const subset = harfBuzz.hb_subset_or_fail(face, input);
  if (subset === 0) return null;
  const blob = harfBuzz.hb_face_reference_blob(subset);
  const length = harfBuzz.hb_blob_get_length(blob);
  const start = harfBuzz.hb_blob_get_data(blob, 0);
  return length === 0 ? null : new Uint8Array(harfBuzz.memory.buffer.slice(start, start + length));
}
