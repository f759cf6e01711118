import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlPrinter, PrintOptions } from '../../packages/print/src/print.ts';
import { printOnce } from '../chrome/engine.ts';
import { pdfText, pdfWords } from '../chrome/pdf.ts';
import type { Start } from './engine.ts';

/** A4 is 793.7 CSS pixels wide, and the room between default margins of 1 cm is 718. */
const ON_A4: readonly [query: string, applies: boolean][] = [
  ['(max-width: 768px)', false],
  ['(min-width: 768px)', true],
  ['(min-width: 793px)', true],
  ['(min-width: 794.5px)', false],
  ['(max-width: 794.5px)', true],
  ['print and (min-width: 49.5em)', true],
  ['screen and (min-width: 1px)', false],
  ['not all and (max-width: 768px)', true],
  ['(max-width: 768px), (min-width: 780px)', true],
  ['(width >= 780px)', true],
  ['(720px < width < 49.5em)', false],
  ['(720px < width <= 49.7em)', true],
  ['(min-width: calc(700px + 5em))', true],
  ['((min-width: 780px) and (color))', true],
  ['(not ((width >= 780px) or (max-width: calc(10px + 5em))))', false],
];

/** Tests that media queries on the width refer to the page; all engines must pass them. */
export function testWidthQueries(start: Start): void {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await start());
  });
  afterAll(() => stop());

  /** Returns the numbers of the queries that apply. */
  async function applying(
    queries: readonly string[],
    options: Partial<PrintOptions> = {},
    further = '',
  ): Promise<string[]> {
    const rules = queries.map((query, index) => `@media ${query}{.q${index}::after{content:"q${index}!"}}`);
    const marks = queries.map((_, index) => `<p class="q${index}">`).join('');
    const pdf = await printOnce(printer, `<style>${further}${rules.join('')}</style>${marks}`, options);
    return pdfText(pdf).match(/q\d+(?=!)/g) ?? [];
  }

  it('compares the width of the page, with its margins, in every form of a query (Media Queries 4, 4.1)', async () => {
    const expected = ON_A4.flatMap(([, applies], index) => (applies ? [`q${index}`] : []));
    expect(await applying(ON_A4.map(([query]) => query))).toEqual(expected);
  });

  it('knows the margins of options and of @page, and the scale', async () => {
    const queries = [
      '(min-width: 390px) and (max-width: 400px)',
      '(min-width: 790px) and (max-width: 798px)',
    ];
    const margins = { top: 1, right: 4, bottom: 1, left: 3 };
    expect(await applying(queries, { margins })).toEqual(['q1']);
    expect(await applying(queries, { margins, scale: 2 })).toEqual(['q0']);
    expect(await applying(queries, {}, '@page{margin:0 2cm 0 5cm}')).toEqual(['q1']);
    // 105 mm are 396.9 pixels.
    expect(await applying(queries, {}, '@page{size:105mm 148mm;margin:1cm 3cm}')).toEqual(['q0']);
  });

  it('applies to style elements and to rules within rules', async () => {
    const html = `<style media="(min-width: 780px)">.a::after{content:"outer"}</style>
      <style media="(max-width: 780px)">.a::after{content:"wrong"}</style>
      <style>@media print{@supports (color: red){@media (min-width: 780px){.b::after{content:"inner"}}}}</style>
      <p class="a"><p class="b">`;
    expect(
      pdfText(await printOnce(printer, html))
        .split(/\s+/)
        .filter(Boolean),
    ).toEqual(['outer', 'inner']);
  });

  it('compares sources of pictures and their sizes with the page, too (HTML, 4.8.4.3)', async () => {
    const drawing = (text: string): string =>
      `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="30"><text y="20">${text}</text></svg>`)}`;
    const pictures = ON_A4.map(
      ([query], index) =>
        `<p><picture><source media="${query}" srcset="${drawing(`q${index}!`)}"><img src="${drawing('other')}"></picture>`,
    );
    const sized = `<p><img srcset="${drawing('sized')} 300w" sizes="(width >= 780px) 300px, 30px">after`;
    const further = `<p><picture><source media="print" srcset="${drawing('printed')}"><img src="${drawing('shown')}"></picture>
      <style>@page{margin:1cm 3cm}</style>`;
    const pdf = await printOnce(printer, [...pictures, sized, further].join(''));
    expect(pdfText(pdf).match(/q\d+(?=!)|printed|shown/g)).toEqual([
      ...ON_A4.flatMap(([, applies], index) => (applies ? [`q${index}`] : [])),
      'printed',
    ]);
    const words = pdfWords(pdf);
    const at = (text: string): number => words.find((word) => word.text === text)?.left ?? 0;
    // The picture is 300 pixels wide, which are 225 points.
    expect(at('after') - at('sized')).toBeCloseTo(225, 0);
  });
}
