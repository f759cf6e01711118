import type { PageSpan } from '@platen/pdf/options';

/** Spans in ascending order that neither overlap nor touch: the same pages, in document order, each once. */
export function mergeSpans(spans: readonly PageSpan[]): PageSpan[] {
  const merged: PageSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.first - b.first)) {
    const previous = merged.at(-1);
    if (previous === undefined || (previous.last !== null && span.first > previous.last + 1)) {
      merged.push({ ...span });
    } else if (previous.last !== null && (span.last === null || span.last > previous.last)) {
      previous.last = span.last;
    }
  }
  return merged;
}

/** Spans as text, in the syntax of ranges. */
export function formatSpans(spans: readonly PageSpan[]): string {
  return spans
    .map(({ first, last }) =>
      last === null ? `${first}-` : last === first ? `${first}` : `${first}-${last}`,
    )
    .join(',');
}

/** The highest page of the spans: a document with fewer pages does not have all of them. */
export function highestNamedPage(spans: readonly PageSpan[]): number {
  return spans.reduce((highest, { first, last }) => Math.max(highest, last ?? first), 0);
}

/** Returns how many pages merged spans select from a document of `pageCount` pages. */
export function countSelected(spans: readonly PageSpan[], pageCount: number): number {
  return spans.reduce((sum, { first, last }) => {
    const end = Math.min(last ?? pageCount, pageCount);
    return sum + Math.max(0, end - first + 1);
  }, 0);
}
