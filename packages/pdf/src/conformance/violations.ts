import type { Demands } from './levels.ts';

/** What keeps a document from a level, and only its author can repair. */
export interface Violation {
  /** The standard and the clause of it, such as `ISO 14289-1, 7.3`. */
  rule: string;
  /** The page it is on, from 1; null for what concerns the whole document. */
  page: number | null;
  /** The element of the structure, such as `Figure 2`: the second one of the document. */
  element: string | null;
  /** What is wrong and what to do. */
  detail: string;
}

/** A clause of PDF/A (ISO 19005-2 and -3 count alike), of PDF/UA (ISO 14289-1), or the same thing in both. */
export interface Rule {
  archive?: string;
  /** Only the levels that ask for it: `unicode` for u and a, `tagged` for a. */
  of?: 'unicode' | 'tagged';
  accessible?: string;
}

/** More are counted, and not described. */
const MOST = 200;

/** Collects what is wrong, of which only what concerns the levels asked for counts. */
export class Violations {
  readonly found: Violation[] = [];
  readonly demands: Demands;
  readonly #told = new Set<string>();

  constructor(demands: Demands) {
    this.demands = demands;
  }

  /** Whether a rule is among those of the levels asked for. */
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
