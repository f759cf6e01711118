import { baseName, fileName, sameFileKey } from '@platen/core/file-name';
import type { Notice } from './found.ts';
import type { Filler } from './texts/filler.ts';
import { fileEnding, type OutputFormat } from './output.ts';
import type { RenderSettings } from './settings.ts';

/** The file names of documents (I-15). */

/** Returns the file name of a single document. */
export function documentName(name: string, ending: OutputFormat | 'zip'): string {
  return fileName(name, ending === 'zip' ? ending : fileEnding(ending));
}

/**
 * Fills a rendering's `filename` with a record and returns the name as one line; null if there is none or it
 * is empty.
 *
 * @param record text of a JSON object
 * @throws PlatenError as `Filler.fill`
 */
export async function recordName(
  {
    filename,
    language,
    templatingEngine: engine,
  }: Pick<RenderSettings, 'filename' | 'language' | 'templatingEngine'>,
  record: string,
  { filler, signal, notice }: { filler: Filler; signal: AbortSignal; notice: Notice },
): Promise<string | null> {
  if (filename === null) return null;
  const sources = [{ file: 'filename', text: filename } as const];
  const [filled = ''] =
    engine === 'none'
      ? [filename]
      : await filler.fill({ engine, language, sources, data: record, defaults: {} }, signal, notice);
  // Cut before further work, as a template may produce a megabyte.
  const name = filled.trim().slice(0, MAX_FILLED).replace(/\s+/g, ' ');
  return name === '' ? null : name;
}

/** Characters of a filled name that are used. */
const MAX_FILLED = 1000;

/**
 * The names of a ZIP's entries. An entry without a name of its own is `<template>-<n>.<ext>`, with `n` zero-padded
 * from 1 in the order of the records. Names are unique on every file system: the second `a.pdf` is `a-2.pdf`.
 */
export class EntryNames {
  readonly #template: string;
  readonly #digits: number;
  readonly #ending: string;
  /** The names in use, as file systems compare them, and the number that was added last. */
  readonly #given = new Map<string, number>();

  /** @param template name of the template @param count number of records */
  constructor(template: string, count: number, ending: OutputFormat) {
    this.#template = baseName(template);
    this.#digits = String(count).length;
    this.#ending = fileEnding(ending);
  }

  /** Returns the entry name of a record. @param own the record's name, as `recordName` returns it */
  of(index: number, own: string | null): string {
    const numbered = `${this.#template}-${String(index + 1).padStart(this.#digits, '0')}`;
    const name = own === null ? `${numbered}.${this.#ending}` : fileName(own, this.#ending);
    const stem = name.slice(0, -(this.#ending.length + 1));
    const key = sameFileKey(name);
    let [entry, entryKey] = [name, key];
    let n = this.#given.get(key) ?? 0;
    // Continues from the last number, so that many records of one name do not compare with all of them.
    while (this.#given.has(entryKey)) {
      n += 1;
      entry = `${stem}-${n}${name.slice(stem.length)}`;
      entryKey = sameFileKey(entry);
    }
    this.#given.set(key, Math.max(n, 1));
    if (entryKey !== key) this.#given.set(entryKey, 1);
    return entry;
  }
}
