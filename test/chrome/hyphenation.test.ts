import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HYPHENATED, hyphenationOf } from '../../packages/print/src/hyphenation/languages.ts';
import { divisionsOf } from '../../packages/print/src/hyphenation/words.ts';
import { prepareDocument } from '../../packages/print/src/page/document.ts';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { printOnce, startEngine } from './engine.ts';
import { pdfCheck, pdfText, pdfWords, pdfInfo } from './pdf.ts';

/** Words divided at the ends of lines (I-49). */

/** Where it may be divided, by hyphens. */
async function divided(language: string, word: string): Promise<string> {
  const places = (await divisionsOf(language, [word])).get(word) ?? [];
  return [0, ...places].map((at, index) => word.slice(at, places[index])).join('-');
}

describe('the places at which words may be divided', () => {
  it.each([
    ['de', 'Silbentrennung', 'Sil-ben-tren-nung'],
    ['de-AT', 'Donaudampfschiff', 'Do-nau-dampf-schiff'],
    ['en', 'hyphenation', 'hy-phen-ation'],
    ['en-GB', 'hyphenation', 'hy-phen-a-tion'],
    ['fr-CA', 'imprimerie', 'im-pri-me-rie'],
    ['pl', 'niepodległość', 'nie-pod-le-głość'],
    ['ru', 'переносить', 'пе-ре-но-сить'],
    ['sr_Latn_RS', 'knjigovodstvo', 'knji-go-vod-stvo'],
    ['hi', 'अंतरराष्ट्रीय', 'अं-त-र-रा-ष्ट्रीय'],
    ['no', 'regnskapsfører', 'regn-skaps-fø-rer'],
    ['ja', 'hyphenation', 'hyphenation'],
    ['', 'hyphenation', 'hyphenation'],
  ])('%s: %s', async (language, word, expected) => {
    expect(await divided(language, word)).toBe(expected);
  });

  it('are there in every language that is listed', async () => {
    for (const tag of HYPHENATED) {
      const [levels, trie] = (await hyphenationOf(tag)?.load())?.default ?? [];
      expect(
        [levels?.length, Object.keys(trie ?? {}).length].every((count) => Number(count) > 0),
        tag,
      ).toBe(true);
    }
  });

  it('do not depend on earlier hyphenation', async () => {
    const words = ['project', 'hyphenation', 'tables'];
    const first = await divisionsOf('en', words);
    await divisionsOf(
      'en',
      words.map((word) => `${word}s`),
    );
    expect(await divisionsOf('en', words)).toEqual(first);
  });
});

describe('a document with hyphens: auto', () => {
  let printer: HtmlReader;
  let stop: () => Promise<void>;
  beforeAll(async () => ({ printer, stop } = await startEngine()));
  afterAll(() => stop());

  const LONG = 'Rechtsschutzversicherungsgesellschaften';
  const print = async (body: string): Promise<{ pdf: Uint8Array; text: string }> => {
    const html = `<!doctype html><html lang="de"><title>T</title><style>
      p { font: 12pt Tinos; text-align: justify; width: 6cm; hyphens: auto }</style><body>${body}</body></html>`;
    const pdf = await printOnce(printer, html);
    return { pdf, text: pdfText(pdf) };
  };

  it('divides its words at the ends of lines, and the text of the PDF has them undivided', async () => {
    const { pdf, text } = await print(
      `<p>Die Donaudampfschifffahrtsgesellschaft fährt auffallend oft durch das Wirtschaftsgebiet der ${LONG} und
       ihrer Tochtergesellschaften.</p>
       <p style="columns: 3; width: auto">${'Jemand musste den Angestellten der Versicherung verleumdet haben. '.repeat(12)}</p>`,
    );
    pdfCheck(pdf);
    expect(text).toMatch(/Donaudampf\S*[-‐]\s/);
    expect(text).not.toContain('\u00AD');
    const hyphens = pdfWords(pdf).filter(({ text: word }) => /[-‐\u00AD]$/.test(word));
    expect(hyphens.length).toBeGreaterThan(8);
    // In the columns, too, each of them ends its line: nothing is behind it before the next column.
    const words = pdfWords(pdf);
    for (const hyphen of hyphens) {
      const behind = words.filter(
        ({ left, top, bottom }) => left > hyphen.right && top < hyphen.bottom - 4 && bottom > hyphen.top + 4,
      );
      const next = Math.min(...behind.map(({ left }) => left));
      expect(next - hyphen.right, hyphen.text).toBeGreaterThan(9);
    }
  });

  it.each([
    ['a language without patterns', `<p lang="xx">${LONG}</p>`],
    ['none', `<p lang="">${LONG}</p>`],
    ['an element that switches it off', `<p style="hyphens: manual">${LONG}</p>`],
    ['an address', `<p>https://example.com/${LONG}</p>`],
    ['a word in pieces', `<p>Rechtsschutzver<b>sicherungsgesellschaften</b></p>`],
    ['a limit', `<p style="hyphenate-limit-chars: 50">${LONG}</p>`],
  ])('is left alone by %s', async (_, body) => {
    const { text } = await print(body);
    expect(text.replace(/\s/g, '')).toContain(LONG);
    expect(text).not.toMatch(/[\u00AD‐]/);
  });

  it('has as many letters before and behind the hyphen as hyphenate-limit-chars asks for', async () => {
    const { text } = await print(`<p style="width: 3cm; hyphenate-limit-chars: 5 6 12">${LONG}</p>`);
    const [first = ''] = text.trimStart().split(/\u00AD?‐/);
    expect(first.length).toBeGreaterThanOrEqual(6);
    const last = text.split('‐').at(-1)?.trim().split(/\s/)[0] ?? '';
    expect(last.length).toBeGreaterThanOrEqual(12);
  });

  it('is recognised by hyphens: auto alone', () => {
    const factsOf = (css: string): boolean =>
      prepareDocument({ html: '<p lang=de>Wort', styles: [css], title: 'T' }).facts.hyphenates;
    expect(factsOf('p { hyphens: manual }')).toBe(false);
    expect(factsOf('p { -webkit-hyphens:auto }')).toBe(true);
  });
});

describe('soft hyphens of the author', () => {
  let printer: HtmlReader;
  let stop: () => Promise<void>;
  beforeAll(async () => ({ printer, stop } = await startEngine()));
  afterAll(() => stop());

  const WORD = 'Haft&shy;pflicht&shy;ver&#173;siche&#xAD;rung';

  it.each(['', '<b>Vor</b>', '<h1>'])('leave words whole within lines: %s', async (before) => {
    const pdf = await printOnce(printer, `<title>${WORD}</title>${before}${WORD} zahlt`);
    expect(pdfText(pdf)).toContain('Haftpflichtversicherung zahlt');
    expect(pdfText(pdf)).not.toContain('\u00ad');
    expect(pdfInfo(pdf).title).toBe('Haftpflichtversicherung');
    pdfCheck(pdf);
  });

  it.each(['', 'columns:4;column-gap:6cm;'])(
    'divide words at the ends of lines as before: %s',
    async (style) => {
      const html = (text: string): string =>
        `<style>@page{size:A4;margin:1cm}p{width:16em;${style}}</style><p>${text}</p>`;
      const text =
        'Die Haft&shy;pflicht&shy;ver&shy;siche&shy;rung zahlt den Scha&shy;den und die Kos&shy;ten. '.repeat(
          9,
        );
      const lines = (pdf: Uint8Array): string[] =>
        pdfText(pdf)
          .replace(/\u00ad|(?<= ) +/g, '')
          .split('\n')
          .filter((line) => line !== '');
      const pdf = await printOnce(printer, html(text));
      // Those by themselves stay.
      const plain = await printOnce(printer, html(text.replaceAll('&shy;', '<i>&shy;</i>')));
      expect(lines(pdf)).toEqual(lines(plain));
      expect(lines(pdf).some((line) => line.endsWith('\u2010') || line.endsWith('-'))).toBe(true);
      expect(pdfText(pdf)).not.toContain('\u00ad');
    },
  );
});
