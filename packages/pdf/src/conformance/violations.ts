import type { Requirements } from './levels.ts';

/** A violation that keeps a document from conforming, and that only its author can repair. */
export interface Violation {
  /** The standard and its clause, such as `ISO 14289-1, 7.3`. */
  rule: string;
  /** The page, from 1; null for the whole document. */
  page: number | null;
  /** The structure element, such as `Figure 2`: the second figure of the document. */
  element: string | null;
  /** The violation, and how to correct it. */
  detail: string;
}

/**
 * A clause of PDF/A (ISO 19005-2 and ISO 19005-3 have the same numbers), of PDF/UA (ISO 14289-1), or an equivalent
 * in both.
 */
export interface Rule {
  archive?: string;
  /** Only for the levels that require it: `unicode` for u and a, `tagged` for a. */
  of?: 'unicode' | 'tagged';
  accessible?: string;
}

/** Maximum number of described violations; further ones are counted. */
const MOST = 200;

/** Collects the violations of the requested levels. */
export class Violations {
  readonly found: Violation[] = [];
  readonly demands: Requirements;
  readonly #told = new Set<string>();

  constructor(demands: Requirements) {
    this.demands = demands;
  }

  /** Whether a rule belongs to the requested levels. */
  concerns(rule: Rule): boolean {
    return this.#clause(rule) !== undefined;
  }

  add(rule: Rule, detail: string, place: { page?: number | null; element?: string | null } = {}): void {
    const clause = this.#clause(rule);
    if (clause === undefined || this.found.length >= MOST) return;
    const { page = null, element = null } = place;
    const key = JSON.stringify([clause, page, element, detail]);
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.found.push({ rule: clause, page, element, detail });
  }

  #clause({ archive, of, accessible }: Rule): string | undefined {
    const { demands } = this;
    const held =
      of === undefined ||
      (of === 'unicode' ? demands.archive?.level !== 'B' : demands.archive?.level === 'A');
    if (archive !== undefined && demands.archive !== null && held) {
      return `ISO 19005-${demands.archive.part}, ${archive}`;
    }
    return accessible !== undefined && demands.accessible ? `ISO 14289-1, ${accessible}` : undefined;
  }
}
