import { type PdfWord, pdfWords } from '../chrome/pdf.ts';
import { seededRandom } from './books.ts';

/** Generates documents with footnotes, and checks the positions of the notes in a printed one. */

const WORDS = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor'.split(' ');

export interface NotedText {
  html: string;
  /** The number of its notes. */
  count: number;
  /** The lower end of the area for text on its pages, in points from the top. */
  foot: number;
}

/**
 * Returns a different text for each seed: notes of one line and of several, in paragraphs, headings, lists and tables.
 */
/** @param most number of blocks such as paragraphs; null: 14 to 33 */
export function notedTextOf(seed: number, most: number | null = null): NotedText {
  const roll = seededRandom(seed);
  let count = 0;
  const text = (words: number): string =>
    Array.from({ length: words }, () => WORDS[roll(WORDS.length)]).join(' ');
  const note = (): string => {
    count += 1;
    const words = Array.from({ length: 3 + roll(roll(4) === 0 ? 60 : 8) }, () => 'remark').join(' ');
    return `<span class="note">NOTE${count}x ${words} END${count}x</span><b class="at">at${count}x</b>`;
  };
  const noted = (): string => `${text(8 + roll(60))}${note()} ${text(5 + roll(90))}`;
  const blocks = Array.from({ length: most ?? 14 + roll(20) }, (): string => {
    switch (roll(8)) {
      case 0:
        return `<h2>${text(3)}${roll(3) === 0 ? note() : ''}</h2>`;
      case 1:
        return `<ul><li>${text(20)}<li>${noted()}<li>${text(9)}</ul>`;
      case 2:
        return `<table><tr><td>${text(6)}<td>${text(4)}${note()}<tr><td>${text(3)}<td>${text(9)}</table>`;
      case 3:
        return `<blockquote><p>${noted()}</blockquote>`;
      case 4:
        return `<p>${text(120)}</p>`;
      default:
        return `<p>${noted()} ${noted()}</p>`;
    }
  });
  const margin = 1 + roll(3);
  const html = `<!doctype html><html lang="en"><head><title>Notes ${seed}</title><style>
    @page { size: A5; margin: 2cm 1.5cm ${margin}cm;
      @footnote { border-top: 1px solid #888; margin-top: ${4 + roll(10)}px; padding-top: 3px } }
    ${roll(2) === 0 ? '@page :first { margin-top: 4cm }' : ''}
    body { font: ${10 + roll(3)}pt/${['1.2', '1.4', '1.5'][roll(3)]} serif; margin: 0; text-align: ${['justify', 'left'][roll(2)]} }
    table { break-inside: avoid } td { border: 1px solid; padding: 3px }
    .at { font-weight: normal } .note { float: footnote; font-size: 8pt; line-height: 1.25 }
    </style></head><body><h1>${text(3)}</h1>${blocks.join('\n')}</body></html>`;
  return { html, count, foot: ((21 - margin) * 72) / 2.54 };
}

/** Returns the errors of a printed text: each note must be on the page of its call, below the text, and complete. */
export function noteFaults({ count, foot }: NotedText, pdf: Uint8Array): string[] {
  const words = pdfWords(pdf);
  const pages = new Map<number, PdfWord[]>();
  for (const word of words) pages.set(word.page, [...(pages.get(word.page) ?? []), word]);
  const find = (text: string): PdfWord | undefined => words.find((word) => word.text.includes(text));
  const faults: string[] = [];
  for (let number = 1; number <= count; number++) {
    const [call, first, last] = [find(`at${number}x`), find(`NOTE${number}x`), find(`END${number}x`)];
    if (call === undefined || first === undefined || last === undefined) faults.push(`${number}: not there`);
    else if (call.page !== first.page || call.page !== last.page)
      faults.push(`${number}: call on ${call.page}, note on ${first.page} to ${last.page}`);
  }
  for (const [page, all] of pages) {
    const notes = all.filter(({ text }) => /^(?:NOTE|END|remark)/.test(text));
    if (notes.length === 0) continue;
    const top = Math.min(...notes.map((word) => word.top));
    const bottom = Math.max(...notes.map((word) => word.bottom));
    const body = all.filter((word) => !notes.includes(word) && !/^\d+\.$/.test(word.text));
    const lowest = Math.max(...body.map((word) => word.bottom));
    if (lowest > top + 1) faults.push(`page ${page}: text down to ${lowest}, notes from ${top}`);
    if (Math.abs(bottom - foot) > 8) faults.push(`page ${page}: notes end at ${bottom} for ${foot}`);
  }
  return faults;
}
