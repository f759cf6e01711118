import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import type { ReadItem } from '../shared/store/item-reader.ts';
import { type Item, nameOfKey } from '../shared/store/storage/items.ts';

/**
 * Work that begins with items as they were when they were last read, while their current state is being read. Its
 * result counts only if they are still the same, so that it is as current as if it had waited.
 */

/** Items that are remembered, of at most 400 kB each. */
const REMEMBERED = 64;

const current = new AsyncLocalStorage<Assumptions>();

/**
 * Milliseconds after which the current state is read, unless the result is there before. Sending the request takes
 * the time of this process, which the work itself needs until an engine has its document.
 */
const READ_AFTER = 8;

/** The items that a piece of work assumes to be unchanged. */
export class Assumptions {
  #unread: (() => Promise<boolean>)[] = [];
  readonly #checks: Promise<boolean>[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Runs work in which readers of `assumingReader` return items as they were last read. */
  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  /** Adds a reading of an item, which returns whether it is unchanged. */
  add(check: () => Promise<boolean>): void {
    this.#unread.push(check);
    this.#timer ??= setTimeout(() => this.#read(), READ_AFTER);
  }

  /** Waits until all items have been read, and returns whether they are unchanged. @throws as the reader */
  async hold(): Promise<boolean> {
    this.#read();
    return (await Promise.all(this.#checks)).every(Boolean);
  }

  #read(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const check of this.#unread.splice(0)) {
      const checked = check();
      // A failure is reported by `hold`.
      checked.catch(() => undefined);
      this.#checks.push(checked);
    }
  }
}

/**
 * Returns a reader that remembers items. Within `Assumptions.run`, it returns an item as it was last read, and its
 * current state is read soon; elsewhere, and for an item that it does not remember, it returns its current state.
 */
export function assumingReader(read: ReadItem): ReadItem {
  const remembered = new Map<string, { item: Item | undefined }>();
  const remember = (name: string, item: Item | undefined): void => {
    remembered.delete(name);
    remembered.set(name, { item });
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  };
  return async (key) => {
    const name = nameOfKey(key);
    const now = async (): Promise<Item | undefined> => {
      const item = await read(key);
      remember(name, item);
      return item;
    };
    const before = remembered.get(name);
    const assumptions = current.getStore();
    if (before === undefined || assumptions === undefined) return await now();
    assumptions.add(async () => isDeepStrictEqual(await now(), before.item));
    return before.item;
  };
}
