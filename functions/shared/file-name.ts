/** Longest base name: with a number and an ending it stays below the 255 bytes file systems allow. */
const MAX_BYTES = 200;

/** A template's name as the base name of a file on any system: what one of them forbids becomes `_`. */
export function baseName(name: string): string {
  const printable = name
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*]/g, '_')
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
  // A character is a byte at least, and two units at most.
  let short = printable.slice(0, 2 * MAX_BYTES);
  while (Buffer.byteLength(short) > MAX_BYTES) short = Array.from(short).slice(0, -1).join('');
  return short === '' ? 'document' : short;
}

/** A base name with its ending: something already named `x.pdf` gives no `x.pdf.pdf`. */
export function fileName(name: string, ending: string): string {
  const base = baseName(name);
  return base.toLowerCase().endsWith(`.${ending}`) ? base : `${base}.${ending}`;
}
