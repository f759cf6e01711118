/** Counts what came of the requests, and remembers what must not have happened. */

const BAD = ['wrong', 'lost', 'hung', 'unclear error', 'left over'] as const;
export type Bad = (typeof BAD)[number];
/** `cut`: the connection ended because the whole service was killed; `broken`: the client itself broke off. */
export type Outcome = Bad | 'right' | 'clear error' | 'cut' | 'broken';

const NO_FAULT_MS = 20_000;

export class Tally {
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #faults = new Map<string, number>();
  readonly #errors = new Map<string, number>();
  readonly bad: string[] = [];
  #lastFault = 0;

  add(kind: string, outcome: Outcome, detail = ''): void {
    const row = this.#counts.get(kind) ?? new Map<string, number>();
    this.#counts.set(kind, row);
    row.set(outcome, (row.get(outcome) ?? 0) + 1);
    if (outcome === 'clear error') this.#errors.set(detail, (this.#errors.get(detail) ?? 0) + 1);
    if (!(BAD as readonly string[]).includes(outcome)) return;
    this.bad.push(`${outcome}: ${kind}: ${detail}`);
    console.error(`${new Date().toISOString()} ${outcome}: ${kind}: ${detail}`);
  }

  fault(kind: string): void {
    this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + 1);
    this.#lastFault = Date.now();
  }

  /** Whether a fault may explain an error of a request that began then. */
  hadFault(since: number): boolean {
    return this.#lastFault > since - NO_FAULT_MS;
  }

  report(): string {
    const sum = new Map<string, number>();
    const lines = [...this.#counts].map(([kind, row]) => {
      for (const [outcome, count] of row) sum.set(outcome, (sum.get(outcome) ?? 0) + count);
      return `  ${kind.padEnd(22)} ${pairs(row)}`;
    });
    const sent = [...sum.values()].reduce((all, one) => all + one, 0);
    const always = ['right', 'clear error', 'cut', 'broken', ...BAD];
    return [
      `faults: ${pairs(this.#faults)}`,
      ...lines,
      `clear errors: ${pairs(this.#errors) || 'none'}`,
      `sent ${sent}: ${always.map((name) => `${sum.get(name) ?? 0} ${name}`).join(', ')}`,
    ].join('\n');
  }
}

function pairs(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}
