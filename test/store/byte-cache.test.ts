import { describe, expect, it } from 'vitest';
import { ByteCache } from '../../packages/core/src/byte-cache.ts';

/** A cache and the keys it had to read, in order. */
function countingCache(capacity: number) {
  const cache = new ByteCache(capacity);
  const reads: string[] = [];
  const get = (key: string, size = 10) =>
    cache.get(key, async () => {
      reads.push(key);
      return Buffer.alloc(size, key);
    });
  return { cache, reads, get };
}

describe('bytes kept in memory', () => {
  it('the least recently used entry is removed first when the size is exceeded', async () => {
    const { reads, get } = countingCache(30);
    for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'b']) {
      expect((await get(key)).toString()).toBe(key.repeat(10));
    }
    expect(reads).toEqual(['a', 'b', 'c', 'd', 'b']);
  });

  it('are read once for concurrent requests, and a failed read is not remembered', async () => {
    const { cache, reads, get } = countingCache(100);
    await Promise.all([get('a'), get('a'), get('a')]);
    expect(reads).toEqual(['a']);
    await expect(cache.get('b', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    await get('b');
    expect(reads).toEqual(['a', 'b']);
  });

  it('a file of more than half the size does not push everything else out', async () => {
    const { reads, get } = countingCache(100);
    await get('small');
    await get('large', 51);
    await get('large', 51);
    await get('small');
    expect(reads).toEqual(['small', 'large', 'large']);
  });

  it('without a size are not stored', async () => {
    const { reads, get } = countingCache(0);
    await get('a');
    await get('a');
    expect(reads).toEqual(['a', 'a']);
  });
});
