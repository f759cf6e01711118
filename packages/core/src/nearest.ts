import { distance } from 'fastest-levenshtein';

/** Maximum characters of a name that is compared with the known names, which are shorter. */
const MAX_COMPARED = 64;

/** Returns the known name that differs in at most a third of its characters; null when there is none. */
export function nearest(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_COMPARED) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of known) {
    const differing = differenceOf(name.toLowerCase(), candidate.toLowerCase());
    if (differing < least && differing * 3 <= Math.max(name.length, candidate.length)) {
      best = candidate;
      least = differing;
    }
  }
  return best;
}

/** Letters in another order, such as `inof` for `info`, are one mistake. */
function differenceOf(name: string, candidate: string): number {
  const sorted = (text: string): string => [...text].sort().join('');
  return name !== candidate && sorted(name) === sorted(candidate) ? 1 : distance(name, candidate);
}
