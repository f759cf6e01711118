import { baseName, fileName } from '@platen/core/file-name';
import type { Filler } from './texts/filler.ts';
import { fileEnding, type OutputFormat } from './output.ts';
import type { RenderSettings } from './settings.ts';

/** What documents are called (I-15). */

/** The file name of a single document. */
export function documentName(name: string, ending: OutputFormat | 'zip'): string {
  return fileName(name, ending === 'zip' ? ending : fileEnding(ending));
}

/**
 * The name that a rendering's `filename` gives the document of a record, in one line; null where it has none, or
 * nothing comes of it.
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
  { filler, signal }: { filler: Filler; signal: AbortSignal },
): Promise<string | null> {
  if (filename === null) return null;
  const sources = [{ file: 'filename', text: filename } as const];
  const [filled = ''] =
    engine === 'none'
      ? [filename]
      : await filler.fill({ engine, language, sources, data: record, defaults: {} }, signal);
  // No more of it than any name has: a template may make a megabyte.
  const name = filled.trim().slice(0, MAX_FILLED).replace(/\s+/g, ' ');
  return name === '' ? null : name;
}

/** Characters of a filled name that are looked at. */
const MAX_FILLED = 1000;

/**
 * The names of a ZIP's entries. One without a name of its own is `<template>-<n>.<ext>`, `n` zero-padded from 1 in the
 * order of the records. No two names are the same for any file system: the second `a.pdf` is `a-2.pdf`.
 */
export class EntryNames {
  readonly #template: string;
  readonly #digits: number;
  readonly #ending: string;
  /** Names given, as file systems compare them, and the number that was added last. */
  readonly #given = new Map<string, number>();

  /** @param template its name @param count records in all */
  constructor(template: string, count: number, ending: OutputFormat) {
    this.#template = baseName(template);
    this.#digits = String(count).length;
    this.#ending = fileEnding(ending);
  }

  /** The entry's name of a record. @param own the record's name, as `recordName` gives it */
  of(index: number, own: string | null): string {
    const numbered = `${this.#template}-${String(index + 1).padStart(this.#digits, '0')}`;
    const name = own === null ? `${numbered}.${this.#ending}` : fileName(own, this.#ending);
    const stem = name.slice(0, -(this.#ending.length + 1));
    let entry = name;
    let n = this.#given.get(keyOf(name)) ?? 0;
    // Numbers go on from the last one, so that many records of one name do not look at all of them.
    while (this.#given.has(keyOf(entry))) {
      n += 1;
      entry = `${stem}-${n}${name.slice(stem.length)}`;
    }
    this.#given.set(keyOf(name), Math.max(n, 1));
    this.#given.set(keyOf(entry), Math.max(this.#given.get(keyOf(entry)) ?? 0, 1));
    return entry;
  }
}

/**
 * Windows and macOS tell neither case nor ways of composing a letter apart. Up and down again: `ß`, `SS` and `ss` are the
 * same for APFS, which folds letters to several.
 */
function keyOf(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}
