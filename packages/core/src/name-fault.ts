/**
 * The rule for names of files that a client may write: a name must mean the same file on every system, and never one that
 * a program runs or reads as its settings. The clients in TypeScript and Python have this rule as well, because
 * they depend on no package; `test/support/file-names.json` holds all of them to the same results.
 */

/**
 * Separators of folders, of drives and of NTFS streams, control characters, lone surrogates, and marks that
 * change the direction of what follows or that file systems ignore.
 */
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are refused
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ud800-\udfff:/\\]/u;
/** Letters of some scripts need these joiners; HFS+ ignores them in names. */
const JOINERS = /[\u200c\u200d]/g;
/** Devices of Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;
/** Names that Windows gives to other files: `GIT~1` is `.git`. */
const SHORT = /^(?=[^.]{1,8}(?:\.|$))[^.]*~[0-9]+(?:\.[^.]{0,3})?$/;
/** Most bytes of a name that file systems allow. */
const MAX_BYTES = 255;

/** Returns why a name must not be used for a file, such as `begins with a dot`; null if it may be. */
export function nameFault(name: string): string | null {
  const [forbidden] = FORBIDDEN.exec(name) ?? [];
  if (forbidden !== undefined) return `contains ${shownCharacter(forbidden)}`;
  if (new TextEncoder().encode(name).length > MAX_BYTES) return `has more than ${MAX_BYTES} bytes`;
  const seen = name.replace(JOINERS, '');
  if (seen === '') return 'is empty';
  if (seen.startsWith('.')) return 'begins with a dot';
  if (seen.startsWith('~')) return 'begins with ~';
  if (/[.\s]$/.test(seen)) return 'ends with a dot or a blank';
  if (DEVICE.test(seen)) return 'is a device on Windows';
  if (SHORT.test(seen)) return 'is the short name of another file on Windows';
  return null;
}

/** Returns why a path with slashes must not be used, with the segment that is at fault; null if it may be. */
export function pathFault(path: string): string | null {
  for (const segment of path.split('/')) {
    const fault = nameFault(segment);
    if (fault !== null)
      return segment === '' ? 'a segment is empty' : `the segment ${quoted(segment)} ${fault}`;
  }
  return null;
}

/** Returns a name in quotation marks, without characters that would change how a line is shown. */
export function quoted(name: string): string {
  const shown = Array.from(name, (character) =>
    FORBIDDEN.test(character) && !/[:/\\]/.test(character) ? `<${codeOf(character)}>` : character,
  );
  return `"${shown.length > 100 ? `${shown.slice(0, 100).join('')}…` : shown.join('')}"`;
}

function shownCharacter(character: string): string {
  return /[:/\\]/.test(character) ? character : codeOf(character);
}

/** Returns the code point of a character as Unicode writes it: `U+00E9`. */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
