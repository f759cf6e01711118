import type { FontMemory } from './harfbuzz.ts';

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

/**
 * A TrueType font with the shapes of these glyphs only; they keep their numbers.
 *
 * @param memory in which fonts of other tenants have never been
 * @returns null where HarfBuzz cannot read the font
 */
export async function subsetFont(
  font: Uint8Array,
  glyphs: Iterable<number>,
  memory: FontMemory,
): Promise<Uint8Array | null> {
  return await memory.subset(font, (harfBuzz, input) => {
    const wanted = harfBuzz.hb_subset_input_glyph_set(input);
    for (const glyph of glyphs) harfBuzz.hb_set_add(wanted, glyph);
    const dropped = harfBuzz.hb_subset_input_set(input, DROPPED_TABLES);
    for (const name of TABLES) harfBuzz.hb_set_add(dropped, Buffer.from(name).readUInt32BE());
    harfBuzz.hb_subset_input_set_flags(input, FLAGS);
  });
}
