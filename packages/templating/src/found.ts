import { PlatenError, type FieldFault, aroundColumn } from '@platen/core/errors';
import { nearest } from '@platen/core/nearest';
import type { Findings, Location } from '@platen/jinja';
import { partialFile } from './protocol.ts';

/** What filling a template notices about the template and its data. */

/** The place of a finding: as in an error. */
export interface FoundPlace {
  file: string;
  /** 1-based; in an office document, the paragraph. */
  line?: number;
  /** Cell of a spreadsheet. */
  cell?: string;
  source: string;
}

/** A name that is used although it is not defined. */
export interface UndefinedName extends FoundPlace {
  name: string;
  /** The defined name that was probably meant. */
  near: string | null;
}

/** A value of the data that looks like markup and is printed as such. */
export interface PrintedMarkup extends FoundPlace {
  /** Null for an expression that is no path of names. */
  name: string | null;
  /** The beginning of the first tag in the value. */
  tag: string;
}

export interface Found {
  undefinedNames: UndefinedName[];
  markup: PrintedMarkup[];
}

/** Most characters of a source line that are shown. */
const SHOWN = 160;

/** Returns the findings of a rendering. @param placeOf returns the place of a location */
export function foundBy(findings: Findings, placeOf: (location: Location) => FoundPlace): Found {
  return {
    undefinedNames: findings.undefinedUses.map(({ name, last, location, known }) => ({
      name,
      near: nearest(last, known),
      ...placeOf(location),
    })),
    markup: findings.markupUses.map(({ name, tag, location }) => ({ name, tag, ...placeOf(location) })),
  };
}

/** Returns the place of a location in a text. @param file the name of the text that is filled */
export function placeInText(file: string): (location: Location) => FoundPlace {
  return ({ file: within, line, column, source }) => ({
    file: within === file ? file : partialFile(within),
    line,
    source: aroundColumn(source, column).slice(0, SHOWN),
  });
}

/** Returns the error for undefined names, for renderings that allow none. */
export function undefinedError(names: readonly UndefinedName[]): PlatenError {
  const faults = names.map(({ name, near, ...place }): FieldFault => {
    const message = `${name} is undefined${near === null ? '' : `; the nearest known name is ${near}`}`;
    return { field: place.file, message, ...place };
  });
  const shown = names.slice(0, 20).map(({ name }) => name);
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : '';
  return new PlatenError(
    'template_render',
    `The template cannot be filled: undefined names: ${shown.join(', ')}${more}.`,
    { faults },
  );
}
