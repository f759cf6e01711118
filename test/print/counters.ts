import { pdfText } from '../chrome/pdf.ts';

/**
 * A document whose headings show their counters, which the engine itself computes, and whose contents, and margins from the
 * second page on, show them once more (CSS GCPM 3, 1.1.1 and 4.2).
 */
const OWN = 'counters(part, ".") "/" counter(part, upper-alpha) "/" counter(all, decimal-leading-zero) ";"';
const OF_TARGET =
  'target-counters(attr(href), part, ".") "/" target-counter(attr(href), part, upper-alpha) "/" target-counter(attr(href), all, decimal-leading-zero) ";"';
const heading = (id: number, style = ''): string => `<h2 id="h${id}" style="${style}"></h2>`;
const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export const NUMBERED = `<!doctype html><title>T</title><style>
  @page{margin:3cm;@top-left{content:string(last, last)}}
  section{counter-reset:part}h2{counter-increment:part}h2::before{counter-increment:all;content:attr(id) "=" ${OWN}}
  h2{string-set:last attr(id) "=" counters(part, ".") "/" counter(part, upper-alpha) "/" counter(all, decimal-leading-zero) ";"}
  a::before{content:attr(title) "=" ${OF_TARGET}}
  i::after{content:counter(all) leader(".") target-text("#h9", before)}</style>
  <nav>${IDS.map((id) => `<p><a href="#h${id}" title="h${id}"></a>`).join('')}<p><i></i></nav><main style="break-before:page">
  ${heading(1)}<section>${heading(2)}<section>${heading(3)}${heading(4, 'counter-set:part 26')}</section>${heading(5)}</section>
  <section>${heading(6)}</section><h2 hidden></h2><div style="counter-reset:part 5">${heading(7)}</div>${heading(8, 'counter-increment:part -9')}
  <ul style="counter-reset:part"><li>${heading(9)}</ul></main>`;

/** Returns the counters of each heading that do not stand the same in the contents, in the text and, of the last one, in the margin. */
export function otherNumbers(pdf: Uint8Array): string[] {
  const seen = pdfText(pdf).match(/h\d=[^;]*;/g) ?? [];
  // The line with a leader has that of the last heading, too.
  return IDS.filter((id) => {
    const own = seen.filter((text) => text.startsWith(`h${id}=`));
    return own.length !== (id === 9 ? 4 : 2) || new Set(own).size > 1;
  }).map((id) => seen.filter((text) => text.startsWith(`h${id}=`)).join(' '));
}
