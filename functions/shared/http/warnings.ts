import { distance } from 'fastest-levenshtein';

/** What an answer says besides: which names nobody reads (I-7), and other things that were ignored. */

/** So many are said; a request with more has something else to look at. */
const MAX_WARNINGS = 20;
/** Characters of a name that is compared with the known ones: theirs are shorter. */
const MAX_COMPARED = 64;

/**
 * Warns of a name that means nothing here, and says the known name that was probably meant.
 *
 * @param kind e.g. `option`
 * @param path the name with what it is part of, e.g. `render_options.papr_format`
 */
export function warnOfUnknown(
  warnings: string[],
  { kind, path, name }: { kind: string; path: string; name: string },
  known: readonly string[],
): void {
  // What is not shown need not be compared.
  const near = warnings.length < MAX_WARNINGS ? nearest(name, known) : null;
  warnings.push(
    `unknown ${kind} ${path} ignored${near === null ? '' : `; the nearest known one is ${near}`}`,
  );
}

/** The known name that differs in few characters, one in three at most; null when there is none. */
function nearest(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_COMPARED) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of known) {
    const differing = distance(name.toLowerCase(), candidate.toLowerCase());
    if (differing < least && differing * 3 <= Math.max(name.length, candidate.length)) {
      best = candidate;
      least = differing;
    }
  }
  return best;
}

/** RFC 9111, section 5.5, as it was: code 299 is "miscellaneous persistent warning". Clients in the field know it. */
export function warningHeader(warnings: readonly string[]): string {
  const shown = warnings.slice(0, MAX_WARNINGS);
  if (warnings.length > shown.length) shown.push(`and ${warnings.length - shown.length} more`);
  return shown
    .map(
      (text) =>
        `299 platen "${text
          .slice(0, 300)
          .replace(/[^\x20-\x7e]/g, '?')
          .replace(/["\\]/g, "'")}"`,
    )
    .join(', ');
}
