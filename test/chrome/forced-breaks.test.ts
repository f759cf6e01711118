import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { document, printOnce, startEngine } from './engine.ts';
import { pdfInfo } from './pdf.ts';

let printer: HtmlReader;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ printer, stop } = await startEngine());
});
afterAll(() => stop());

/** Documents with one forced break between two texts. */
const BREAKS: Record<string, string> = {
  'before a float':
    '<div style="float:left">a</div><div class="f" style="float:left;break-before:page">b</div>',
  'after a float':
    '<style>.f{float:left;width:100%;page-break-after:always}</style><div class="f">a</div><div>b</div>',
  'within a float': '<div style="float:left"><p style="break-after:page">a</p><p>b</p></div>',
  'before an absolute box': '<p>a</p><div style="position:absolute;break-before:page">b</div>',
  'after an inline block': '<div style="display:inline-block;width:100%;break-after:page">a</div><p>b</p>',
  'within an inline block':
    '<div style="display:inline-block"><p style="break-after:page">a</p><p>b</p></div>',
  'in a body that is an inline block':
    '<style>body{display:inline-block}</style><p style="break-after:page">a</p><p>b</p>',
  'at a line break': 'a<br style="page-break-before:always">b',
  'of a floated item of a flex box':
    '<div style="display:flex;flex-direction:column"><p style="float:left;break-after:page">a</p><p>b</p></div>',
  'of a block': '<p style="break-after:page">a</p><p>b</p>',
  'of a row': '<table><tr style="break-after:page"><td>a</td></tr><tr><td>b</td></tr></table>',
  'of an item': '<ul><li style="break-after:page">a</li><li>b</li></ul>',
};

it.each(Object.entries(BREAKS))('a forced break that is not made has a warning: %s', async (_, html) => {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const { pages } = pdfInfo(await printOnce(printer, { ...document(`<!doctype html><body>${html}`), warn }));
  expect(warnings.filter((text) => text.includes('ignores forced breaks'))).toHaveLength(2 - pages);
});

it('a forced break with nothing beside it, or on a single page, has no warning', async () => {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const last = document('<p>a</p><div style="float:left;break-after:page">b</div>');
  const first = document('<body><div style="float:left;break-before:page">a</div><p>b');
  const long = document('<p>a</p><div style="float:left;break-before:page">b</div>');
  await printOnce(printer, { ...last, warn });
  await printOnce(printer, { ...first, warn });
  await printOnce(printer, { ...long, warn }, { fitsContent: true });
  expect(warnings).toEqual([]);
});
