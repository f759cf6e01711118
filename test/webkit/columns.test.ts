import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { document, PLAIN } from '../chrome/engine.ts';
import { pdfInfo, pdfRaster, pdfText, pdfWords, type PdfWord } from '../chrome/pdf.ts';
import { startWebKit, type TestEngine } from './engine.ts';

/** Columns, which WebKit lays out on the screen and drops in print. */

let engine: TestEngine;
beforeAll(async () => {
  engine = await startWebKit();
});
afterAll(() => engine.stop());

const CM = 72 / 2.54;
const PAPER = '@page { size: 14cm 18cm; margin: 1cm } body { margin: 0; font: 10px/15px Arimo }';
const ONE = 'webkit prints one column (columns): rendering_engine chrome does not';

async function printed(
  css: string,
  body: string,
): Promise<{ pdf: Uint8Array; words: PdfWord[]; warnings: string[] }> {
  const warnings: string[] = [];
  const session = engine.printer.session('tenant');
  const html = `<style>${PAPER}${css}</style>${body}`;
  const pdf = await session.print({ ...document(html), warn: (text) => warnings.push(text) }, PLAIN);
  await session.close();
  return { pdf, words: pdfWords(pdf), warnings };
}

/** The one word of that text. */
function word(words: readonly PdfWord[], text: string): PdfWord {
  const found = words.filter((each) => each.text === text);
  if (found.length !== 1) throw new Error(`${found.length} times ${text}`);
  return found[0] as PdfWord;
}

const items = (count: number): string =>
  Array.from({ length: count }, (_, item) => `<p>i${item + 1}`).join('');
const text = (count: number): string => Array.from({ length: count }, (_, at) => `w${at + 1}`).join(' ');

describe('columns, printed by WebKit', () => {
  it('stand beside each other, each with its content', async () => {
    const css = '.c { columns: 3; column-gap: 1cm } p { margin: 0 }';
    const { words, warnings } = await printed(
      css,
      `<h1>title</h1><div class="c">${items(9)}</div><h2>end</h2>`,
    );
    const at = (item: number): PdfWord => word(words, `i${item}`);
    // Three columns of 10/3 cm in 12 cm.
    for (const [column, first] of [1, 4, 7].entries()) {
      expect(at(first).left).toBeCloseTo((1 + column * (10 / 3 + 1)) * CM, 0);
      expect(at(first).top).toBeCloseTo(at(1).top, 0);
      expect(at(first + 2).left).toBeCloseTo(at(first).left, 0);
    }
    expect(word(words, 'end').top).toBeGreaterThan(at(9).bottom);
    expect(word(words, 'end').top - at(9).bottom).toBeLessThan(1.5 * CM);
    expect(warnings).toEqual([]);
  });

  it('divide paragraphs between lines, with nothing lost and nothing twice', async () => {
    const css =
      '.c { column-width: 5cm; text-align: justify } .c p:first-child { font-weight: bold } p { margin: 0; text-indent: 1cm }';
    const { words, warnings } = await printed(
      css,
      `<div class="c"><p>first</p><p id="long">${text(150)}</p></div>`,
    );
    const all = words.map((each) => each.text).filter((each) => /^w\d+$/.test(each));
    expect(all).toEqual(Array.from({ length: 150 }, (_, at) => `w${at + 1}`));
    const left = new Set(words.map((each) => Math.round(each.left)));
    const second = Math.min(...[...left].filter((each) => each > 7 * CM));
    // The part in the second column has no indent of its own, and is not bold like a first paragraph.
    const tops = words.filter((each) => each.left > 7 * CM).map((each) => each.top);
    const [top = 0] = tops.toSorted((a, b) => a - b);
    expect(words.some((each) => Math.abs(each.left - second) < 1 && Math.abs(each.top - top) < 1)).toBe(true);
    expect(Math.abs(top - word(words, 'first').top)).toBeLessThan(2);
    expect(warnings).toEqual([]);
  });

  it('have elements across all of them, and lines between them', async () => {
    const css = '.c { columns: 2; column-rule: 4px solid #f00 } h2 { column-span: all } p { margin: 0 }';
    const { pdf, words, warnings } = await printed(
      css,
      `<div class="c">${items(6)}<h2>middle</h2>${items(12).replaceAll('>i', '>j')}</div>`,
    );
    expect(word(words, 'i4').top).toBeCloseTo(word(words, 'i1').top, 0);
    expect(word(words, 'middle').top).toBeGreaterThan(word(words, 'i3').bottom);
    expect(word(words, 'j7').top).toBeCloseTo(word(words, 'j1').top, 0);
    expect(word(words, 'j1').top).toBeGreaterThan(word(words, 'middle').bottom);
    const rule = (await pdfRaster(pdf)).box(([red, green, blue]) => red > 200 && green < 60 && blue < 60);
    expect(((rule?.left ?? 0) + (rule?.right ?? 0)) / 2).toBeCloseTo(7 * CM, -1);
    expect(warnings).toEqual([]);
  });

  it('are one, with what spans them in its place, where they are higher than a page', async () => {
    const css = '.c { columns: 2 } h2 { column-span: all }';
    const html = `<div class="c">${items(200)}<h2>middle</h2>${items(200).replaceAll('>i', '>j')}</div><p>end`;
    const { pdf } = await printed(css, html);
    expect(pdfText(pdf).match(/i200|middle|j1\b|j200|end/g)).toEqual(['i200', 'middle', 'j1', 'j200', 'end']);
  });

  it('keep what selectors give to elements by their place', async () => {
    const css =
      'dl { columns: 2 } dd { margin: 0; border-left: 6px solid #f00; &:first-of-type { border-left: 0 } } dl > dt { background: #00f }';
    const { pdf, warnings } = await printed(css, '<dl><dt>a<dd>b<dt>c<dd>d</dl>');
    const red = (await pdfRaster(pdf)).box(([r, g, b]) => r > 200 && g < 60 && b < 60);
    // That of the second column alone.
    expect(red?.left).toBeGreaterThan(7 * CM);
    const blue = (await pdfRaster(pdf)).box(([r, g, b]) => b > 200 && r < 60 && g < 60);
    expect(blue?.left).toBeLessThan(2 * CM);
    expect(blue?.right).toBeGreaterThan(7 * CM);
    expect(warnings).toEqual([]);
  });

  it('are on one page', async () => {
    const { words, warnings } = await printed(
      '.c { columns: 2 } p { margin: 0 }',
      `<div style="height:15cm"></div><div class="c">${items(20)}</div>`,
    );
    expect(word(words, 'i1').page).toBe(2);
    expect(word(words, 'i11').top).toBeCloseTo(word(words, 'i1').top, 0);
    expect(word(words, 'i20').page).toBe(2);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['are higher than a page', `<div class="c">${items(120)}</div>`],
    ['have a drawing of a script in them', `<div class="c">${items(6)}<canvas></canvas></div>`],
  ])('are one column, with a Warning, if they %s', async (_, body) => {
    const { pdf, words, warnings } = await printed('.c { columns: 2 } p { margin: 0 }', body);
    expect(new Set(words.map(({ left }) => Math.round(left))).size).toBe(1);
    expect(words).toHaveLength((body.match(/<p>/g) ?? []).length);
    expect(pdfInfo(pdf).pages).toBeGreaterThan(0);
    expect(pdfText(pdf)).toContain('i6');
    expect(warnings).toEqual([ONE]);
  });
});
