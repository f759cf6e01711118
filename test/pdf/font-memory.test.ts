import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FontMemory, OwnedFontMemory, subsetFont } from '@platen/pdf/text';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildFontsLayer } from '../../layers/fonts/build.ts';

describe('the memory for fonts', () => {
  let fonts: Buffer[] = [];

  beforeAll(async () => {
    const { dist } = await buildFontsLayer('local');
    const folder = join(dist, 'fonts', 'files');
    const names = (await readdir(folder)).filter((name) => /^(?:Arimo|Tinos|NotoSansThai)/.test(name)).sort();
    fonts = await Promise.all(names.map(async (name) => await readFile(join(folder, name))));
  });

  afterEach(() => void vi.restoreAllMocks());

  const glyphs = [3, 5, 20, 41];

  it('makes the same subset, whatever fonts were there before', async () => {
    const memory = new FontMemory();
    const fresh = await Promise.all(
      fonts.map(async (font) => await subsetFont(font, glyphs, new FontMemory())),
    );
    for (let round = 0; round < 40; round += 1) {
      for (const [index, font] of fonts.entries())
        expect(await subsetFont(font, glyphs, memory)).toEqual(fresh[index]);
    }
    expect(fresh.every((subset) => subset !== null && subset.length > 500)).toBe(true);
  });

  it('is created once for all fonts of an owner, and once more after a font that cannot be read', async () => {
    const created = vi.spyOn(WebAssembly, 'Instance');
    const memory = new FontMemory();
    for (const font of fonts) await subsetFont(font, glyphs, memory);
    expect(created).toHaveBeenCalledTimes(1);
    expect(await subsetFont(Buffer.alloc(2000, 7), glyphs, memory)).toBeNull();
    const [font = Buffer.alloc(0)] = fonts;
    expect(await subsetFont(font, glyphs, memory)).toEqual(await subsetFont(font, glyphs, new FontMemory()));
  });

  it('takes a font that is almost as large as it', async () => {
    const memory = new FontMemory();
    const [font = Buffer.alloc(0)] = fonts;
    const large = Buffer.concat([font, Buffer.alloc(40 * 1024 * 1024)]);
    const subset = await subsetFont(font, glyphs, memory);
    for (let round = 0; round < 4; round += 1)
      expect(await subsetFont(large, glyphs, memory)).toEqual(subset);
  });

  it('is another one for another owner', () => {
    const memories = new OwnedFontMemory();
    const first = memories.of('a');
    expect(memories.of('a')).toBe(first);
    const second = memories.of('b');
    expect(second).not.toBe(first);
    expect(memories.of('a')).not.toBe(first);
  });
});
