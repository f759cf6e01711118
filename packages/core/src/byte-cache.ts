/**
 * An in-memory cache for bytes that never change under their key. When the total size exceeds the capacity,
 * it removes the least recently used entries. Concurrent requests for the same key share one read.
 */
export class ByteCache {
  private readonly capacity: number;
  /** Entries in the order of use, the most recently used last. */
  private readonly kept = new Map<string, Buffer>();
  private readonly pending = new Map<string, Promise<Buffer>>();
  private size = 0;

  /** @param capacity in bytes; 0 turns the cache off */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Returns the bytes under `key`; calls `read` when they are not in memory. A failed read is not cached. */
  async get(key: string, read: () => Promise<Buffer>): Promise<Buffer> {
    const found = this.kept.get(key);
    if (found) {
      this.kept.delete(key);
      this.kept.set(key, found);
      return found;
    }
    const running = this.pending.get(key);
    if (running) return await running;
    const reading = read().finally(() => this.pending.delete(key));
    this.pending.set(key, reading);
    const bytes = await reading;
    this.keep(key, bytes);
    return bytes;
  }

  private keep(key: string, bytes: Buffer): void {
    // A file of more than half the capacity would displace too many small ones.
    if (bytes.length > this.capacity / 2) return;
    this.kept.set(key, bytes);
    this.size += bytes.length;
    for (const [oldest, { length }] of this.kept) {
      if (this.size <= this.capacity) return;
      this.kept.delete(oldest);
      this.size -= length;
    }
  }
}
