/**
 * The objects of a PDF that Chromium wrote: one cross-reference table, no object streams, no encryption (ISO 32000-2,
 * 7.5.4). They are located by the structure of the file, so text in it cannot mislead.
 */

/** The end of the file, and the offset of its cross-reference table. */
export function endOf(pdf: Buffer): { tail: string; table: number } {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - 2048));
  return { tail, table: Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1]) };
}

/**
 * Text of an object, located through the cross-reference table at `table`: 20 bytes per entry, one section from 0.
 */
export function objectAt(pdf: Buffer, table: number, number: number): string {
  const offset = offsetOf(pdf, table, number);
  if (offset === null) return '';
  const end = pdf.indexOf('endobj', offset);
  return pdf.toString('latin1', offset, end === -1 ? pdf.length : end);
}

/** The offset of an object; null if there is none. */
export function offsetOf(pdf: Buffer, table: number, number: number): number | null {
  const header = /^xref\s+0 \d+\s*\n/.exec(pdf.toString('latin1', table, table + 40));
  if (header === null || !Number.isInteger(number)) return null;
  const entry = table + header[0].length + 20 * number;
  return Number(pdf.toString('latin1', entry, entry + 10));
}

/** Text of the document catalog. */
export function catalogOf(pdf: Buffer): string {
  return objectAt(pdf, endOf(pdf).table, catalogNumber(pdf));
}

function catalogNumber(pdf: Buffer): number {
  const { tail } = endOf(pdf);
  return Number(/\/Root (\d+) 0 R/.exec(tail.slice(tail.lastIndexOf('trailer')))?.[1]);
}

/**
 * Marks the tags of a document as suspect (ISO 32000-1, 14.7.1), in the place of a type that is optional, so that nobody
 * takes them for all of its content.
 *
 * @returns the same file
 */
export function asSuspect(pdf: Buffer): Buffer {
  const catalog = offsetOf(pdf, endOf(pdf).table, catalogNumber(pdf));
  const at = catalog === null ? -1 : pdf.indexOf('/Type /MarkInfo', catalog);
  if (at !== -1) pdf.write('/Suspects true ', at, 'latin1');
  return pdf;
}

/** Returns a text string of UTF-16 (ISO 32000-1, 7.9.2.2) in hexadecimal digits, as Chromium writes it. */
export function hexString(text: string): string {
  return `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
}

/** Other text for a range of the file. */
export interface Change {
  start: number;
  end: number;
  text: string;
}

/** Returns the document with changes in its objects, and a cross-reference table for it. */
export function rewritten(pdf: Buffer, changes: readonly Change[]): Buffer {
  const pieces: Buffer[] = [];
  const moves: { from: number; by: number }[] = [];
  let [done, by] = [0, 0];
  for (const { start, end, text } of changes.toSorted((one, other) => one.start - other.start)) {
    pieces.push(pdf.subarray(done, start), Buffer.from(text, 'latin1'));
    by += text.length - (end - start);
    moves.push({ from: end, by });
    done = end;
  }
  const { table } = endOf(pdf);
  pieces.push(pdf.subarray(done, table));
  const shifted = (offset: number): number => {
    let [low, high] = [0, moves.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((moves[middle]?.from ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return offset + (moves[low - 1]?.by ?? 0);
  };
  const end = pdf
    .toString('latin1', table)
    .replace(
      /^(\d{10}) (\d{5}) n/gm,
      (_, offset: string, generation: string) =>
        `${String(shifted(Number(offset))).padStart(10, '0')} ${generation} n`,
    )
    .replace(/startxref\n\d+/, `startxref\n${shifted(table)}`);
  return Buffer.concat([...pieces, Buffer.from(end, 'latin1')]);
}
