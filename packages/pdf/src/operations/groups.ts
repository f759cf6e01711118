import { PlatenError } from '@platen/core/errors';

/** `[n]`: that page; `[first, last]`: that range; three or more: exactly those, in that order (I-28). */
export type Group = readonly number[];

/**
 * Returns the pages of a group.
 *
 * @param pages number of pages of the document
 * @param field name of the group in errors, such as `splits[2]`
 * @returns 1-based page numbers in the requested order
 * @throws PlatenError `pages_invalid` for a page outside the document, an empty group or a descending range
 */
export function pagesOfGroup(group: Group, pages: number, field: string): number[] {
  const fault = (message: string): PlatenError =>
    new PlatenError('pages_invalid', `\`${field}\`: ${message}.`, {
      faults: [
        {
          field,
          message,
          value: group.slice(0, 20),
          allowed: '[page], [first, last] or three or more pages; pages are counted from 1',
        },
      ],
    });
  if (group.length === 0) throw fault('a group of pages is empty');
  const wrong = group.find((page) => !Number.isInteger(page) || page < 1 || page > pages);
  if (wrong !== undefined) {
    throw fault(`there is no page ${wrong}: the document has ${pages === 1 ? '1 page' : `${pages} pages`}`);
  }
  const [first = 0, last = 0] = group;
  if (group.length !== 2) return [...group];
  if (first > last) throw fault(`the range runs backwards, from ${first} to ${last}`);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
