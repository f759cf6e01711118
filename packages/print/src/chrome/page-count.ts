import { catalogOf, endOf, objectAt, offsetOf } from './printed-objects.ts';

/** Number of pages of a PDF that Chromium wrote (ISO 32000-2, 7.7.3.2). */
export function countPages(pdf: Buffer): number {
  const { table } = endOf(pdf);
  const pages = Number(/\/Pages (\d+) 0 R/.exec(catalogOf(pdf))?.[1]);
  const count = Number(/\/Count (\d+)/.exec(objectAt(pdf, table, pages))?.[1]);
  if (!Number.isInteger(count)) throw new Error('the PDF of the engine has no page tree');
  return count;
}

/** The compressed contents of the first pages of such a PDF. */
export function contentStreams(pdf: Buffer, most: number): Buffer[] {
  const { table } = endOf(pdf);
  const streams: Buffer[] = [];
  const key = '/Contents ';
  for (
    let at = pdf.indexOf(key);
    at !== -1 && streams.length < most;
    at = pdf.indexOf(key, at + key.length)
  ) {
    const number = Number(
      /^(\d+) 0 R/.exec(pdf.toString('latin1', at + key.length, at + key.length + 20))?.[1],
    );
    const start = offsetOf(pdf, table, number);
    if (start === null) continue;
    // bounded: 300 characters.
    const head = /^\d+ 0 obj\s*<<[^>]*\/Filter \/FlateDecode[^>]*>>\s*stream\r?\n/.exec(
      pdf.toString('latin1', start, start + 300),
    )?.[0];
    if (head !== undefined) streams.push(pdf.subarray(start + head.length));
  }
  return streams;
}
