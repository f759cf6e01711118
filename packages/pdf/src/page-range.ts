import { PlatenError } from '@platen/core/errors';

/** Pages from `first` to `last`, counted from 1 and inclusive; without `last`, to the end of the document. */
export interface PageSpan {
  first: number;
  last: number | null;
}

/** Exceeds the page count of every document; engines use 32-bit numbers. */
const MAX_PAGES = 10_000_000;

/**
 * Parses a page range such as `1-3,5,8-` or `-3` (I-21). Spaces are ignored.
 *
 * @returns its spans in their order
 * @throws PlatenError `page_range_invalid`, and `page_range_outside_document` for a page that no document has
 */
export function parsePageRange(range: string, field = 'page_range'): PageSpan[] {
  return range.split(',').map((part) => {
    const match = /^(?:(\d+)|(\d*)\s*-\s*(\d*))$/.exec(part.trim());
    const [, single, from, to] = match ?? [];
    if (match === null || (single === undefined && from === '' && to === '')) {
      throw rangeError(
        'page_range_invalid',
        field,
        range,
        `\`${part.trim()}\` is not a page or a range of pages`,
      );
    }
    const first = Number(single ?? (from || '1'));
    const last = single === undefined && to === '' ? null : Number(single ?? to);
    if (last !== null && first > last) {
      throw rangeError('page_range_invalid', field, range, `${first} comes after ${last}`);
    }
    if (first < 1) throw rangeError('page_range_outside_document', field, range, 'pages are counted from 1');
    if ((last ?? first) > MAX_PAGES) {
      const why = `no document has a page ${shortened(single ?? (to || from))}`;
      throw rangeError('page_range_outside_document', field, range, why);
    }
    return { first, last };
  });
}

/**
 * Returns the pages of a range (I-21).
 *
 * @param pages number of pages of the document
 * @returns 1-based page numbers in document order, each once, as in a print dialogue
 * @throws PlatenError `page_range_invalid`, `page_range_outside_document`.
 */
export function pagesOfRange(range: string, pages: number, field = 'page_range'): number[] {
  const chosen = new Set<number>();
  for (const { first, last } of parsePageRange(range, field)) {
    const highest = Math.max(first, last ?? first);
    if (highest > pages) {
      throw rangeError(
        'page_range_outside_document',
        field,
        range,
        `there is no page ${highest}: the document has ${pages === 1 ? '1 page' : `${pages} pages`}`,
      );
    }
    for (let page = first; page <= (last ?? pages); page++) chosen.add(page);
  }
  return [...chosen].sort((a, b) => a - b);
}

function shortened(digits = ''): string {
  return digits.length <= 20 ? digits : `${digits.slice(0, 20)}…`;
}

function rangeError(
  code: 'page_range_invalid' | 'page_range_outside_document',
  field: string,
  value: string,
  message: string,
): PlatenError {
  return new PlatenError(code, `\`${field}\`: ${message}.`, {
    faults: [{ field, message, value: value.slice(0, 100), allowed: 'such as 1-3,5,8- or -3' }],
  });
}
