import { PlatenError } from '../errors.ts';

/**
 * The pages a range such as `1-3,5,8-` or `-3` names (decision 21).
 * @param pages How many pages the document has.
 * @returns 1-based page numbers in the order of the document, each once, as in a print dialogue.
 * @throws PlatenError `page_range_invalid`, `page_range_outside_document`.
 */
export function pagesOfRange(range: string, pages: number, field = 'page_range'): number[] {
  const chosen = new Set<number>();
  for (const part of range.split(',')) {
    const match = /^\s*(?:(\d+)|(\d*)\s*-\s*(\d*))\s*$/.exec(part);
    const [, single, first, last] = match ?? [];
    if (match === null || (single === undefined && first === '' && last === '')) {
      throw rangeError(
        'page_range_invalid',
        field,
        range,
        `\`${part.trim()}\` is not a page or a range of pages`,
      );
    }
    const from = Number(single ?? (first || '1'));
    const to = Number(single ?? (last || String(Math.max(pages, from))));
    if (from > to) throw rangeError('page_range_invalid', field, range, `${from} comes after ${to}`);
    if (from < 1 || to > pages) {
      const wrong = from < 1 ? from : Math.max(from, to);
      throw rangeError(
        'page_range_outside_document',
        field,
        range,
        `there is no page ${wrong}: the document has ${pages === 1 ? '1 page' : `${pages} pages`}`,
      );
    }
    for (let page = from; page <= to; page++) chosen.add(page);
  }
  return [...chosen].sort((a, b) => a - b);
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
