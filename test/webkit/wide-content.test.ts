import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { document, printOnce } from '../chrome/engine.ts';
import { pdfText, pdfWords } from '../chrome/pdf.ts';
import { startWebKit } from './engine.ts';

/** WebKit prints a document smaller if something of it is wider than its pages, down to five eighths. */

describe('content that is wider than its pages', () => {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await startWebKit());
  });
  afterAll(() => stop());

  async function printed(html: string): Promise<{ width: number; text: string; warnings: string[] }> {
    const warnings: string[] = [];
    const source = { ...document(html), warn: (text: string) => void warnings.push(text) };
    const pdf = await printOnce(printer, source);
    const word = pdfWords(pdf).find(({ text }) => text === 'measured');
    return { width: (word?.right ?? 0) - (word?.left ?? 0), text: pdfText(pdf), warnings };
  }

  const PAGE = '@page{size:10cm;margin:1cm}';
  const rules = `${PAGE}body{margin:0}`;
  const WORD = '<p style="font:12px Arial">measured</p>';
  const page = (body: string, style = rules, type = '<!doctype html>'): string =>
    `${type}<html lang="en"><style>${style}</style><body>${WORD}${body}</body></html>`;

  it.each([
    ['a box', '<div class="wide" style="width:10cm">x</div>', 'body > div.wide'],
    ['a line that does not wrap', `<pre class="wide">${'0123456789'.repeat(5)}</pre>`, 'body > pre.wide'],
    ['a table', `<table><tr>${'<td>column</td>'.repeat(9)}</tr></table>`, 'body > table'],
    [
      'a table in a box',
      `<div><table><tr>${'<td>column</td>'.repeat(9)}</tr></table></div>`,
      'body > div > table',
    ],
    ['an absolute box', '<div style="position:absolute;left:2cm;width:8cm">x</div>', 'body > div'],
    ['a picture', '<p><svg width="10cm" height="1cm"></svg></p>', 'body > p:nth-of-type(2) > svg'],
  ])('%s is named, with the size at which the document is printed', async (_, body, element) => {
    const { width: plain } = await printed(page(''));
    for (const html of [page(body), page(body, rules, '')]) {
      const { width, warnings } = await printed(html);
      expect(warnings).toHaveLength(1);
      const [, name, percent] =
        /^The content is wider than the pages \((.*)\): it is printed at (\d\d)% of its size\.$/.exec(
          warnings[0] ?? '',
        ) ?? [];
      expect(name).toBe(element);
      expect(Math.abs(width / plain - Number(percent) / 100)).toBeLessThan(0.02);
    }
  });

  it.each([
    ['a box', '<div class="wide" style="width:10cm">x</div>'],
    ['a line', `<pre class="wide">${'0123456789'.repeat(5)}</pre>`],
  ])('%s is named in documents from right to left, too', async (_, body) => {
    const rtl = (html: string): string => html.replace('lang="en"', 'lang="he" dir="rtl"');
    const { width: plain, warnings: none } = await printed(rtl(page('')));
    expect(none).toEqual([]);
    const { width, warnings } = await printed(rtl(page(body)));
    const percent = Number(/printed at (\d\d)%/.exec(warnings[0] ?? '')?.[1]);
    expect(warnings[0]).toContain('.wide)');
    expect(Math.abs(width / plain - percent / 100)).toBeLessThan(0.02);
  });

  it('what does not fit then is told', async () => {
    const body = `<table><tr>${'<td>column</td>'.repeat(12)}<td>LAST</td></tr></table>`;
    const { text, warnings } = await printed(page(body));
    expect(text).not.toContain('LAST');
    expect(warnings).toEqual([
      'The content is wider than the pages (body > table): it is printed at 63% of its size, and what does not fit then is cut off.',
    ]);
  });

  it.each([
    ['what fits', '<div style="width:8cm">x</div>'],
    ['what a box cuts off', '<div style="width:3cm;overflow:hidden"><div style="width:30cm">x</div></div>'],
    ['what scrolls', `<div style="width:3cm;overflow-x:auto">${'word '.repeat(90)}</div>`],
    ['an absolute box at the right edge', '<div style="position:absolute;right:0;width:3cm"><b>x</b></div>'],
    [
      'an absolute box in the middle',
      '<div style="position:absolute;left:0;right:0;margin:auto;width:3cm">x</div>',
    ],
    ['a hidden box', '<div style="width:30cm;display:none">x</div>'],
  ])('no warning for %s', async (_, body) => {
    const { width: plain } = await printed(page(''));
    const { width, warnings } = await printed(page(body));
    expect(warnings).toEqual([]);
    expect(width).toBeCloseTo(plain, 1);
  });

  it('documents without rules for pages are told, too', async () => {
    const { warnings } = await printed(page('<div style="width:30cm">x</div>', ''));
    expect(warnings).toHaveLength(1);
  });
});
