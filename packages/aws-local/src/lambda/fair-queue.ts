/**
 * A waiting line that is fair to tenants: items of one tenant leave in the order of their arrival, and tenants
 * take turns. It counts places, and knows nothing of what the items are or of what works on them.
 */

export interface FairQueueLimits {
  /** Maximum items in work at a time, of all tenants together. */
  places: number;
  /** The last places, which only a tenant with nothing in work may take. */
  reserve: number;
  /** Maximum waiting items, without those that may be taken. */
  waiting: number;
  /** A tenant's share of the places, relative to others that want more than there are; 1 for each when absent. */
  weight?: ((tenant: string) => number) | undefined;
}

/** An item and whose it is. After `take` it holds a place, until `release` or `putBack`. */
export interface Turn<Item> {
  tenant: string;
  item: Item;
}

interface Line<Item> {
  waiting: Item[];
  /** Places that the tenant holds. */
  held: number;
}

export class FairQueue<Item> {
  readonly #limits: FairQueueLimits;
  /** The lines of tenants that wait or hold a place; the one that was served last comes last. */
  readonly #lines = new Map<string, Line<Item>>();
  #size = 0;
  #free: number;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
    this.#free = limits.places;
  }

  /** The number of waiting items. */
  get size(): number {
    return this.#size;
  }

  /** The number of items that `take` would return now, one after the other. */
  get ready(): number {
    const lines = [...this.#lines.values()];
    const newcomers = lines.filter(({ waiting, held }) => waiting.length > 0 && held === 0).length;
    const first = Math.min(newcomers, this.#free);
    return first + Math.max(0, Math.min(this.#size - first, this.#free - first - this.#limits.reserve));
  }

  /**
   * Adds an item to the end of its tenant's line.
   *
   * @returns the item that has to be refused because too many wait: the last one of the longest line, which may
   *   be another tenant's
   */
  add(tenant: string, item: Item): Item | undefined {
    const line = this.#lineOf(tenant);
    line.waiting.push(item);
    this.#size++;
    if (this.#size - this.ready <= this.#limits.waiting) return undefined;
    let [longestTenant, longest] = [tenant, line];
    for (const [other, candidate] of this.#lines) {
      if (candidate.waiting.length > longest.waiting.length) [longestTenant, longest] = [other, candidate];
    }
    const refused = longest.waiting.pop();
    this.#size--;
    this.#tidy(longestTenant, longest);
    return refused;
  }

  /** Takes the next item, which then holds a place. @returns undefined if none waits or none may be taken */
  take(): Turn<Item> | undefined {
    const next = this.#next();
    const item = next?.line.waiting.shift();
    if (next === undefined || item === undefined) return undefined;
    const { tenant, line } = next;
    this.#size--;
    this.#free--;
    line.held++;
    // The tenant goes to the end of the round.
    this.#lines.delete(tenant);
    this.#lines.set(tenant, line);
    return { tenant, item };
  }

  /** Frees the place of a finished item. */
  release({ tenant }: Turn<Item>): void {
    const line = this.#lineOf(tenant);
    line.held--;
    this.#free++;
    this.#tidy(tenant, line);
  }

  /** Frees the place of an item that could not be worked on; it is its tenant's next one. */
  putBack(turn: Turn<Item>): void {
    this.#lineOf(turn.tenant).waiting.unshift(turn.item);
    this.#size++;
    this.release(turn);
  }

  /** Removes a waiting item. @returns whether it waited */
  withdraw(tenant: string, item: Item): boolean {
    const line = this.#lines.get(tenant);
    const index = line?.waiting.indexOf(item) ?? -1;
    if (line === undefined || index < 0) return false;
    line.waiting.splice(index, 1);
    this.#size--;
    this.#tidy(tenant, line);
    return true;
  }

  /** Removes all waiting items. */
  clear(): Item[] {
    const all = [...this.#lines.values()].flatMap(({ waiting }) => waiting.splice(0));
    this.#size = 0;
    for (const [tenant, line] of this.#lines) this.#tidy(tenant, line);
    return all;
  }

  /** Returns the line whose turn it is: the one that holds least for its weight, and waits longest for a turn. */
  #next(): { tenant: string; line: Line<Item> } | undefined {
    const { reserve, weight = () => 1 } = this.#limits;
    let best: { tenant: string; line: Line<Item>; share: number } | undefined;
    for (const [tenant, line] of this.#lines) {
      const needed = line.held === 0 ? 1 : reserve + 1;
      if (line.waiting.length === 0 || this.#free < needed) continue;
      const share = line.held / weight(tenant);
      if (best === undefined || share < best.share) best = { tenant, line, share };
    }
    return best;
  }

  #lineOf(tenant: string): Line<Item> {
    const known = this.#lines.get(tenant);
    if (known !== undefined) return known;
    const line: Line<Item> = { waiting: [], held: 0 };
    this.#lines.set(tenant, line);
    return line;
  }

  #tidy(tenant: string, { waiting, held }: Line<Item>): void {
    if (waiting.length === 0 && held === 0) this.#lines.delete(tenant);
  }
}
