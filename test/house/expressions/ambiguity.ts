import { RegExpParser } from '@eslint-community/regexpp';
import { Automaton } from './automaton.ts';

/**
 * How much an expression can go back (Weideman and others, "Analyzing matching time behavior of backtracking regular
 * expression matchers by using ambiguity of NFA", 2016): without end where a loop reads one text in two ways, with the
 * square of the text where two loops, one behind the other, read the same text.
 */
export type Growth = 'exponential' | 'polynomial' | null;

/** Those with more states are looked at for the second by each of their alternatives, which are tried one by one. */
const MAX_STATES = 120;

/** @param isSearch whether it is tried at each place of a text, one after the other */
export function growthOf(source: string, flags: string, isSearch: boolean): Growth {
  const automaton = new Automaton(source, flags);
  if (isExponential(automaton)) return 'exponential';
  const parts =
    automaton.characters.length > MAX_STATES
      ? alternativesOf(source, flags).map((part) => new Automaton(part, flags))
      : [automaton];
  return parts.some((part) => isPolynomial(part, isSearch)) ? 'polynomial' : null;
}

function alternativesOf(source: string, flags: string): string[] {
  const unicode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, unicode);
  return alternatives.map(({ raw }) => raw);
}

/** Whether two ways lead from a state back to it over the same text. */
function isExponential(automaton: Automaton): boolean {
  const { next } = automaton;
  const overlap = overlaps(automaton);
  const count = next.length;
  return next.some((_, state) => {
    const seen = new Set<number>();
    const left = [state * count + state];
    // Pairs of states that two readings of one text are in, once they have parted.
    const start = left[0];
    const parted = new Set<number>();
    for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
      const hasParted = pair < 0;
      const at = hasParted ? -pair - 1 : pair;
      const [a, b] = [Math.floor(at / count), at % count];
      for (const [toA, waysA] of next[a] ?? []) {
        for (const [toB] of next[b] ?? []) {
          if (!overlap(toA, toB)) continue;
          const to = toA * count + toB;
          const parts = hasParted || toA !== toB || (a === b && waysA > 1);
          if (parts && to === start) return true;
          const visited = parts ? parted : seen;
          if (visited.has(to)) continue;
          visited.add(to);
          left.push(parts ? -to - 1 : to);
        }
      }
    }
    return false;
  });
}

/** Stands for the places before the one at which the expression is tried. */
const SEARCH = -1;

/** Whether a text leads from one loop back to it, on to another, and from that one back to it. */
function isPolynomial(automaton: Automaton, isSearch: boolean): boolean {
  const { next, begins, ends } = automaton;
  const overlap = overlaps(automaton);
  const nextOf = (state: number): Iterable<number> =>
    state === SEARCH ? [SEARCH, ...begins] : (next[state]?.keys() ?? []);
  const reach = next.map((_, state) => reachable(next, state));
  const loops = next.flatMap((_, state) => (reach[state]?.has(state) === true ? [state] : []));
  const firsts = isSearch ? [SEARCH, ...loops] : loops;
  const both = (a: number, b: number): boolean => a === SEARCH || b === SEARCH || overlap(a, b);
  return firsts.some((first) =>
    loops.some((second) => {
      if (first === second || ends.has(second)) return false;
      const within = first === SEARCH ? null : reach[first];
      if (within !== null && within?.has(second) !== true) return false;
      const seen = new Set<string>();
      const left: [number, number, number][] = [[first, first, second]];
      for (let triple = left.pop(); triple !== undefined; triple = left.pop()) {
        for (const a of nextOf(triple[0])) {
          if (a !== first && within?.has(a) !== true && first !== SEARCH) continue;
          if (first === SEARCH && a !== SEARCH) continue;
          for (const b of nextOf(triple[1])) {
            if (!both(a, b)) continue;
            for (const c of nextOf(triple[2])) {
              if (reach[c]?.has(second) !== true || !both(b, c) || !both(a, c)) continue;
              if (a === first && b === second && c === second) return true;
              const key = `${a} ${b} ${c}`;
              if (seen.has(key)) continue;
              seen.add(key);
              left.push([a, b, c]);
            }
          }
        }
      }
      return false;
    }),
  );
}

function reachable(next: Automaton['next'], from: number): Set<number> {
  const seen = new Set<number>();
  const left = [from];
  for (let state = left.pop(); state !== undefined; state = left.pop()) {
    for (const to of next[state]?.keys() ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      left.push(to);
    }
  }
  return seen;
}

function overlaps({ characters }: Automaton): (a: number, b: number) => boolean {
  const known = new Map<number, boolean>();
  return (a, b) => {
    if (a === b) return true;
    const key = Math.min(a, b) * characters.length + Math.max(a, b);
    let overlap = known.get(key);
    if (overlap === undefined) {
      const [one, other] = [characters[a], characters[b]];
      overlap = one !== undefined && other !== undefined && !one.isDisjointWith(other);
      known.set(key, overlap);
    }
    return overlap;
  };
}
