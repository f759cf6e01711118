import type { FontMemory } from './harfbuzz.ts';

/** hb_subset_sets_t. */
const DROPPED_TABLES = 3;
/** hb_subset_flags_t: keeps glyph numbers and the outline of the first glyph, and adds no related glyphs. */
const FLAGS = 0x2 | 0x40 | 0x200;
/** Layout and name tables, which a PDF does not need. */
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
 * A TrueType font with the outlines of these glyphs only, whose numbers stay.
 *
 * @param memory in which fonts of other tenants have never been
 * @returns null if HarfBuzz cannot read the font
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
