/**
 * Longest base name in bytes: with a number and an extension it stays below the 255 bytes that file systems
 * allow.
 */
const MAX_BYTES = 200;

/**
 * Characters that no file name may contain: control characters, direction marks, and characters that a system
 * reserves.
 */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]/gu;
/** Device names that Windows reserves, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?=\s*(?:\.|$))/i;

/**
 * Turns any text, such as a template's name, into a base name that is valid on every system: it replaces each
 * forbidden character with `_`.
 */
export function baseName(name: string): string {
  // A character takes at least one byte and at most two UTF-16 units.
  let short = trimmed(name.toWellFormed().replace(FORBIDDEN, '_').replace(DEVICE, '$&_')).slice(
    0,
    2 * MAX_BYTES,
  );
  while (Buffer.byteLength(short) > MAX_BYTES) short = Array.from(short).slice(0, -1).join('');
  short = trimmed(short.toWellFormed());
  return short === '' ? 'document' : short;
}

/** Removes leading dots, which hide a file, and trailing dots and spaces, which Windows drops. */
function trimmed(name: string): string {
  return name.replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
}

/**
 * Returns a base name with its extension; a name that already ends with it does not get it twice
 * (`x.pdf.pdf`).
 */
export function fileName(name: string, ending: string): string {
  const base = baseName(name);
  return base.toLowerCase().endsWith(`.${ending}`) ? base : `${base}.${ending}`;
}
