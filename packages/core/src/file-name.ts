/** Longest base name: with a number and an ending it stays below the 255 bytes file systems allow. */
const MAX_BYTES = 200;

/** What no name may hold: controls, what changes the direction of text, and what some system keeps to itself. */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]/gu;
/** Devices of Windows, which are no files, whatever their ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?=\s*(?:\.|$))/i;

/** Any text, such as a template's name, as the base name of a file on any system: what one forbids becomes `_`. */
export function baseName(name: string): string {
  // A character is a byte at least, and two units at most.
  let short = trimmed(name.toWellFormed().replace(FORBIDDEN, '_').replace(DEVICE, '$&_')).slice(
    0,
    2 * MAX_BYTES,
  );
  while (Buffer.byteLength(short) > MAX_BYTES) short = Array.from(short).slice(0, -1).join('');
  short = trimmed(short.toWellFormed());
  return short === '' ? 'document' : short;
}

/** Dots in front hide a file, and Windows drops dots and spaces at the end. */
function trimmed(name: string): string {
  return name.replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
}

/** A base name with its ending: something already named `x.pdf` gives no `x.pdf.pdf`. */
export function fileName(name: string, ending: string): string {
  const base = baseName(name);
  return base.toLowerCase().endsWith(`.${ending}`) ? base : `${base}.${ending}`;
}
