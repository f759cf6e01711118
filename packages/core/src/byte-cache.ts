/**
 * Bytes kept in memory by a key under which they never change, up to a total size: what was used longest ago goes
 * first. Those who ask for the same key at once share one read.
 */
export class ByteCache {
  private readonly capacity: number;
  /** In the order of use, the latest last. */
  private readonly kept = new Map<string, Buffer>();
  private readonly pending = new Map<string, Promise<Buffer>>();
  private size = 0;

  /** @param capacity in bytes; 0 keeps nothing */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** The bytes under `key`, read by `read` when they are not in memory. A failed read is not remembered. */
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
    // One large file is not worth all the small ones.
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
