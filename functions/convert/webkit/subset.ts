import { readFile } from 'node:fs/promises';
import { assetPath } from '../../shared/worker.ts';

/** HarfBuzz's subsetting as WebAssembly: fonts of strangers are read in memory of their own. */

interface HarfBuzz {
  memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(size: number): number;
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set(input: number, which: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_or_fail(face: number, input: number): number;
}

/** hb_memory_mode_t: HarfBuzz may write into it. */
const WRITABLE = 2;
/** hb_subset_sets_t. */
const DROPPED_TABLES = 3;
/** hb_subset_flags_t: glyphs keep their numbers, the first keeps its shape, no others join them. */
const FLAGS = 0x2 | 0x40 | 0x200;
/** What lays text out and names it: in a PDF that is done. */
const TABLES = [
  'GSUB',
  'GPOS',
  'GDEF',
  'BASE',
  'JSTF',
  'MATH',
  'kern',
  'name',
  'cmap',
  'post',
  'OS/2',
  'DSIG',
  'STAT',
];

let compiled: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  return await WebAssembly.compile(
    await readFile(assetPath(import.meta.url, 'harfbuzzjs/dist/harfbuzz-subset.wasm')),
  );
}

/**
 * A TrueType font with the shapes of these glyphs only; they keep their numbers.
 *
 * @returns null where HarfBuzz cannot read the font
 */
export async function subsetFont(font: Uint8Array, glyphs: Iterable<number>): Promise<Uint8Array | null> {
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
  const wanted = harfBuzz.hb_subset_input_glyph_set(input);
  for (const glyph of glyphs) harfBuzz.hb_set_add(wanted, glyph);
  const dropped = harfBuzz.hb_subset_input_set(input, DROPPED_TABLES);
  for (const name of TABLES) harfBuzz.hb_set_add(dropped, Buffer.from(name).readUInt32BE());
  harfBuzz.hb_subset_input_set_flags(input, FLAGS);
  const subset = harfBuzz.hb_subset_or_fail(face, input);
  if (subset === 0) return null;
  const blob = harfBuzz.hb_face_reference_blob(subset);
  const length = harfBuzz.hb_blob_get_length(blob);
  const start = harfBuzz.hb_blob_get_data(blob, 0);
  return length === 0 ? null : new Uint8Array(harfBuzz.memory.buffer.slice(start, start + length));
}
