import { ordinalOf } from '@platen/core/ordinal';
import { type Found, type PrintedMarkup, undefinedError, type UndefinedName } from '@platen/templating/found';
import type { UndefinedMode } from '@platen/templating/undefined-modes';
import { DistinctFindings, type OfRecords } from './report/summed.ts';

/** What filling templates notices about them and about their data, and the warnings about it. */

/** Receives what filling one text notices. @throws PlatenError `template_render` */
export type Notice = (found: Found) => void;

/** Returns the receiver for one record. @param mode drops or refuses undefined names */
export function noticeOf(mode: UndefinedMode, receive: Notice): Notice {
  return ({ undefinedNames, markup }) => {
    if (mode === 'strict' && undefinedNames.length > 0) throw undefinedError(undefinedNames);
    receive({ undefinedNames: mode === 'silent' ? [] : undefinedNames, markup });
  };
}

/** The findings of many records, each with its first record and the number of records. */
export interface FoundOfRecords {
  undefinedNames: readonly OfRecords<UndefinedName>[];
  markup: readonly OfRecords<PrintedMarkup>[];
}

/** Collects the findings of the records of a request. */
export class FoundInRecords {
  readonly #undefined = new DistinctFindings<OfRecords<UndefinedName>>();
  /** Of one place, the tag of the first record is enough. */
  readonly #markup = new DistinctFindings<OfRecords<PrintedMarkup>>((one) => ({ ...one, tag: null }));

  /** @param record number of their record, if the findings do not state it */
  add({ undefinedNames, markup }: FoundOfRecords, record?: number): void {
    this.#undefined.add(undefinedNames, record);
    this.#markup.add(markup, record);
  }

  get all(): FoundOfRecords {
    return { undefinedNames: this.#undefined.all, markup: this.#markup.all };
  }

  /** Adds one warning for each kind of finding. */
  warn(warnings: string[]): void {
    const { undefinedNames, markup } = this.all;
    warnOf(warnings, 'Undefined, so printed as nothing: ', undefinedNames, ({ name, near, ...place }) => {
      const meant = near === null ? '' : `; nearest name: ${near}`;
      return `${name} (${placeWords(place)}${meant})`;
    });
    warnOf(
      warnings,
      'Printed as markup, as nothing escapes it (escape with | e, allow with | safe, or set autoescape): ',
      markup,
      ({ name, tag, ...place }) => `${name ?? 'a value'} with ${tag.slice(0, 20)} (${placeWords(place)})`,
    );
  }
}

function placeWords({ file, line, cell, record, records = 1 }: OfRecords<PlaceOfFinding>): string {
  const at =
    cell ?? (line === undefined ? null : file.includes('.xml') ? `paragraph ${line}` : `line ${line}`);
  const others = records > 1 ? ` and ${records - 1} more` : '';
  const of = record === undefined ? null : `${ordinalOf(record)} record${others}`;
  return [file, at, of].filter((part) => part !== null).join(', ');
}

type PlaceOfFinding = Pick<UndefinedName, 'file' | 'line' | 'cell'>;

/** Characters of one warning: more are cut off. */
const MAX_LENGTH = 290;

function warnOf<T>(warnings: string[], start: string, items: readonly T[], words: (item: T) => string): void {
  if (items.length === 0) return;
  let text = start;
  let shown = 0;
  for (const item of items) {
    const next = `${shown === 0 ? '' : '; '}${words(item)}`;
    if (shown > 0 && text.length + next.length > MAX_LENGTH - ' and 1000 more'.length) break;
    text += next;
    shown += 1;
  }
  const left = items.length - shown;
  warnings.push(`${text}${left === 0 ? '' : ` and ${left} more`}`);
}
