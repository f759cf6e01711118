import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { printOnce } from '../chrome/engine.ts';
import { pdfRaster } from '../chrome/pdf.ts';
import type { Start } from './engine.ts';

/** Sequences of each kind in Unicode's list of emoji, none of them grey in the font. */
const EMOJI =
  '👍 👍🏻 👍🏽 ✌🏽 ☝🏽 👩🏽 👩🏽‍💻 🧑🏽‍🚀 ✌️ ☝️ 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇪🇺 🇨🇭 ❤️ ☀️ ✈️ ⚠️ ☎️ ✂️ ⏰ ⌛ ☑️ ▶️ ℹ️ 1️⃣ *️⃣ #️⃣ ❤️‍🔥 🧔‍♂️ 🏃‍♀️ 🆎 🈚 🚀 😀'.split(
    ' ',
  );
/** Characters that are not emoji unless U+FE0F follows. */
const PLAIN = '❤ ☀ ✈ ⚠ ☎ ✂ ☑ ▶ ✔ ✖ ★ ☐ ℹ © ™'.split(' ');
const COLUMNS = 10;

/** Tests that emoji are drawn in colours, symbols in black, and brackets large; all engines must pass them. */
export function testEmoji(start: Start): void {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await start());
  });
  afterAll(() => stop());

  /** Returns the texts that have colours, and those that have no ink, each printed in a square centimetre. */
  async function looksOf(
    texts: readonly string[],
    style = '',
  ): Promise<{ coloured: string[]; empty: string[] }> {
    const cells = texts.map((text) => `<span>${text}</span>`).join('');
    const html = `<!doctype html><meta charset="utf-8"><style>@page{size:${COLUMNS}cm 10cm;margin:0}body{margin:0;${style}}
      span{float:left;width:1cm;height:1cm;overflow:hidden;line-height:1cm;font-size:16px;text-align:center}</style>${cells}`;
    const page = await pdfRaster(await printOnce(printer, html), 1, 254);
    const pixels = (index: number, matches: (colour: [number, number, number]) => boolean): number => {
      const [left, top] = [(index % COLUMNS) * 100, Math.floor(index / COLUMNS) * 100];
      let count = 0;
      for (let y = top; y < top + 100; y += 1)
        for (let x = left; x < left + 100; x += 1) if (matches(page.at(x, y))) count += 1;
      return count;
    };
    return {
      coloured: texts.filter((_, i) => pixels(i, (at) => Math.max(...at) - Math.min(...at) > 40) > 30),
      empty: texts.filter((_, i) => pixels(i, (at) => Math.min(...at) < 200) === 0),
    };
  }

  it.each(['', 'font-weight:bold', 'font-family:Arimo', 'font-family:Carlito,sans-serif'])(
    'emoji have their colours, and symbols have none (%s)',
    async (style) => {
      const both = [...EMOJI, ...PLAIN];
      expect(await looksOf(both, style)).toEqual({ coloured: EMOJI, empty: [] });
      // The plain ones are first asked for.
      expect(await looksOf([...PLAIN, ...EMOJI], style)).toEqual({ coloured: EMOJI, empty: [] });
    },
  );

  it('symbols before elements have no colours, as characters and escaped', async () => {
    const style = "}span{color:#000}span::before{content:'\\2714 ☎ '";
    expect(await looksOf(['a'], style)).toEqual({ coloured: [], empty: [] });
  });

  it.each(['', 'math{font-family:"Latin Modern Math","STIX Two Math",serif}'])(
    'brackets and roots in formulas are as high as their content (MathML Core, 3.2.4.3; %s)',
    async (style) => {
      const rows = '<mtr><mtd><mspace width="1em" height="1em"></mspace></mtd></mtr>'.repeat(6);
      const table = `<mtable>${rows}</mtable>`;
      const html = `<style>@page{size:10cm;margin:1cm}math{font-size:16px}${style}</style>
        <math><mo style="color:#f00">(</mo>${table}<mo style="color:#0f0">}</mo><mspace width="1em"></mspace><msqrt style="color:#00f">${table}</msqrt></math>`;
      const page = await pdfRaster(await printOnce(printer, html), 1, 96);
      const heights = [0, 1, 2].map((part) => {
        const box = page.box((colour) =>
          colour.every((value, at) => (at === part ? value > 128 : value < 100)),
        );
        return box === null ? 0 : box.bottom - box.top;
      });
      // Six rows of 16 pixels and more; a bracket that does not grow has 17.
      for (const height of heights) expect(height).toBeGreaterThan(90);
    },
  );
}
