import type { OutputFormat } from './output.ts';

/** Longest base name: with a number and an ending it stays below the 255 bytes file systems allow. */
const MAX_BYTES = 200;

/** A template's name as the base name of a file on any system: what one of them forbids becomes `_`. */
export function baseName(name: string): string {
  const printable = name
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  let short = printable;
  while (Buffer.byteLength(short) > MAX_BYTES) short = Array.from(short).slice(0, -1).join('');
  return short === '' ? 'document' : short;
}

/** The file name of a single document (decision 15). A template already named `x.pdf` gives no `x.pdf.pdf`. */
export function documentName(name: string, ending: OutputFormat | 'zip'): string {
  const base = baseName(name);
  return base.toLowerCase().endsWith(`.${ending}`) ? base : `${base}.${ending}`;
}

/** The name of a ZIP's entry: `<name>-<n>.<ext>`, `n` zero-padded from 1 in the order of the records (decision 15). */
export function entryName(name: string, index: number, count: number, ending: OutputFormat): string {
  const digits = String(count).length;
  return `${baseName(name)}-${String(index + 1).padStart(digits, '0')}.${ending}`;
}
