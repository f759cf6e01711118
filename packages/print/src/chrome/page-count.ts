/**
 * Number of pages of a PDF as Chromium writes it: one cross-reference table, no object streams, no encryption
 * (ISO 32000-2, 7.5.4 and 7.7.3.2). Follows the file's own structure: text in it cannot mislead.
 */
export function countPages(pdf: Buffer): number {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - 2048));
  const table = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1]);
  const root = Number(/\/Root (\d+) 0 R/.exec(tail.slice(tail.lastIndexOf('trailer')))?.[1]);
  const pages = Number(/\/Pages (\d+) 0 R/.exec(objectAt(pdf, table, root))?.[1]);
  const count = Number(/\/Count (\d+)/.exec(objectAt(pdf, table, pages))?.[1]);
  if (!Number.isInteger(count)) throw new Error('the PDF of the engine has no page tree');
  return count;
}

/** Text of an object, found through the cross-reference table at `table`: 20 bytes an entry, one section from 0. */
function objectAt(pdf: Buffer, table: number, number: number): string {
  const header = /^xref\s+0 \d+\s*\n/.exec(pdf.toString('latin1', table, table + 40));
  if (header === null || !Number.isInteger(number)) return '';
  const entry = table + header[0].length + 20 * number;
  const offset = Number(pdf.toString('latin1', entry, entry + 10));
  const end = pdf.indexOf('endobj', offset);
  return pdf.toString('latin1', offset, end === -1 ? pdf.length : end);
}
