import { nameFault } from './name-fault.ts';

/**
 * Longest base name in bytes: with a number and an extension it stays below the 255 bytes that file systems
 * allow.
 */
const MAX_BYTES = 200;

/**
 * Characters that no file name may contain: control characters, direction marks, and characters that a system
 * reserves.
 */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff<>:"/\\|?*]/gu;
/** Device names that Windows reserves, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?=\s*(?:\.|$))/i;

/**
 * Turns any text, such as a template's name, into a base name that is valid on every system: it replaces each
 * forbidden character with `_`.
 */
export function baseName(name: string): string {
  // A character takes at least one byte and at most two UTF-16 units.
  let short = trimmed(name.toWellFormed().replace(FORBIDDEN, '_'))
    .replace(DEVICE, '$&_')
    .slice(0, 2 * MAX_BYTES);
  while (Buffer.byteLength(short) > MAX_BYTES) short = Array.from(short).slice(0, -1).join('');
  short = trimmed(short.toWellFormed());
  if (short === '') return 'document';
  // The remaining faults are tildes of home folders and short names, and devices with a joiner in them.
  return nameFault(short) === null ? short : `_${short.replaceAll('~', '_')}`;
}

/** Removes leading dots, which hide a file, trailing dots and spaces, which Windows drops, and joiners beside them. */
function trimmed(name: string): string {
  return name.replace(/^[.\s\u200c\u200d]+|(?<![.\s\u200c\u200d])[.\s\u200c\u200d]+$/g, '');
}

/** Returns a name that was given for a file: unchanged if it may be used, otherwise as `fileName` does. */
export function safeName(name: string): string {
  if (nameFault(name) === null) return name;
  const [, ending] = /[^.]\.([\p{L}\p{N}]{1,16})$/u.exec(name) ?? [];
  return ending === undefined ? baseName(name) : fileName(name, ending.toLowerCase());
}

/**
 * Returns a base name with its extension; a name that already ends with it does not get it twice
 * (`x.pdf.pdf`).
 */
export function fileName(name: string, ending: string): string {
  const base = baseName(name);
  return base.toLowerCase().endsWith(`.${ending}`) ? base : `${base}.${ending}`;
}

/**
 * Returns the name as file systems compare it: Windows and macOS ignore case and the composition of letters,
 * and HFS+ ignores joiners. Upper case first, then lower case: APFS folds `ß`, `SS` and `ss` to the same name.
 */
export function sameFileKey(name: string): string {
  return name
    .replace(/[\u200c\u200d]/g, '')
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase();
}
