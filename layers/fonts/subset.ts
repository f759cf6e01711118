import { FontMemory } from '@platen/pdf/text';
import type { Characters } from './families.ts';

const memory = new FontMemory();

/**
 * Returns the font with only these characters and the glyphs that its layout tables derive from them.
 *
 * @throws Error if HarfBuzz cannot read the font
 */
export async function withCharacters(font: Buffer, characters: Characters): Promise<Buffer> {
  const subset = await memory.subset(font, (harfBuzz, input) => {
    // Keep every table, feature and name, but not every character or glyph.
    harfBuzz.hb_subset_input_keep_everything(input);
    harfBuzz.hb_set_clear(harfBuzz.hb_subset_input_glyph_set(input));
    const wanted = harfBuzz.hb_subset_input_unicode_set(input);
    harfBuzz.hb_set_clear(wanted);
    for (const [first, last] of characters)
      for (let code = first; code <= last; code++) harfBuzz.hb_set_add(wanted, code);
  });
  if (subset === null) throw new Error('HarfBuzz cannot make a subset of the font.');
  return Buffer.from(subset);
}
