/**
 * Removes the document's own origin from its links: it is generated for one rendering and leads nowhere. The rest
 * is a URL relative to the PDF (ISO 32000-2, 12.6.4.8), as the author wrote it. It is replaced in place by as many
 * bytes, so that the cross-reference table stays valid.
 *
 * @param origin not used by any other document
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

/** Schemes that contain data, or refer to the reader's disk, must not be opened by an untrusted document. */
const REACHING = ['javascript', 'vbscript', 'data', 'file'];

/**
 * Removes the URLs of links that would run a program, or open a local file. Chromium writes schemes in lower case,
 * and without the white space that browsers ignore. In place, as above.
 */
export function removeUnsafeLinks(pdf: Buffer): void {
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

/** Position of the parenthesis that closes a string; those inside of it are escaped with a backslash. */
function endOfString(pdf: Buffer, from: number): number {
  for (let at = from; at < pdf.length; at += pdf[at] === BACKSLASH ? 2 : 1) {
    if (pdf[at] === CLOSE) return at;
  }
  return -1;
}
