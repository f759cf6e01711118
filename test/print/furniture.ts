import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FurnitureInput } from '../../packages/print/src/page/furniture.ts';
import type { HtmlPrinter, HtmlResource } from '../../packages/print/src/print.ts';
import { PLAIN, printOnce } from '../chrome/engine.ts';
import { FURNITURE, furnitureHtml } from '../support/furniture.ts';
import type { Start } from './engine.ts';
import { pdfCheck, pdfFonts, pdfInfo, pdfRaster, pdfText } from '../chrome/pdf.ts';

const TWO_PAGES =
  '<h1>Body one</h1><p><a href="https://example.com/">link</a></p><h2 style="break-before:page">Body two</h2>';
const DATES = {
  en_US: 'November 21, 2026',
  en_GB: '21 November 2026',
  zh_CN: '2026年11月21日',
  ja_JP: '2026年11月21日',
  fr_FR: '21 novembre 2026',
  de_DE: '21. November 2026',
  es_ES: '21 de noviembre de 2026',
  pt_BR: '21 de novembro de 2026',
  ru_RU: '21 ноября 2026',
  ar_EG: '٢١ نوفمبر ٢٠٢٦',
  hi_IN: '21 नवंबर 2026',
  it_IT: '21 novembre 2026',
  de_AT: '21. November 2026',
  pl_PL: '21 listopada 2026',
};
const LOCALES = Object.keys(DATES) as (keyof typeof DATES)[];

function furniture(
  given: Partial<FurnitureInput> = {},
  images: ReadonlyMap<string, HtmlResource> = new Map(),
): {
  header: string | null;
  footer: string | null;
} {
  return furnitureHtml({ ...FURNITURE, ...given }, images);
}

/** The shaping of a text by the fonts: two scripts without glyphs would look the same, as boxes. */
const letters = (text: string): string => text.normalize('NFKC').replace(/[\s\u200e\u200f]/g, '');

/** Features that an engine does not support; `docs/rendering.md` lists them. */
export interface Lacks {
  tagsAndLinks?: boolean;
  /** Text of scripts whose letters join is drawn correctly, but not all of it can be copied. */
  joinedText?: boolean;
}

/** Tests headers, footers, and text of all scripts; all engines must pass them. */
export function testFurniture(start: Start, lacks: Lacks = {}): void {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await start());
  });
  afterAll(() => stop());

  describe('the default header and footer (I-20)', () => {
    it.each(LOCALES)('show the date in %s, with a font that has its letters', async (locale) => {
      const pdf = await printOnce(printer, TWO_PAGES, furniture({ locale }));
      const text = letters(pdfText(pdf, 2));
      // pdftotext returns right-to-left text in reading or drawing order, and with directional marks.
      const arabic = lacks.joinedText === true ? '٢٠٢٦' : 'نوفمبر';
      const expected = locale === 'ar_EG' ? arabic : letters(DATES[locale]);
      expect(text).toContain(expected);
      expect(pdfFonts(pdf).every(({ embedded }) => embedded)).toBe(true);
    });

    it('show title, page number and total, on every page, inside the margins of the page', async () => {
      const pdf = await printOnce(printer, TWO_PAGES, furniture());
      for (const page of [1, 2]) {
        expect(pdfText(pdf, page)).toContain('The title');
        expect(letters(pdfText(pdf, page))).toContain(`${page}/2`);
      }
      const box = (await pdfRaster(pdf, 2, 72)).box(([r]) => r < 200);
      const centimetre = 72 / 2.54;
      expect(box?.left).toBeGreaterThan(PLAIN.margins.left * centimetre - 2);
      expect(box?.right).toBeLessThan((21 - PLAIN.margins.right) * centimetre + 2);
      expect(box?.top).toBeLessThan(PLAIN.margins.top * centimetre);
      expect(box?.bottom).toBeGreaterThan((29.7 - PLAIN.margins.bottom) * centimetre);
    });

    it.each([
      ['title', 'The title'],
      ['date', '2026'],
      ['pageNumber', '/2'],
    ] as const)('leave the %s out when it is switched off', async (part, text) => {
      const show = { title: true, date: true, pageNumber: true, [part]: false };
      expect(letters(pdfText(await printOnce(printer, TWO_PAGES, furniture({ show }))))).not.toContain(
        letters(text),
      );
    });

    it.each([
      ['the default header', null, /^The list of 7 & 8\s/],
      ['a class of a custom one', '<b>About <i class="title"></i></b>', /^About The list of 7 & 8\s/],
    ])('show the title that a script gives the document: %s', async (_, header, expected) => {
      const html = `<title>The title</title><p>x<script>document.title = 'The  list of 7 & 8'</script>`;
      const pdf = await printOnce(printer, html, furniture({ header }));
      expect(pdfText(pdf, 1).trim()).toMatch(expected);
      expect(letters(pdfText(pdf, 1))).toContain('1/1');
      expect(pdfInfo(pdf).title).toBe('The list of 7 & 8');
    });

    it('are none when all parts are switched off', () => {
      const show = { title: false, date: false, pageNumber: false };
      expect(furniture({ show })).toEqual({ header: null, footer: null });
    });
  });

  describe('a custom header or footer (I-20)', () => {
    it('shows html without styles in readable size, with the classes filled in', async () => {
      const header =
        '<b class="title">x</b>, <span class="date"></span>, <i class="url"></i>; <u>sheet <span class="pageNumber"></span> of <span class="totalPages"></span></u>';
      const built = furniture({ header, locale: 'fr_FR', url: 'https://example.com/page' });
      const pdf = await printOnce(printer, TWO_PAGES, built);
      expect(pdfText(pdf, 2)).toContain(
        'The title, 21 novembre 2026, https://example.com/page; sheet 2 of 2',
      );
      // The default footer is still printed.
      expect(letters(pdfText(pdf, 2))).toContain('2/2');
    });

    it('shows an image of the template, written as <image> or <img>', async () => {
      const red = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#f00' } })
        .png()
        .toBuffer();
      const address = printer.resourceUrl('images/logo');
      const images = new Map([[address, { contentType: 'image/png', bytes: red }]]);
      for (const tag of ['image', 'img']) {
        const built = furniture({ header: `<${tag} src="${address}">` }, images);
        const page = await pdfRaster(await printOnce(printer, '<p>x', built));
        expect(page.box(([r, g, b]) => r > 200 && g < 60 && b < 60)?.top).toBeLessThan(57);
      }
    });

    it('keeps inline styles and backgrounds, and does not see the styles of the page', async () => {
      const header = '<div style="background:#f00;height:10px;width:100px"></div><p class="p">text</p>';
      const html = '<style>p{display:none}.p{display:none!important}</style><h1>x</h1>';
      const pdf = await printOnce(printer, html, furniture({ header }));
      expect((await pdfRaster(pdf)).box(([r, g, b]) => r > 200 && g < 60 && b < 60)).not.toBeNull();
      expect(pdfText(pdf)).toContain('text');
    });

    it('shows plain text as it is, line by line', async () => {
      const pdf = await printOnce(
        printer,
        '<p>x',
        furniture({ footer: 'Müller & Söhne <3\n漢字 한국어 हिन्दी' }),
      );
      expect(pdfText(pdf)).toContain('Müller & Söhne <3\n');
      expect(letters(pdfText(pdf))).toContain('漢字한국어');
    });

    it('does not run scripts', async () => {
      const header = `<p id="a">static</p><script>document.getElementById('a').textContent = 'RAN'</script><img src="x" onerror="document.body.textContent='RAN'">`;
      const pdf = await printOnce(printer, '<p>x', furniture({ header }));
      expect(pdfText(pdf)).toContain('static');
      expect(pdfText(pdf)).not.toContain('RAN');
    });

    it('has the same size at every scale of the page', async () => {
      const header = '<div style="background:#f00;height:2cm;width:3cm"></div>';
      const boxes = await Promise.all(
        [0.5, 1, 2].map(async (scale) =>
          (await pdfRaster(await printOnce(printer, '<p>x', { ...furniture({ header }), scale }))).box(
            ([r, g]) => r > 200 && g < 60,
          ),
        ),
      );
      expect(boxes[0]).toEqual(boxes[1]);
      expect(boxes[2]).toEqual(boxes[1]);
    });
  });

  describe('without header and footer on the first page', () => {
    it('page 1 has neither, the others have both, and tags, links and the outline of numbers stay', async () => {
      const pdf = await printOnce(printer, TWO_PAGES, { ...furniture(), skipFurnitureOnFirstPage: true });
      pdfCheck(pdf);
      expect(pdfText(pdf, 1)).toContain('Body one');
      expect(pdfText(pdf, 1)).not.toContain('The title');
      expect(letters(pdfText(pdf, 1))).not.toContain('1/2');
      expect(pdfText(pdf, 2)).toContain('The title');
      expect(letters(pdfText(pdf, 2))).toContain('2/2');
      expect(pdfInfo(pdf)).toMatchObject({ pages: 2, title: 'Untitled' });
      if (lacks.tagsAndLinks === true) return;
      expect(pdfInfo(pdf).tagged).toBe(true);
      expect(Buffer.from(pdf).toString('latin1')).toContain('https://example.com/');
    });

    it('a page range without page 1 is not affected, one with it is', async () => {
      const options = { ...furniture(), skipFurnitureOnFirstPage: true };
      const second = await printOnce(printer, TWO_PAGES, { ...options, pageRange: '2' });
      expect(letters(pdfText(second))).toContain('2/2');
      expect(pdfText(await printOnce(printer, TWO_PAGES, { ...options, pageRange: '1' }))).not.toContain(
        'The title',
      );
    });
  });

  describe('text of the body', () => {
    it('of every listed script has glyphs of its own', async () => {
      const samples = {
        zh: '发票号码',
        'zh-TW': '發票號碼',
        ja: '請求書の番号',
        ko: '송장 번호',
        ar: 'رقم الفاتورة',
        hi: 'चालान संख्या',
        ru: 'Номер счёта',
        el: 'Αριθμός',
        en: '😀🎉',
      };
      const looks = await Promise.all(
        Object.entries(samples).map(async ([lang, text]) => {
          const page = await pdfRaster(
            await printOnce(printer, `<p lang="${lang}" style="font-size:60px;margin:0">${text}`),
            1,
            96,
          );
          const dark: string[] = [];
          for (let y = 60; y < 200; y += 3)
            for (let x = 0; x < page.width; x += 3) dark.push(page.at(x, y)[1] < 128 ? '#' : '.');
          return dark.join('');
        }),
      );
      expect(new Set(looks).size).toBe(looks.length);
    });

    it('takes the shapes of the language it is in, whatever was printed before, in bold too', async () => {
      const fonts = async (html: string): Promise<string[]> => {
        const used = pdfFonts(await printOnce(printer, html)).map(
          ({ name, type }) => `${name.replace(/^[A-Z]{6}\+/, '')} ${type}`,
        );
        return used.sort();
      };
      for (const style of ['', 'font-family:Arial']) {
        for (const [lang, family] of [
          ['zh-CN', 'SC'],
          ['ja', 'JP'],
          ['zh-TW', 'TC'],
          ['ko', 'KR'],
          ['zh-Hant', 'TC'],
          ['zh-CN', 'SC'],
        ]) {
          expect(await fonts(`<html lang="${lang}"><p style="${style}">骨直`)).toEqual([
            `NotoSans${family}-Regular CID TrueType`,
          ]);
        }
      }
      // Without a language, the characters determine the font.
      expect(await fonts('<p>骨のカ')).toEqual(['NotoSansJP-Regular CID TrueType']);
      expect(await fonts('<p>骨直')).toEqual(['NotoSansSC-Regular CID TrueType']);
      // One foreign name does not change the font of the other text.
      expect(await fonts('<style>/* 骨直骨直骨直骨直 */</style><p>Invoice to the attention of 直')).toEqual([
        expect.stringMatching(/^NotoSans\w\w-Regular CID TrueType$/),
        'Tinos-Regular CID TrueType',
      ]);
    });

    it.each([
      ['zh-CN', '骨直', 'NotoSansSC'],
      ['ja', '骨直', 'NotoSansJP'],
      ['zh-TW', '骨直', 'NotoSansTC'],
      ['ko', '骨한국', 'NotoSansKR'],
      ['ar', 'رقم', 'NotoSansArabic'],
      ['hi', 'चालान', 'NotoSansDevanagari'],
      ['th', 'ภาษาไทย', 'NotoSansThai'],
      ['bn', 'বাংলা', 'NotoSansBengali'],
    ])('in %s has a bold face, whatever family it names', async (lang, text, family) => {
      const pdf = await printOnce(
        printer,
        `<html lang="${lang}"><style>i{font-style:normal}i::before{content:"${text}"}</style>` +
          `<b>${text}</b><h1 style="font-family:Arial"><i></i></h1><p><input value="${text}" style="font-weight:600">`,
        furniture({
          header: `<b lang="${lang}">${family.length > 10 ? text : ''}</b>`,
          show: { title: false, date: false, pageNumber: false },
        }),
      );
      const used = pdfFonts(pdf).map(({ name, type }) => `${name.replace(/^[A-Z]{6}\+/, '')} ${type}`);
      expect(new Set(used)).toEqual(new Set([`${family}-Bold CID TrueType`]));
    });
  });

  it('the metric equals keep the widths of Arial', async () => {
    // Width of a string in Arial at 100 px, from the advance widths of its hmtx table: A 667, V 667, W 944 of 1000.
    const pdf = await printOnce(
      printer,
      '<body style="margin:0"><span style="font:100px Arial;background:#f00">AVW</span>',
    );
    const box = (await pdfRaster(pdf, 1, 96)).box(([r, g, b]) => r > 200 && g < 60 && b < 60);
    expect(Math.abs((box?.right ?? 0) - (box?.left ?? 0) + 1 - 220.4)).toBeLessThan(3);
  });
}
