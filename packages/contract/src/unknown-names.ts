import { distance } from 'fastest-levenshtein';

/** Warnings about unknown names (I-7). */

/** Maximum warnings; a request with more has a different problem. */
export const MAX_WARNINGS = 20;
/** Maximum characters of a name that is compared with the known names, which are shorter. */
const MAX_COMPARED = 64;

/**
 * Adds a warning about an unknown name, and suggests the known name that was probably meant.
 *
 * @param kind e.g. `option`
 * @param path the full name, e.g. `render_options.papr_format`
 */
export function warnOfUnknown(
  warnings: string[],
  { kind, path, name }: { kind: string; path: string; name: string },
  known: readonly string[],
): void {
  // A warning that is not shown needs no comparison.
  const near = warnings.length < MAX_WARNINGS ? nearest(name, known) : null;
  warnings.push(
    `unknown ${kind} ${path} ignored${near === null ? '' : `; the nearest known one is ${near}`}`,
  );
}

/** Returns the known name that differs in at most a third of its characters; null when there is none. */
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
