/**
 * Number of pages of a PDF that Chromium wrote: one cross-reference table, no object streams, no encryption (ISO
 * 32000-2, 7.5.4 and 7.7.3.2). It follows the structure of the file, so text in it cannot mislead.
 */
export function countPages(pdf: Buffer): number {
  const { tail, table } = endOf(pdf);
  const root = Number(/\/Root (\d+) 0 R/.exec(tail.slice(tail.lastIndexOf('trailer')))?.[1]);
  const pages = Number(/\/Pages (\d+) 0 R/.exec(objectAt(pdf, table, root))?.[1]);
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

function endOf(pdf: Buffer): { tail: string; table: number } {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - 2048));
  return { tail, table: Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1]) };
}

/**
 * Text of an object, located through the cross-reference table at `table`: 20 bytes per entry, one section from 0.
 */
function objectAt(pdf: Buffer, table: number, number: number): string {
  const offset = offsetOf(pdf, table, number);
  if (offset === null) return '';
  const end = pdf.indexOf('endobj', offset);
  return pdf.toString('latin1', offset, end === -1 ? pdf.length : end);
}

function offsetOf(pdf: Buffer, table: number, number: number): number | null {
  const header = /^xref\s+0 \d+\s*\n/.exec(pdf.toString('latin1', table, table + 40));
  if (header === null || !Number.isInteger(number)) return null;
  const entry = table + header[0].length + 20 * number;
  return Number(pdf.toString('latin1', entry, entry + 10));
}
