import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { printOnce, startEngine } from './engine.ts';
import { pdfCheck, pdfInfo, pdfOutline } from './pdf.ts';

/** Titles of the outline are those of the headings (I-20), not what their glyphs spell. */

let printer: HtmlReader;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ printer, stop } = await startEngine());
});
afterAll(() => stop());

const SHADOW = 'text-shadow:1px 1px 2px red,2px 2px blue';
const STROKE = '-webkit-text-stroke:1px red';

it.each<[string, string, string[]]>([
  [
    'lines',
    '<h1 style="width:6em">Annual results of the northern and southern regions</h1>',
    ['Annual results of the northern and southern regions'],
  ],
  ['a break', '<h1>Report<br>2031</h1>', ['Report 2031']],
  [
    'blocks',
    '<h1><span style="display:block">Title</span><span style="display:block">Subtitle</span></h1>',
    ['Title Subtitle'],
  ],
  ['a soft hyphen', '<h1>Lebens&shy;versicherung</h1>', ['Lebensversicherung']],
  [
    'hyphenated lines',
    '<h1 style="width:9em">Donaudampfschiff&shy;fahrtsgesellschaft Kapitäns&shy;mütze</h1>',
    ['Donaudampfschifffahrtsgesellschaft Kapitänsmütze'],
  ],
  [
    'joiners, and spaces that have no width',
    '<h1>خانه&zwnj;ها</h1><h2>Women 👩&zwj;🔬</h2><h2>A&#8206;B C&#8203;D&#8288;E</h2>',
    ['خانه\u200cها', '\tWomen 👩\u200d🔬', '\tA\u200eB CDE'],
  ],
  ['shadows', `<h1 style="${SHADOW}">Shadow of a (word)</h1>`, ['Shadow of a (word)']],
  [
    'strokes over lines',
    `<h1 style="${STROKE};width:6em">A wrapped heading of several words</h1>`,
    ['A wrapped heading of several words'],
  ],
  ['Arabic', '<h1 dir="rtl">التقرير السنوي 12 العام</h1>', ['التقرير السنوي 12 العام']],
  ['Hebrew with numbers', '<h1 dir="rtl">פרק 3: מבוא</h1>', ['פרק 3: מבוא']],
  [
    'levels and equal texts',
    `<h1 style="${SHADOW}">A</h1><h2>B</h2><h2 style="${SHADOW}">A</h2><h1 hidden>A</h1><h1>B</h1>`,
    ['A', '\tB', '\tA', 'B'],
  ],
])('from %s', async (_, html, titles) => {
  const pdf = await printOnce(printer, `<html lang="en">${html}<p>text`, { tagged: true, outline: true });
  expect(pdfOutline(pdf)).toEqual(titles);
  pdfCheck(pdf);
});

it('of a document of many pages, whose title and other strings stay', async () => {
  const html = Array.from(
    { length: 120 },
    (_, n) => `<h2 style="${SHADOW};break-before:page">Part<br>${n}</h2>`,
  );
  const pdf = await printOnce(printer, `<html lang="en"><title>(A) title</title>${html.join('')}`, {
    tagged: true,
    outline: true,
  });
  expect(pdfOutline(pdf)).toEqual(html.map((_, n) => `Part ${n}`));
  expect(pdfInfo(pdf)).toMatchObject({ title: '(A) title', pages: 120 });
  pdfCheck(pdf);
});
