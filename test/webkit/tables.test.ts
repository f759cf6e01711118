import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { document, printOnce } from '../chrome/engine.ts';
import { pdfInfo, pdfText } from '../chrome/pdf.ts';
import { startWebKit } from './engine.ts';

const PAPER = '@page{size:10cm 12cm;margin:1cm}';
const STYLE = `table{border-collapse:collapse;width:100%} td,th{border:1px solid;padding:4px}`;
const HEAD = '<thead><tr><th>HEAD<th>text</thead>';

/** Rows of three lines, each of which names its row. */
function rows(count: number, name = 'R'): string {
  const line = (row: number, number: number): string => `${name}${row}.${number}`;
  return Array.from(
    { length: count },
    (_, row) => `<tr><td>${line(row, 1)}<td>${line(row, 2)}<br>${line(row, 3)}<br>${line(row, 4)}`,
  ).join('');
}

const count = (words: readonly string[] | undefined, word: string): number =>
  words?.filter((each) => each === word).length ?? 0;

describe('a table over several pages, printed by WebKit', () => {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await startWebKit());
  });
  afterAll(() => stop());

  /** The words of each page. */
  async function wordsOf(body: string, style = '', paper = PAPER): Promise<string[][]> {
    const pdf = await printOnce(printer, `<style>${paper}${STYLE}${style}</style>${body}`);
    return Array.from({ length: pdfInfo(pdf).pages }, (_, page) =>
      pdfText(pdf, page + 1)
        .split(/\s+/)
        .filter(Boolean),
    );
  }

  /** The rows whose words are on several pages. */
  function cutRows(pages: readonly (readonly string[])[]): string[] {
    const pagesOf = new Map<string, Set<number>>();
    for (const [page, words] of pages.entries()) {
      for (const [, row = ''] of words.join(' ').matchAll(/\b([A-Z]\d+)\.\d\b/g))
        pagesOf.set(row, (pagesOf.get(row) ?? new Set()).add(page));
    }
    return [...pagesOf].filter(([, on]) => on.size > 1).map(([row]) => row);
  }

  it('is whole behind any number of others', async () => {
    const tables = Array.from({ length: 10 }, (_, n) => `<table>${HEAD}${rows(8, 'ABCDEFGHIJ'[n])}</table>`);
    const pages = await wordsOf(tables.join('<p>x</p>'));
    expect(cutRows(pages)).toEqual([]);
    expect(pages.flat().filter((word) => word.endsWith('.1'))).toHaveLength(80);
  });

  it('has forced breaks between its rows', async () => {
    const pages = await wordsOf(
      `<table>${HEAD}${rows(3).replace('<tr>', '<tr style="break-after:page">')}</table>`,
    );
    expect(pages.map((words) => words.filter((word) => /HEAD|\.1$/.test(word)))).toEqual([
      ['HEAD', 'R0.1'],
      ['HEAD', 'R1.1', 'R2.1'],
    ]);
  });

  it('repeats the head that a script makes', async () => {
    const script = `const t = document.body.appendChild(document.createElement('ta' + 'ble')); t.innerHTML = \`${HEAD}${rows(12)}\``;
    const pages = await wordsOf(`<body><script>${script}</script>`);
    expect(pages.map((words) => count(words, 'HEAD'))).toEqual(pages.map(() => 1));
  });

  it('is on the pages of the table around it, without an empty one', async () => {
    const pages = await wordsOf(`<table><tr><td><table>${HEAD}${rows(20)}</table></table>`);
    expect(cutRows(pages)).toEqual([]);
    for (const words of pages) expect(count(words, 'HEAD')).toBe(1);
  });

  it.each([
    [8, 'body > table'],
    [3, null],
  ])(
    'is cut beside a cell that is higher than a page, which is said in a Warning (%i rows)',
    async (spans, named) => {
      const warnings: string[] = [];
      const connected = rows(8).replace('<td>', `<td rowspan="${spans}">G<td>`);
      const html = `<style>${PAPER}${STYLE}</style><table>${HEAD}${rows(2)}${connected}</table>`;
      await printOnce(printer, { ...document(html), warn: (text) => void warnings.push(text) });
      const expected = `^webkit cuts rows that a cell connects .*: ${named};`;
      expect(warnings).toEqual(named === null ? [] : [expect.stringMatching(new RegExp(expected))]);
    },
  );

  it.each(['', 'body{counter-reset:head}'])(
    'goes on with its counters, and counts no copy of its head (%s)',
    async (style) => {
      const counting = `${style}tbody{counter-reset:row}tbody tr{counter-increment:row}td:first-child::before{content:"n" counter(row) " "}
      th:first-child{counter-increment:head}th:first-child::after{content:" h" counter(head)}`;
      const tables = `<table>${HEAD}${rows(20)}</table><table>${HEAD}${rows(2, 'S')}</table>`;
      const words = (await wordsOf(tables, counting)).flat();
      const numbers = (of: RegExp): string[] => words.filter((word) => of.test(word));
      expect(numbers(/^n\d+$/)).toEqual([...Array(20).keys(), 0, 1].map((row) => `n${row + 1}`));
      const heads = numbers(/^h\d+$/);
      expect(heads.slice(0, -1)).toEqual(heads.slice(0, -1).map(() => 'h1'));
      expect(heads.length).toBeGreaterThan(4);
      expect(heads.at(-1)).toBe(style === '' ? 'h1' : 'h2');
    },
  );

  it('keeps each row on one page, in its order, and repeats header and footer', async () => {
    const foot = '<tfoot><tr><td>FOOT<td>sum</tfoot>';
    const pages = await wordsOf(`<h1>Title</h1><table>${HEAD}${foot}${rows(30)}</table><p>END`);
    expect(pages.length).toBeGreaterThan(4);
    expect(cutRows(pages)).toEqual([]);
    for (const [index, words] of pages.entries()) {
      // The text behind the table may be on a page of its own.
      const expected = words.some((word) => word.startsWith('R')) ? 1 : 0;
      expect(count(words, 'HEAD'), `page ${index + 1}`).toBe(expected);
      expect(count(words, 'FOOT'), `page ${index + 1}`).toBe(expected);
    }
    const first = pages.flat().filter((word) => word.endsWith('.1'));
    expect(first).toEqual(Array.from({ length: 30 }, (_, row) => `R${row}.1`));
    expect(pages.at(-1)).toContain('END');
  });

  // On the paper of the options, positions in the loaded document tell the rows, without another printing.
  it.each([
    ['a heading above it', '<h1>Title</h1>', ''],
    ['text above it that leaves room for its header', '<p style="height:24.5cm">Text', ''],
    ['text above it that leaves no room', '<p style="height:26.2cm">Text', ''],
    ['text of a page and a half above it', '<p style="height:38cm">Text', ''],
    [
      'a table above and one below it',
      `<table>${HEAD}${rows(2, 'A')}</table>`,
      `<table>${rows(2, 'B')}</table>`,
    ],
    ['a long table below it', '', `<table>${HEAD}${rows(40, 'B')}</table>`],
    [
      'a box around it that avoids breaks',
      '<p style="height:9cm">Text<div style="break-inside:avoid">',
      '</div>',
    ],
    [
      'a row that is higher than a page',
      '',
      `<table><tr><td>H.1<td style="height:40cm">high${rows(9, 'B')}</table>`,
    ],
  ])('keeps each row on one page of the paper of the options with %s', async (_, above, below) => {
    const foot = '<tfoot><tr><td>FOOT<td>sum</tfoot>';
    const pages = await wordsOf(`${above}<table>${HEAD}${foot}${rows(50)}</table>${below}<p>END`, '', '');
    expect(cutRows(pages)).toEqual([]);
    const own = pages.filter((words) => words.some((word) => /^R\d/.test(word)));
    expect(own.length).toBeGreaterThan(1);
    for (const words of own) expect(count(words, 'FOOT')).toBe(1);
    const first = pages.flat().filter((word) => /^R\d+\.1$/.test(word));
    expect(first).toEqual(Array.from({ length: 50 }, (_, row) => `R${row}.1`));
  });

  it.each([
    ['by default', ''],
    ['much', 'border-spacing:0 9px;'],
    ['horizontally', 'border-spacing:20px 0;'],
  ])('keeps each row on one page if cells are apart %s', async (_, spacing) => {
    for (const paper of ['', PAPER]) {
      const style = `table{border-collapse:separate;${spacing}}`;
      const foot = '<tfoot><tr><td>FOOT<td>sum</tfoot>';
      const pages = await wordsOf(`<p>Text<table>${HEAD}${foot}${rows(70)}</table>`, style, paper);
      expect(cutRows(pages)).toEqual([]);
      expect(pages.map((words) => [count(words, 'HEAD'), count(words, 'FOOT')])).toEqual(
        pages.map(() => [1, 1]),
      );
    }
  });

  it('begins a long table on the page on which another one ends', async () => {
    const pages = await wordsOf(
      `<table>${HEAD}${rows(20)}</table><table>${HEAD}${rows(40, 'B')}</table>`,
      '',
      '',
    );
    expect(pages.some((words) => words.includes('R19.1') && words.includes('B0.1'))).toBe(true);
    expect(cutRows(pages)).toEqual([]);
  });

  it('does not divide a table that a box around it keeps on one page', async () => {
    const text = '<p style="height:15cm">Text';
    const box = `<div style="break-inside:avoid"><table>${HEAD}${rows(10)}</table></div>`;
    const pages = await wordsOf(text + box, '', '');
    expect(pages.map((words) => count(words, 'HEAD'))).toEqual([0, 1]);
  });

  it('chooses the same rows by nth-child(), first-child and last-child as an undivided one', async () => {
    const style = `tr:nth-child(3n)>td:first-child::after{content:" third"} tbody tr:first-child td::after{content:" first"}
      tr:last-child td::after{content:" last"} tbody tr:nth-child(even)>td:first-child::before{content:"even "}`;
    const words = (await wordsOf(`<table>${HEAD}<tbody>${rows(20)}</table>`, style)).flat();
    const text = words.join(' ');
    const after = (word: string): string[] =>
      [...text.matchAll(new RegExp(`(R\\d+)\\.1 (?:R\\d+\\.2 )?${word}`, 'g'))].map(([, row = '']) => row);
    expect(after('third')).toEqual(['R2', 'R5', 'R8', 'R11', 'R14', 'R17']);
    expect(count(words, 'first')).toBe(2);
    expect(count(words, 'last')).toBe(2);
    expect([...text.matchAll(/even (R\d+)/g)].map(([, row]) => row)).toEqual(
      Array.from({ length: 10 }, (_, index) => `R${2 * index + 1}`),
    );
  });

  it('keeps rows together that a cell connects, and tables one after the other', async () => {
    const pair = (row: number): string =>
      `<tr><td rowspan="2">S${row}.1<td>S${row}.2<br>x<br>x<tr><td>S${row}.3<br>x<br>x`;
    const pairs = Array.from({ length: 12 }, (_, row) => pair(row)).join('');
    const pages = await wordsOf(
      `<table>${HEAD}${pairs}</table><p>between<table>${HEAD}${rows(19)}</table><p>and<table>${HEAD}${rows(19, 'Q')}</table>`,
    );
    expect(cutRows(pages)).toEqual([]);
    expect(pages.flat().filter((word) => /^[RQ]\d+\.1$/.test(word))).toHaveLength(38);
    expect(pages.flat().filter((word) => /^S\d+\.3$/.test(word))).toHaveLength(12);
  });

  it('prints a row that is higher than a page, and a table in a row of another one', async () => {
    const high = Array.from({ length: 60 }, (_, line) => `L${line}`).join('<br>');
    const pages = await wordsOf(`<table>${HEAD}${rows(2)}<tr><td>high<td>${high}${rows(12, 'Q')}</table>`);
    expect(cutRows(pages)).toEqual([]);
    expect(pages.flat().filter((word) => /^L\d+$/.test(word))).toHaveLength(60);
    const inner = await wordsOf(
      `<table><tr><td>top<tr><td><table>${HEAD}${rows(12)}</table><tr><td>foot</table>`,
    );
    expect(cutRows(inner)).toEqual([]);
    expect(inner.flat()).toContain('foot');
  });

  it('is as it was if it fits', async () => {
    const pages = await wordsOf(`<table>${HEAD}${rows(3)}</table>`);
    expect(pages).toHaveLength(1);
    expect(count(pages[0], 'HEAD')).toBe(1);
  });
});
