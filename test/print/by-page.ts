import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FurnitureByPage, type PageEntry, stampsOf } from '../../packages/print/src/by-page.ts';
import { joined } from '../../packages/print/src/page/pieces.ts';
import { furniturePart } from '../../packages/print/src/page/furniture.ts';
import { prepareDocument } from '../../packages/print/src/page/document.ts';
import type { HtmlPrinter, PrintOptions } from '../../packages/print/src/print.ts';
import { document, PLAIN, printOnce } from '../chrome/engine.ts';
import { pdfCheck, pdfFonts, pdfInfo, pdfRaster, pdfText, type PdfWord, pdfWords } from '../chrome/pdf.ts';
import { FURNITURE } from '../support/furniture.ts';
import type { Start } from './engine.ts';

/** Points of a centimetre. */
const CM = 72 / 2.54;
const A4 = { width: 21 * CM, height: 29.7 * CM };

/** Texts by pages, as engines receive them. */
function entries(place: 'header' | 'footer', texts: Readonly<Record<string, string>>): PageEntry[] {
  return Object.entries(texts).map(([pages, text]) => {
    const pieces = furniturePart(place, text, FURNITURE);
    return { pages, html: pieces && joined(pieces, () => '') };
  });
}

function byPage(
  header: Readonly<Record<string, string>>,
  footer: Readonly<Record<string, string>>,
  firstPageNumber = 1,
): { byPage: FurnitureByPage } {
  return {
    byPage: { header: entries('header', header), footer: entries('footer', footer), firstPageNumber },
  };
}

const pagesOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => `<p style="break-after:page">body${index + 1}</p>`)
    .join('')
    .replace(/break-after:page(?!.*break-after)/s, '');

const NUMBER = '<b>n<span class="pageNumber"></span>of<span class="totalPages"></span></b>';

interface Row {
  name: string;
  count: number;
  header: Readonly<Record<string, string>>;
  footer: Readonly<Record<string, string>>;
  first?: number;
  options?: Partial<PrintOptions>;
  /** The words of the header and of the footer of each printed page; `''`: none. */
  expected: readonly (readonly [string, string])[];
}

/** Each page of a row combines one text for the header with one for the footer. */
const ROWS: readonly Row[] = [
  {
    name: 'all names at once, a range between them',
    count: 6,
    header: { default: 'D', even: 'E', odd: 'O', '2-3': 'R', last: 'L', first: 'F' },
    footer: { default: 'd', even: 'e', '4-': 'r' },
    expected: [
      ['F', 'd'],
      ['R', 'e'],
      ['R', 'd'],
      ['E', 'r'],
      ['O', 'r'],
      ['L', 'r'],
    ],
  },
  {
    name: 'pages without an entry, and another number on the first page',
    count: 5,
    header: { odd: NUMBER, '2': 'two' },
    footer: { last: NUMBER, first: '<i>one</i>' },
    first: 7,
    expected: [
      ['n7of11', 'one'],
      ['two', ''],
      ['n9of11', ''],
      ['', ''],
      ['n11of11', 'n11of11'],
    ],
  },
  {
    name: 'entries of nothing, and the first of two ranges',
    count: 4,
    header: { default: 'D', first: '', '2-3': 'R', '3-4': 'S' },
    footer: { '-2': 'a', last: '' },
    expected: [
      ['', 'a'],
      ['R', 'a'],
      ['R', ''],
      ['S', ''],
    ],
  },
  {
    name: 'one page, which is the first before it is the last',
    count: 1,
    header: { last: 'L', first: 'F', odd: 'O', '1': 'R' },
    footer: { last: 'L', odd: 'O' },
    expected: [['F', 'L']],
  },
  {
    name: 'some pages of a document, which keep their places in it',
    count: 6,
    header: { default: NUMBER, last: 'L', first: 'F' },
    footer: { '3': 'three', odd: 'O' },
    options: { pageRange: '2-3,6' },
    expected: [
      ['n2of6', ''],
      ['n3of6', 'three'],
      ['L', ''],
    ],
  },
  {
    name: 'nothing on page 1',
    count: 3,
    header: { default: 'D', first: 'F' },
    footer: { default: NUMBER },
    options: { skipFurnitureOnFirstPage: true },
    expected: [
      ['', ''],
      ['D', 'n2of3'],
      ['D', 'n3of3'],
    ],
  },
];

/** Tests headers and footers by page (I-50); all engines must pass them. */
export function testFurnitureByPage(
  start: Start,
  lacks: { tags?: boolean; namedPages?: boolean } = {},
): void {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await start());
  });
  afterAll(() => stop());

  describe('headers and footers by page (I-50)', () => {
    it.each(ROWS)('$name', async ({ count, header, footer, first, options, expected }) => {
      const pdf = await printOnce(printer, pagesOf(count), { ...byPage(header, footer, first), ...options });
      pdfCheck(pdf);
      const words = pdfWords(pdf);
      const inMargin = (page: number, isIn: (word: PdfWord) => boolean): string =>
        words
          .filter((word) => word.page === page && isIn(word))
          .map(({ text }) => text)
          .join(' ');
      const found = expected.map((_, index) => [
        inMargin(index + 1, ({ bottom }) => bottom < PLAIN.margins.top * CM),
        inMargin(index + 1, ({ top }) => top > A4.height - PLAIN.margins.bottom * CM),
      ]);
      expect(found).toEqual(expected);
      expect(pdfInfo(pdf).pages).toBe(expected.length);
      // They must be in the area where engines print headers and footers of all pages.
      const furniture = words.filter(({ text }) => !text.startsWith('body'));
      for (const { left, right, top, bottom } of furniture) {
        expect(left).toBeGreaterThan(PLAIN.margins.left * CM - 1);
        expect(right).toBeLessThan(A4.width - PLAIN.margins.right * CM + 1);
        expect(top > A4.height / 2 ? A4.height - bottom : top).toBeGreaterThan(15 + 0.5 * CM - 2);
        expect(top > A4.height / 2 ? A4.height - bottom : top).toBeLessThan(15 + 0.5 * CM + 6);
      }
    });

    it('show images, run no scripts, and are artifacts of a tagged document', async () => {
      const red = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } })
        .png()
        .toBuffer();
      const image = `<img src="data:image/png;base64,${red.toString('base64')}">`;
      const script =
        '<p id="a">static</p><script>document.title="RAN"</script><img src="x" onerror="title=\'RAN\'">';
      const furniture = byPage({ first: 'F' }, { default: script });
      const [first] = furniture.byPage.header;
      const header = [{ pages: 'first', html: `${first?.html ?? ''}${image}` }];
      const pdf = await printOnce(printer, '<title>Kept</title><h1>One</h1>', {
        byPage: { ...furniture.byPage, header },
      });
      const page = await pdfRaster(pdf);
      expect(page.box(([r, g, b]) => r > 200 && g < 60 && b < 60)?.bottom).toBeLessThan(2 * CM);
      expect(pdfText(pdf)).toContain('static');
      if (lacks.tags === true) return;
      expect(pdfInfo(pdf)).toMatchObject({ tagged: true, title: 'Kept' });
    });

    it('name the heading that a page begins under, or begins with', async () => {
      const html = `<p>before</p><h1>One  <i>and</i>
        more</h1><p style="break-after:page">a</p><p>b</p><h2>Two</h2><p>c</p><div style="break-before:page">
        <div><h2>Three</h2></div></div><h3>Under three</h3><p>d</p><p style="break-before:page">e<h4 hidden>Hidden</h4>`;
      const section = 's:<span class="section">x</span>';
      const pdf = await printOnce(printer, html, byPage({ default: section, last: '' }, { last: section }));
      const lines = [1, 2, 3, 4].map((page) => /s:.*/.exec(pdfText(pdf, page))?.[0].trim());
      expect(lines).toEqual(['s:', 's:One and more', 's:Three', 's:Under three']);
      expect(pdfInfo(pdf).pages).toBe(4);
    });

    it('make the body give way where nobody said how large the margin is', async () => {
      const tall = '<div style="height:3cm">tall</div>';
      const furniture = byPage({ default: 'low', '2': tall }, { default: 'low' });
      const top = async (options: Partial<PrintOptions>): Promise<number> =>
        pdfWords(await printOnce(printer, pagesOf(2), { ...furniture, ...options })).find(
          ({ text }) => text === 'body1',
        )?.top ?? 0;
      const html = (list: readonly PageEntry[]): string[] => list.flatMap((entry) => entry.html ?? []);
      const given = await top({});
      const roomy = await top({ roomFor: { top: html(furniture.byPage.header), bottom: [], kept: [] } });
      // 20 px and half a centimetre from the edge, the header itself, and a small distance; not 2 cm.
      expect(roomy - given).toBeGreaterThan(15 + 3.5 * CM - 2 * CM);
      expect(roomy - given).toBeLessThan(15 + 4 * CM - 2 * CM);
      const low = await top({ roomFor: { top: [], bottom: html(furniture.byPage.footer), kept: [] } });
      expect(low).toBeCloseTo(given, 1);
      const huge = { top: ['<div style="height:40cm">x</div>'], bottom: [], kept: [] };
      await expect(top({ roomFor: huge })).rejects.toMatchObject({ code: 'print_failed' });
    });

    it('have a warning if the margins that somebody set have no room for their text', async () => {
      const warned = async (header: string, margin: number): Promise<string[]> => {
        const warnings: string[] = [];
        const source = { ...document(pagesOf(2)), warn: (text: string) => void warnings.push(text) };
        const margins = { top: margin, right: 1, bottom: margin, left: 1 };
        const roomFor = { top: [header], bottom: [header], kept: ['top', 'bottom'] as const };
        await printOnce(printer, source, {
          ...byPage({ default: header }, { default: header }),
          margins,
          roomFor,
        });
        return warnings;
      };
      const lines = '<p style="font:12px/15px Arial;margin:0">1</p>'.repeat(4);
      // 20 px from the edge of the page, and four lines of 15 px, whose letters end a little earlier.
      expect(await warned(lines, 1.5)).toEqual([
        expect.stringMatching(
          /^The header reaches into the text: it needs 2\.[01] cm, and the upper margin is 1\.5 cm\.$/,
        ),
        expect.stringMatching(
          /^The footer reaches into the text: it needs 2\.[01] cm, and the lower margin is 1\.5 cm\.$/,
        ),
      ]);
      expect(await warned(lines, 2.2)).toEqual([]);
      // Room below it is no text.
      expect(await warned(`${lines}<div style="height:3cm"></div>`, 2.2)).toHaveLength(1);
      expect(await warned('<div style="height:5cm"></div>', 1)).toEqual([]);
    });

    it('are set in the fonts that they, or the document for them, bring along, embedded once', async () => {
      const file = 'node_modules/@expo-google-fonts/caladea/400Regular/Caladea_400Regular.ttf';
      const bytes = readFileSync(file);
      const rule = (address: string): string => `@font-face{font-family:Own;src:url("${address}")}`;
      const text = '<p style="font:10pt Own">own<span class="pageNumber"></span></p>';
      const inside = `<style>${rule(`data:font/ttf;base64,${bytes.toString('base64')}`)}</style>${text}`;
      const furnitureFonts = rule(printer.resourceUrl('fonts/own'));
      const beside = {
        ...prepareDocument({ html: pagesOf(3), styles: [furnitureFonts], title: 'T' }),
        resources: new Map([['fonts/own', { contentType: 'font/ttf', bytes }]]),
      };
      for (const pdf of [
        await printOnce(printer, pagesOf(3), { header: inside }),
        await printOnce(printer, beside, {
          footer: text,
          furnitureFonts,
          roomFor: { top: [], bottom: [text], kept: [] },
        }),
      ]) {
        expect(pdfFonts(pdf).filter(({ name }) => name.includes('Caladea'))).toHaveLength(1);
        expect(pdfText(pdf, 3)).toContain('own3');
      }
    });

    if (lacks.namedPages) return;
    it('stand at the edges of pages of any size', async () => {
      const html =
        '<style>@page{size:A5} @page wide{size:20cm 10cm} div{page:wide}</style><p>body1</p><div>body2</div>';
      const pdf = await printOnce(printer, html, byPage({ odd: 'left', even: 'wide' }, { default: NUMBER }));
      const words = pdfWords(pdf);
      const footer = words.find(({ text }) => text === 'n2of2');
      expect(footer?.bottom).toBeGreaterThan(8.5 * CM);
      expect(footer?.bottom).toBeLessThan(10 * CM);
      expect(words.find(({ text }) => text === 'n1of2')?.top).toBeGreaterThan(19 * CM);
    });
  });
}

/** Each variant is drawn once, for any number of pages. */
export const looksOf = (pages: number, texts: Readonly<Record<string, string>>): number =>
  stampsOf(
    byPage(texts, {}).byPage,
    {
      total: pages,
      pages: Array.from({ length: pages }, (_, index) => index + 1),
      sections: [],
      sizes: Array.from({ length: pages }, () => ({ width: 1, height: 1 })),
    },
    false,
  ).length;
