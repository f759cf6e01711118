/**
 * Takes the document's own origin out of its links: it is made up for one rendering and leads nowhere. What is left is
 * an address relative to where the PDF is (ISO 32000-2, 12.6.4.8), as the author wrote it. Written in place, in as many
 * bytes as there were, so that the cross-reference table stays true.
 *
 * @param origin no other document has it
 */
export function keepRelativeLinks(pdf: Buffer, origin: string): void {
  const own = `/URI (${origin}/`;
  for (let at = pdf.indexOf(own); at !== -1; at = pdf.indexOf(own, at + 1)) {
    const end = endOfString(pdf, at + own.length);
    if (end === -1) return;
    const written = pdf.toString('latin1', at + own.length, end);
    pdf.write(`/URI (${written})`.padEnd(end + 1 - at), at, 'latin1');
  }
}

/** What such an address holds, or names on the reader's disk, is not what a document of a stranger may open. */
const REACHING = ['javascript', 'vbscript', 'data', 'file'];

/**
 * Takes the addresses out of links that would run something, or open a file of who reads the PDF. Chromium writes
 * schemes in small letters, and without the white space that browsers pass over. In place, as above.
 */
export function dropReachingLinks(pdf: Buffer): void {
  for (const scheme of REACHING) {
    const start = `/URI (${scheme}:`;
    for (let at = pdf.indexOf(start); at !== -1; at = pdf.indexOf(start, at + 1)) {
      const end = endOfString(pdf, at + start.length);
      if (end === -1) return;
      pdf.write('/URI ()'.padEnd(end + 1 - at), at, 'latin1');
    }
  }
}

const BACKSLASH = 0x5c;
const CLOSE = 0x29;

/** Where the parenthesis is that closes a string; those inside of it are written with a backslash. */
function endOfString(pdf: Buffer, from: number): number {
  for (let at = from; at < pdf.length; at += pdf[at] === BACKSLASH ? 2 : 1) {
    if (pdf[at] === CLOSE) return at;
  }
  return -1;
}
