import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { ALL_AUTHOR_PAGES } from '../../packages/print/src/page-rules.ts';
import { startEngine } from '../chrome/engine.ts';
import { paragraphWith, textIn, valueOf, wordOf } from './support.ts';

/** What html becomes in a docx (docs/rendering.md, "docx and odt of html"). */

let printer: HtmlReader;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ printer, stop } = await startEngine());
});
afterAll(() => stop());

/** Twentieths of a point of A4 between margins of 1 cm. */
const WIDTH = ((210 - 20) / 25.4) * 1440;

const near = (value: string | undefined, wanted: number, within: number): void => {
  expect(Math.abs(Number(value) - wanted), `${value} for ${wanted}`).toBeLessThanOrEqual(within);
};

const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

describe('a docx of html', () => {
  it('has headings that are the word processor’s own, with the look of the document', async () => {
    const { body, part } = await wordOf(
      printer,
      '<style>h1{color:#c00000;font:700 30px Arial}.sub{font-size:20px}</style><h1>One</h1><h2 class="sub">Two</h2><p>Text</p><div role="heading" aria-level="3">Three</div>',
    );
    expect(valueOf(paragraphWith(body, 'One'), 'pStyle')).toBe('Heading1');
    expect(valueOf(paragraphWith(body, 'Two'), 'pStyle')).toBe('Heading2');
    expect(valueOf(paragraphWith(body, 'Three'), 'pStyle')).toBe('Heading3');
    expect(valueOf(paragraphWith(body, 'Text'), 'pStyle')).toBe('Normal');
    const style =
      /<w:style [^>]*w:styleId="Heading1">.*?<\/w:style>/s.exec(part('word/styles.xml'))?.[0] ?? '';
    expect(valueOf(style, 'name')).toBe('heading 1');
    expect(valueOf(style, 'color')).toBe('C00000');
    expect(valueOf(style, 'sz')).toBe('45');
    expect(valueOf(style, 'rFonts', 'ascii')).toBe('Arial');
    expect(valueOf(style, 'outlineLvl')).toBe('0');
  });

  it('has the styles of classes on its text', async () => {
    const { body } = await wordOf(
      printer,
      '<style>.warn{color:rgb(1,2,3);background:#ff0;font-weight:700}.mid{text-align:center;letter-spacing:2px}</style><p class="mid">A <span class="warn">b</span> <s>c</s> <u>d</u> x<sup>2</sup></p>',
    );
    const paragraph = paragraphWith(body, 'A b c d x2');
    expect(valueOf(paragraph, 'jc')).toBe('center');
    const run = /<w:r>(?:(?!<\/w:r>).)*>b<.*?<\/w:r>/.exec(paragraph)?.[0] ?? '';
    expect(run).toContain('<w:b/>');
    expect(valueOf(run, 'color')).toBe('010203');
    expect(valueOf(run, 'shd', 'fill')).toBe('FFFF00');
    expect(paragraph).toContain('<w:strike/>');
    expect(paragraph).toContain('<w:u w:val="single"/>');
    expect(paragraph).toContain('<w:vertAlign w:val="superscript"/>');
  });

  it('keeps blanks as the browser draws them', async () => {
    const { body } = await wordOf(
      printer,
      `<p>one\n   two <b> three</b>\n<i>four</i>${' word'.repeat(60)}</p><pre>a  b\n\tc\n\nd</pre>`,
    );
    expect(textIn(paragraphWith(body, 'one two'))).toBe(`one two three four${' word'.repeat(60)}`);
    expect(textIn(paragraphWith(body, 'a  b'))).toBe('a  b\n\tc\n\nd');
  });

  it('has the text that style sheets add before and behind elements', async () => {
    const style =
      'body{counter-reset:n 6}p{counter-increment:n}p::before{content:"No. " counter(n)}p::after{content:":"}';
    const { body } = await wordOf(printer, `<style>${style}</style><p> of many</p>`);
    expect(textIn(body)).toMatch(/^No\. 7 ?of many:$/);
  });

  it('numbers its lists itself: nested, from another number, with letters', async () => {
    const { body, part } = await wordOf(
      printer,
      '<ol start="5"><li>five</li><li>six<ol type="a"><li>deep</li></ol></li><li>seven</li></ol><ul><li>dot</li></ul><ol><li>again</li></ol>',
    );
    const place = (text: string): [string | undefined, string | undefined] => {
      const paragraph = paragraphWith(body, text);
      return [valueOf(paragraph, 'ilvl'), valueOf(paragraph, 'numId')];
    };
    expect(place('five')).toEqual(['0', '1']);
    expect(place('seven')).toEqual(['0', '1']);
    expect(place('deep')).toEqual(['1', '2']);
    expect(place('again')).toEqual(['0', '4']);
    expect(valueOf(paragraphWith(body, 'five'), 'pStyle')).toBe('ListNumber');
    expect(valueOf(paragraphWith(body, 'dot'), 'pStyle')).toBe('ListBullet');
    const lists = part('word/numbering.xml').match(/<w:abstractNum .*?<\/w:abstractNum>/gs) ?? [];
    expect(lists.map((list) => [valueOf(list, 'start'), valueOf(list, 'numFmt')])).toEqual([
      ['5', 'decimal'],
      ['1', 'lowerLetter'],
      ['0', 'bullet'],
      ['1', 'decimal'],
    ]);
  });

  it('has tables with widths, colours, borders, spans and repeated heads', async () => {
    const { body } = await wordOf(
      printer,
      `<style>body{margin:0}table{width:100%;border-collapse:collapse}td,th{padding:10px 8px;border-bottom:2px solid #00f}
      .a{width:25%}tr.odd{background:#eee}.sum{background:#123456;color:#fff;text-align:right}</style>
      <table><thead><tr><th class="a">Item</th><th>Price</th><th>Sum</th></tr></thead>
      <tr class="odd"><td rowspan="2">Both</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr>
      <tr><td class="sum" colspan="3">Total</td></tr></table>`,
    );
    near(valueOf(body, 'tblW', 'w'), WIDTH, 20);
    near(valueOf(body, 'gridCol', 'w'), WIDTH / 4, 20);
    expect(body.match(/<w:gridCol /g)).toHaveLength(3);
    expect(body.match(/<w:tblHeader\/>/g)).toHaveLength(1);
    const cell = (text: string): string =>
      (body.match(/<w:tc>.*?<\/w:tc>/gs) ?? []).find((one) => textIn(one) === text) ?? '';
    expect(valueOf(cell('1'), 'shd', 'fill')).toBe('EEEEEE');
    expect(valueOf(cell('3'), 'shd', 'fill')).toBeUndefined();
    expect(valueOf(cell('Total'), 'shd', 'fill')).toBe('123456');
    expect(valueOf(cell('Total'), 'gridSpan')).toBe('3');
    expect(valueOf(cell('Total'), 'jc')).toBe('right');
    expect(cell('Both')).toContain('<w:vMerge w:val="restart"/>');
    expect(body.match(/<w:vMerge\/>/g)).toHaveLength(1);
    const border = /<w:tcBorders>.*?<w:bottom ([^>]*)>/s.exec(cell('4'))?.[1] ?? '';
    expect(border).toContain('w:color="0000FF"');
    expect(border).toContain('w:sz="12"');
    expect(/<w:tcMar><w:top w:w="(\d+)"/.exec(cell('4'))?.[1]).toBe('150');
  });

  it('puts elements side by side into the cells of a table', async () => {
    const { body } = await wordOf(
      printer,
      '<style>.r{display:flex;justify-content:space-between}.f{float:right;width:30%}</style><div class="r"><div>From</div><div>To</div></div><p class="f">Aside</p><p style="width:60%">Main</p>',
    );
    const tables = body.match(/<w:tbl>.*?<\/w:tbl>/gs) ?? [];
    expect(
      tables.map((table) => (table.match(/<w:tc>.*?<\/w:tc>/gs) ?? []).map(textIn).filter(Boolean)),
    ).toEqual([
      ['From', 'To'],
      ['Main', 'Aside'],
    ]);
  });

  it('shows pictures in their size, with their descriptions, and drawings and canvases too', async () => {
    const { body, part } = await wordOf(
      printer,
      `<p><img src="${DOT}" width="96" height="48" alt="A &quot;dot&quot;"></p><svg width="20" height="10"><rect width="20" height="10" fill="red"/><text y="9">Label</text></svg>
      <canvas id="c" width="30" height="30"></canvas><script>c.getContext('2d').fillRect(0,0,30,30)</script>`,
    );
    const extents = Array.from(body.matchAll(/<wp:extent cx="(\d+)" cy="(\d+)"/g), ([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    expect(extents).toEqual([
      [914_400, 457_200],
      [190_500, 95_250],
      [285_750, 285_750],
    ]);
    expect(body).toContain('descr="A &quot;dot&quot;"');
    expect(body).not.toContain('Label');
    expect(part('word/_rels/document.xml.rels').match(/media\/image\d\.png/g)).toHaveLength(3);
  });

  it('shows a drawing of boxes as one picture, and words as words', async () => {
    // Bars of shadows with digits of style sheets, bars of coloured boxes, a gradient; a card with a shadow stays text.
    const bars =
      '<i style="display:inline-block;width:2px;height:40px;background:#000;margin-right:2px"></i>';
    const shadows = [2, 6, 12].map((x) => `${x}px 0 #404040`).join(',');
    const { body } = await wordOf(
      printer,
      `<style>.code{display:table;margin:0;padding:0}.code li{display:table-cell;position:relative;width:20px;height:60px;overflow:hidden}
      .code li::before{content:"";position:absolute;left:-2px;top:0;bottom:20px;width:2px;box-shadow:${shadows}}
      .code li::after{content:"7";position:absolute;bottom:0}.card{box-shadow:2px 2px #ccc,0 4px #ddd;background:linear-gradient(red,blue)}</style>
      <h1>Label</h1><ul class="code">${'<li></li>'.repeat(12)}</ul><div style="width:200px">${bars.repeat(40)}</div>
      <div style="height:10px;background:repeating-linear-gradient(90deg,red 0 2px,blue 2px 5px)"></div><div class="card">Words</div>`,
    );
    const widths = Array.from(body.matchAll(/<wp:extent cx="(\d+)"/g), ([, x]) =>
      Math.round(Number(x) / 9525),
    );
    expect(widths).toEqual([240, 200, Math.round((190 / 25.4) * 96 - 16)]);
    expect(body).not.toContain('>7<');
    expect(textIn(body)).toContain('Words');
  });

  it('keeps text in tables without rows, and in rows and cells that CSS made blocks of', async () => {
    const { body } = await wordOf(
      printer,
      `<style>.table{display:table;width:100%}.cell{display:table-cell}.row{display:table-row}.group{display:table-row-group}
      .blocks tr,.blocks td{display:block}</style>
      <div class="table"><div class="cell">Hours</div><div class="cell">Twelve</div></div>
      <div class="table"><div class="row">Right in a row</div></div>
      <div class="table">Right in a table<p>A block</p></div>
      <div class="table"><div class="group"><p>In a group</p></div></div>
      <table class="blocks"><tr><td>First</td><td>Second</td></tr></table>`,
    );
    const words = textIn(body);
    const wanted = ['Hours', 'Twelve', 'Right in a row', 'Right in a table', 'A block', 'In a group'];
    for (const text of [...wanted, 'First', 'Second']) expect(words.split(text), text).toHaveLength(2);
    const row = /<w:tr>(?:(?!<\/w:tr>).)*Hours.*?<\/w:tr>/s.exec(body)?.[0] ?? '';
    expect(textIn(row)).toBe('HoursTwelve');
  });

  it('puts the text of a flex box where that has it', async () => {
    const { body } = await wordOf(
      printer,
      `<style>div{display:flex;width:300px;border:1px solid #000}</style><div style="justify-content:center">Middle</div>
      <div style="justify-content:flex-end">End</div><div>Start</div>`,
    );
    const align = (text: string): string | undefined => valueOf(paragraphWith(body, text), 'jc');
    expect([align('Middle'), align('End'), align('Start')]).toEqual(['center', 'right', 'left']);
  });

  it('gives text no size that is seen to be larger than in the browser', async () => {
    const sizes = [11, 13, 14.4, 15.2, 16].map((size) => `<p style="font-size:${size}px">size ${size};</p>`);
    const { body } = await wordOf(
      printer,
      `${sizes.join('')}<p>${'The style of paragraphs has this size. '.repeat(9)}`,
    );
    const written = [11, 13, 14.4, 15.2].map((size) =>
      valueOf(paragraphWith(body, `size ${size};`).replace(/<w:pPr>.*?<\/w:pPr>/s, ''), 'sz'),
    );
    expect(written).toEqual(['16', '19', '21', '23']);
  });

  it('gives a line with a background the width of its padding', async () => {
    const { body } = await wordOf(
      printer,
      '<style>body{margin:0}p{width:200px;padding:4px 10px;background:#fea;margin:0}</style><p>Analytics</p>',
    );
    const paragraph = paragraphWith(body, 'Analytics');
    // 220 pixels of the page's width, of which 10 are padding at the left and 6 at the right.
    near(valueOf(paragraph, 'ind', 'right'), WIDTH - 214 * 15, 20);
    expect(valueOf(paragraph, 'right', 'space')).toBe('4');
  });

  it('places nothing outside of the paper', async () => {
    const { body } = await wordOf(
      printer,
      '<style>body{margin:0}.far{margin:0 0 0 -300px;background:#eee;width:400px}</style><p>One</p><div class="far"><p>Two</p><p>Three</p></div>',
    );
    near(valueOf(body, 'tblInd', 'w'), (-1440 / 2.54) * 1, 3);
  });

  it('does not tear joined letters apart', async () => {
    const { body } = await wordOf(
      printer,
      '<p style="letter-spacing:2px">المهارات</p><p style="letter-spacing:2px">Skills</p>',
    );
    expect(valueOf(paragraphWith(body, 'المهارات').replace(/<w:pPr>.*?<\/w:pPr>/s, ''), 'spacing')).not.toBe(
      '30',
    );
    expect(paragraphWith(body, 'Skills')).toContain('<w:spacing w:val="30"/>');
  });

  it('fits tables and pictures into the page that are wider than its text', async () => {
    const { body } = await wordOf(
      printer,
      `<style>body{margin:0}td{white-space:nowrap;padding:0}</style><img src="${DOT}" width="1436" height="100" alt="">
      <table style="width:1436px"><tr><td style="width:50%">One</td><td><img src="${DOT}" width="718" height="10" alt=""></td></tr></table>`,
    );
    const room = (WIDTH / 1440) * 914_400;
    const extents = Array.from(body.matchAll(/<wp:extent cx="(\d+)" cy="(\d+)"/g));
    const [wide, inside] = extents.map(([, x, y]) => [Number(x), Number(y)] as const);
    near(String(wide?.[0]), room, 9525 * 2);
    near(String(wide?.[1]), room * (100 / 1436), 9525);
    near(String(inside?.[0]), room / 2, 9525 * 4);
    const columns = Array.from(body.matchAll(/<w:gridCol w:w="(\d+)"/g), ([, width]) => Number(width));
    near(String(columns.reduce((all, width) => all + width, 0)), WIDTH, 40);
  });

  it('gives a line at the edge the space beside it, so that it stays one line in other fonts', async () => {
    const line = (dir: string): string =>
      `<body dir="${dir}" style="margin:0"><div style="display:flex;justify-content:space-between"><span>Title</span><span>22 November 2026</span></div>`;
    for (const dir of ['ltr', 'rtl']) {
      const { body } = await wordOf(printer, line(dir));
      const date = /<w:tc>(?:(?!<\/w:tc>).)*22 November 2026/s.exec(body)?.[0] ?? '';
      const cell = date.slice(date.lastIndexOf('<w:tc>'));
      expect(Number(valueOf(cell, 'tcW', 'w')), dir).toBeGreaterThan(WIDTH * 0.4);
      // The end of the line, which in a paragraph from right to left is at the left.
      expect(valueOf(cell, 'jc'), dir).toBe('right');
    }
  });

  it('leaves out elements over the page that are visible only under a pointer', async () => {
    const { body } = await wordOf(
      printer,
      '<p>Seen<div style="position:absolute;opacity:0;border:1px solid"><p>Menu<b>Entry</b></div><p style="opacity:0.5">Pale',
    );
    expect(textIn(body)).toBe('SeenPale');
    expect(body).not.toContain('<w:tbl>');
  });

  it('distinguishes decorative pictures from those without a description', async () => {
    const { body } = await wordOf(
      printer,
      `<p><img src="${DOT}" alt="" width="9" height="9"><img src="${DOT}" width="9" height="9"></p>`,
    );
    const [decoration = '', unknown = ''] = body.match(/<wp:docPr[^]*?<\/wp:docPr>/g) ?? [];
    expect(decoration).toMatch(/<adec:decorative [^<>]*val="1"\/>/);
    expect(unknown).not.toContain('decorative');
  });

  it('begins new pages where the document does', async () => {
    const { body } = await wordOf(
      printer,
      '<style>.new{break-before:page}section{page-break-after:always}</style><p>One</p><h2 class="new">Two</h2><section><p>Three</p></section><table class="new"><tr><td>Four</td></tr></table>',
    );
    const at = (text: string): number => body.indexOf(`>${text}<`);
    const breaks = Array.from(body.matchAll(/<w:pageBreakBefore\/>/g), ({ index }) => index);
    expect(breaks).toHaveLength(2);
    expect(breaks[0]).toBeGreaterThan(at('One'));
    expect(breaks[0]).toBeLessThan(at('Two'));
    expect(breaks[1]).toBeGreaterThan(at('Three'));
    expect(breaks[1]).toBeLessThan(at('Four'));
  });

  it('has the sheet of @page, each length unless an option sets it, and warns of rules for PDF only', async () => {
    const css = '@page{size:A6 landscape;margin:15mm 1in 2cm 5mm}';
    const sheetOfWord = async (
      style: string,
      options = {},
    ): Promise<{ sheet: string; warnings: string[] }> => {
      const warnings: string[] = [];
      const html = `<style>${style}</style><p style="background:#ff0">x</p><table width="100%"><tr><td>y</table>`;
      const { body } = await wordOf(printer, html, options, (text) => warnings.push(text));
      const numbers =
        /<w:pgSz w:w="(\d+)" w:h="(\d+)".*?w:top="(\d+)" w:right="(\d+)" w:bottom="(\d+)" w:left="(\d+)"/s;
      return { sheet: numbers.exec(body)?.slice(1).join() ?? '', warnings };
    };
    // Without the margins that the body adds by itself.
    const bare = `${css}body{margin:0}`;
    expect(await sheetOfWord(bare)).toEqual({ sheet: '8391,5953,850,1440,1134,283', warnings: [] });
    const margins = { top: 1, right: 1, bottom: 1, left: 1 };
    const author = { ...ALL_AUTHOR_PAGES, margins: { top: true, right: false, bottom: true, left: false } };
    expect((await sheetOfWord(bare, { author, margins })).sheet).toBe('8391,5953,850,567,1134,567');
    expect((await sheetOfWord(bare, { author: null })).sheet).toBe('11906,16838,1134,567,1134,567');
    const { warnings } = await sheetOfWord(`${css}@page :first{margin:0;@top-left{content:"x"}}`);
    expect(warnings.map((text) => text.split(' ')[0])).toEqual(['Boxes', 'Sizes']);
  });

  it('has the paper, the margins and the scale that were asked for', async () => {
    const { body, part } = await wordOf(
      printer,
      '<body style="margin:0"><p style="font-size:20px">Text</p>',
      {
        paper: 'A5',
        landscape: true,
        margins: { top: 3, right: 2, bottom: 1, left: 4 },
        scale: 0.5,
      },
    );
    expect(/<w:pgSz ([^>]*)\/>/.exec(body)?.[1]).toBe('w:w="11906" w:h="8391" w:orient="landscape"');
    expect(/<w:pgMar ([^>]*) w:header/.exec(body)?.[1]).toBe(
      'w:top="1701" w:right="1134" w:bottom="567" w:left="2268"',
    );
    expect(valueOf(part('word/styles.xml'), 'sz')).toBe('15');
  });

  it('links to where the document does, and to places in itself', async () => {
    const { body, part } = await wordOf(
      printer,
      '<a href="https://example.com/?a=1&amp;b=2">out</a> <a href="#part%20two">in</a> <a href="javascript:alert(1)">none</a> <a href="&#1; java&#9;scr&#10;ipt:alert(1)">nor this</a><h2 id="part two">Two</h2>',
    );
    expect(part('word/_rels/document.xml.rels')).toContain(
      'Target="https://example.com/?a=1&amp;b=2" TargetMode="External"',
    );
    const anchor = valueOf(body, 'hyperlink', 'anchor');
    expect(anchor).toBeDefined();
    expect(paragraphWith(body, 'Two')).toContain(`w:name="${anchor}"`);
    expect(body.match(/<w:hyperlink /g)).toHaveLength(2);
  });

  it('runs from right to left where the document does', async () => {
    const { body } = await wordOf(
      printer,
      '<html lang="ar" dir="rtl"><p>مرحبا</p><table><tr><td>أول</td><td>ثان</td></tr></table>',
    );
    const paragraph = paragraphWith(body, 'مرحبا');
    expect(paragraph).toContain('<w:bidi/>');
    expect(paragraph).toContain('<w:rtl/>');
    expect(body).toContain('<w:bidiVisual/>');
    expect((body.match(/<w:tc>.*?<\/w:tc>/gs) ?? []).map(textIn)).toEqual(['أول', 'ثان']);
  });

  it('gives columns from right to left the width of their space', async () => {
    const { body } = await wordOf(
      printer,
      `<style>body{margin:0}ul{display:flex;gap:8px;margin:0;padding:0;list-style:none}li{background:#eff;width:90px}</style>
      <html lang="ar" dir="rtl"><ul><li>أول</li><li>ثان</li></ul>`,
    );
    const columns = Array.from(body.matchAll(/<w:gridCol w:w="(\d+)"/g), ([, width]) => Number(width));
    expect(columns).toHaveLength(4);
    near(String(columns.reduce((all, width) => all + width, 0)), WIDTH, 20);
    near(String(columns[0]), 90 * 15, 20);
    expect(valueOf(body, 'tblInd', 'w')).toBe('0');
  });

  it('depends only on the document', async () => {
    const html = '<h1>One</h1><table><tr><td>x</td></tr></table><ol><li>a</li></ol>';
    const first = await wordOf(printer, html);
    await wordOf(printer, '<p lang="ja">日本語</p>');
    const second = await wordOf(printer, html);
    expect(second.bytes.equals(first.bytes)).toBe(true);
  });
});

describe('hostile html', () => {
  const row = '<tr><td>x</td><td>y</td></tr>';

  it.each([
    ['nested without end', '<div style="border:1px solid">'.repeat(5_000) + 'end'],
    ['with tables in tables', '<table><tr><td>'.repeat(60) + 'end'],
    ['with side by side in side by side', '<div style="display:flex"><p>a</p>'.repeat(200) + 'end'],
    [
      'with cells over all others',
      `<table>${'<tr><td rowspan=9999 colspan=1000>x</td></tr>'.repeat(800)}</table>end`,
    ],
    ['with a long table', `<table>${row.repeat(3_000)}</table>end`],
    [
      'nested by a script',
      '<div id="a"></div><script>let d=a;for(let i=0;i<1500;i++)d=d.appendChild(document.createElement("div"));d.textContent="end"</script>',
    ],
  ])('%s becomes a docx', async (_, html) => {
    const { body } = await wordOf(printer, html);
    expect(textIn(body)).toContain('end');
    // As deep as LibreOffice reads it in a second.
    let depth = 0;
    let deepest = 0;
    for (const [tag] of body.matchAll(/<w:tbl>|<\/w:tbl>/g)) {
      depth += tag === '<w:tbl>' ? 1 : -1;
      deepest = Math.max(deepest, depth);
    }
    expect(deepest).toBeLessThanOrEqual(11);
  });

  it('is refused if it has too many elements', async () => {
    await expect(wordOf(printer, `<div hidden>${'<i></i>'.repeat(60_000)}`)).rejects.toMatchObject({
      code: 'document_too_large',
    });
  });
});
