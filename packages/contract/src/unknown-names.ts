import { distance } from 'fastest-levenshtein';

/** Warnings of names that mean nothing (I-7). */

/** As many are told; a request with more has something else to look at. */
export const MAX_WARNINGS = 20;
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
