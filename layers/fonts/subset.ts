import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Characters } from './families.ts';

/** Fonts with fewer characters, made by HarfBuzz (WebAssembly). */

interface HarfBuzz {
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
  hb_subset_or_fail(face: number, input: number): number;
}

/** hb_memory_mode_t: HarfBuzz may write into it. */
const WRITABLE = 2;

let compiled: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  const file = fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm'));
  return await WebAssembly.compile(await readFile(file));
}

/**
 * The font with these characters only, and all that its layout tables make of them.
 *
 * @throws Error where HarfBuzz cannot read the font
 */
export async function withCharacters(font: Buffer, characters: Characters): Promise<Buffer> {
  compiled ??= compile();
  // An instance for each font, whose memory goes with it.
  const instance = new WebAssembly.Instance(await compiled, {});
  const harfBuzz = instance.exports as unknown as HarfBuzz;
  harfBuzz._initialize();
  const data = harfBuzz.malloc(font.length);
  new Uint8Array(harfBuzz.memory.buffer).set(font, data);
  const face = harfBuzz.hb_face_create(harfBuzz.hb_blob_create(data, font.length, WRITABLE, 0, 0), 0);
  const input = harfBuzz.hb_subset_input_create_or_fail();
  // Every table, feature and name; then not every character, nor every glyph.
  harfBuzz.hb_subset_input_keep_everything(input);
  harfBuzz.hb_set_clear(harfBuzz.hb_subset_input_glyph_set(input));
  const wanted = harfBuzz.hb_subset_input_unicode_set(input);
  harfBuzz.hb_set_clear(wanted);
  for (const [first, last] of characters)
    for (let code = first; code <= last; code++) harfBuzz.hb_set_add(wanted, code);
  const subset = harfBuzz.hb_subset_or_fail(face, input);
  const blob = subset === 0 ? 0 : harfBuzz.hb_face_reference_blob(subset);
  const length = blob === 0 ? 0 : harfBuzz.hb_blob_get_length(blob);
  if (length === 0) throw new Error('HarfBuzz cannot make a subset of the font.');
  const start = harfBuzz.hb_blob_get_data(blob, 0);
  return Buffer.from(harfBuzz.memory.buffer.slice(start, start + length));
}
