import { PlatenError } from '@platen/core/errors';

/**
 * Names of slides that say nothing but their number, as programs make them: `page2`, `Slide 2`, `Folie 2`. LibreOffice
 * takes such a name for the slide at that place, in some of its parts and in the language of its interface.
 */

const NUMBERED = /^(?:page|\p{L}{1,30}[ \u00a0])(\d{1,5})$/u;

/** Returns whether a name is empty or says only the number of a slide. */
export function isNumbered(name: string): boolean {
  return name === '' || NUMBERED.test(name);
}

/** Returns the number in such a name, counted from 1; null for another name. */
export function numberIn(name: string): number | null {
  const digits = NUMBERED.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Returns a name that LibreOffice takes for one of the author, and that looks in an outline as its own do. */
export function numberedName(number: number): string {
  return `Slide\u00a0${number}`;
}

/** Returns the error of a presentation without slides, of which LibreOffice prints an empty page. */
export function noSlideError(): PlatenError {
  return new PlatenError('print_failed', 'The presentation has no slides.');
}
