import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfWords } from '../chrome/pdf.ts';
import { docx, p } from '../office/build.ts';
import { odfWith } from './documents.ts';
import { pdfText, printed, startOffice, type TestOffice } from './support.ts';

/** Tables of texts of which LibreOffice 7.4 would leave out rows, lines or columns. */

let started: TestOffice;
beforeAll(() => {
  started = startOffice();
});
afterAll(() => started.close());

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `item${i}`);
const itemsIn = (text: string): string[] => text.match(/item\d+/g) ?? [];

describe('a row that may not split, below a heading that repeats, has all of its lines', () => {
  const cell = (content: string): string => `<w:tc><w:tcPr><w:tcW w:w="3000"/></w:tcPr>${content}</w:tc>`;
  const row = (properties: string, ...cells: string[]): string =>
    `<w:tr><w:trPr>${properties}</w:trPr>${cells.join('')}</w:tr>`;
  const table = (heading: number, ...rows: string[]): string =>
    `<w:tbl><w:tblPr><w:tblW w:w="6000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>${row(`<w:tblHeader/><w:trHeight w:val="${heading}"/>`, cell(p('Head')), cell(p('Head')))}${rows.join('')}</w:tbl>`;

  it.each([
    ['the page less the heading', 5670, 45],
    ['the page less a low heading', 1985, 52],
    ['the page', 5670, 140],
  ])('higher than %s, in docx', async (_, heading, count) => {
    const long = row(
      '<w:cantSplit/>',
      cell(p('short')),
      cell(
        numbered(count)
          .map((one) => p(one))
          .join(''),
      ),
    );
    const short = row('<w:cantSplit/>', cell(p('last')), cell(p('last')));
    const { pdf } = await printed(started, await docx(table(heading, short, long, short) + p('after')));
    expect(itemsIn(pdfText(pdf))).toEqual(numbered(count));
  });

  it('higher than the page less the heading, in odt', async () => {
    const styles =
      '<style:style style:name="R" style:family="table-row"><style:table-row-properties fo:keep-together="always"/></style:style>' +
      '<style:style style:name="H" style:family="table-row"><style:table-row-properties style:row-height="10cm"/></style:style>';
    const odfRow = (style: string, lines: readonly string[]): string =>
      `<table:table-row table:style-name="${style}"><table:table-cell>${lines.map((line) => `<text:p>${line}</text:p>`).join('')}</table:table-cell></table:table-row>`;
    const body = `<table:table table:name="T"><table:table-column/><table:table-header-rows>${odfRow('H', ['Head'])}</table:table-header-rows>${odfRow('R', numbered(45))}</table:table><text:p>after</text:p>`;
    const { pdf } = await printed(started, await odfWith('odt', body, styles), 'odt');
    expect(itemsIn(pdfText(pdf))).toEqual(numbered(45));
  });

  it('while rows that fit stay whole', async () => {
    const rows = Array.from({ length: 15 }, (_, i) =>
      row('<w:cantSplit/>', cell(Array.from({ length: 6 }, () => p(`item${i}`)).join('')), cell(p('x'))),
    );
    const { pdf } = await printed(started, await docx(table(300, ...rows)));
    const pages = pdfText(pdf).split('\f').slice(0, -1);
    expect(pages).toHaveLength(2);
    const shown = pages.map((page) => new Set(itemsIn(page)));
    expect([...(shown[0] ?? [])].filter((one) => shown[1]?.has(one))).toEqual([]);
  });
});

describe('a floating table', () => {
  const floating = (count: number, place: string, width = 3000): string =>
    `<w:tbl><w:tblPr><w:tblpPr w:leftFromText="141" w:rightFromText="141" w:vertAnchor="text" w:horzAnchor="margin" ${place}/><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol w:w="${width}"/></w:tblGrid>${numbered(
      count,
    )
      .map(
        (one) => `<w:tr><w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr>${p(one)}</w:tc></w:tr>`,
      )
      .join('')}</w:tbl>`;
  const beside = (text: string): string[] => [
    `Tables with text around them that may be longer than their page are printed without text beside them: "${text}".`,
  ];

  it('that is longer than its page goes on on the next one, at its side, and a warning names it', async () => {
    const { pdf, warnings } = await printed(
      started,
      await docx(p('before') + floating(100, 'w:tblpXSpec="right" w:tblpY="100"') + p('after')),
    );
    const words = pdfWords(pdf);
    expect(itemsIn(words.map(({ text }) => text).join(' '))).toEqual(numbered(100));
    // The text is 451 points wide and the table 150; the margin is 72 points.
    expect(words.find(({ text }) => text === 'item0')?.left).toBeGreaterThan(360);
    expect(warnings).toEqual(beside('item0'));
  });

  it('that begins in the middle of a page covers no text', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => p(`line${i}`)).join('');
    const { pdf } = await printed(
      started,
      await docx(lines + floating(30, 'w:tblpX="1" w:tblpY="1"') + p('after')),
    );
    const [first = ''] = pdfText(pdf).split('\f');
    expect(first).not.toMatch(/line\d+.*item/);
    expect(itemsIn(pdfText(pdf))).toEqual(numbered(30));
  });

  it('as wide as the text needs no warning, and a short one stays beside the text', async () => {
    const wide = await printed(started, await docx(floating(100, 'w:tblpY="1"', 9000) + p('after')));
    expect(itemsIn(pdfText(wide.pdf))).toEqual(numbered(100));
    const short = await printed(
      started,
      await docx(floating(3, 'w:tblpXSpec="right" w:tblpY="1"') + p('beside')),
    );
    expect(pdfText(short.pdf)).toMatch(/beside +item0/);
    expect([...wide.warnings, ...short.warnings]).toEqual([]);
  });
});

describe('a table without widths in its grid', () => {
  const grid = '<w:tblGrid><w:gridCol w:w="100"/><w:gridCol w:w="100"/></w:tblGrid>';
  const cell = (width: string, text: string): string =>
    `<w:tc>${width === '' ? '' : `<w:tcPr><w:tcW ${width}/></w:tcPr>`}${p(text)}</w:tc>`;
  const table = (measure: string, columns: string, widths: readonly string[]): string =>
    `<w:tbl><w:tblPr><w:tblW ${measure}/></w:tblPr>${columns}<w:tr>${widths.map((width, i) => cell(width, `cell${i} with text`)).join('')}</w:tr></w:tbl>`;

  it.each([
    ['nothing, as docx.js writes it', table('w:type="auto" w:w="100"', grid, ['', '']), 0.5 * 9026],
    [
      'widths of cells',
      table('w:type="auto" w:w="100"', grid, ['w:type="dxa" w:w="2500"', 'w:type="dxa" w:w="5500"']),
      2500,
    ],
    [
      'parts of cells',
      table('w:type="pct" w:w="100%"', grid, ['w:type="pct" w:w="20%"', 'w:type="pct" w:w="80%"']),
      0.2 * 9026,
    ],
    ['no column, as pandoc writes it', table('w:type="pct" w:w="0.0"', '<w:tblGrid/>', ['', '']), 0.5 * 9026],
  ])('has columns all the same: %s', async (_, body, expected) => {
    const { pdf, warnings } = await printed(started, await docx(body + p('after')));
    const [first, second] = ['cell0', 'cell1'].map((text) => pdfWords(pdf).find((one) => one.text === text));
    expect(((second?.left ?? 0) - (first?.left ?? 0)) * 20).toBeCloseTo(expected, -2);
    expect(warnings).toEqual([]);
  });
});
