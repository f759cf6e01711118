import { PlatenError } from '@platen/core/errors';
import { pagesOfRange, parsePageRange } from '../page-range.ts';
import type { PdfFile } from '../model/index.ts';
import type { PdfDict, Ref } from '../model/values.ts';

/** Maximum number of selected pages, which equals the maximum of a document. */
const MAX_NAMED = 200_000;

/**
 * The pages of a range in its order, with repetitions: `3,1,5-`.
 *
 * @param total number of pages of the document
 * @param field name in errors
 * @throws PlatenError `page_range_invalid`, `page_range_outside_document`, `pdf_too_complex`
 */
export function namedPages(range: string, total: number, field: string): number[] {
  // Throws the error for a page outside of the document.
  pagesOfRange(range, total, field);
  const pages: number[] = [];
  for (const { first, last } of parsePageRange(range, field)) {
    const end = last ?? total;
    if (pages.length + end - first >= MAX_NAMED) {
      throw new PlatenError('pdf_too_complex', `\`${field}\` names more than ${MAX_NAMED} pages.`);
    }
    for (let page = first; page <= end; page++) pages.push(page);
  }
  return pages;
}

/** A page of an opened document. */
export interface OpenPage {
  ref: Ref;
  /** 1-based. */
  number: number;
  /** The dictionary with inherited entries. */
  dict: PdfDict;
}

/**
 * The pages of a step.
 *
 * @param range all if absent
 * @throws PlatenError `page_range_invalid`, `page_range_outside_document`
 */
export function pagesFor(file: PdfFile, range: string | undefined, place: string): OpenPage[] {
  const dicts = file.pageDicts();
  const all = file.pages().map((ref, index) => ({ ref, number: index + 1, dict: dicts[index] ?? {} }));
  if (range === undefined) return all;
  return pagesOfRange(range, all.length, `${place}.pages`).flatMap((number) => all[number - 1] ?? []);
}
