import { describe, expect, it } from 'vitest';
import { Sealer } from '../../functions/shared/store/storage/sealing.ts';

describe('a sealer', () => {
  const sealer = new Sealer(async () => 'secret');
  const text = Buffer.from('what nobody is to read');

  it.each([0, 1, 16, 1_000_000])('decrypts what it encrypted: %i bytes', async (size) => {
    const bytes = Buffer.alloc(size, 7);
    expect((await sealer.open('place', await sealer.seal('place', bytes))).equals(bytes)).toBe(true);
  });

  it('seals the same differently each time', async () => {
    const [one, two] = [await sealer.seal('place', text), await sealer.seal('place', text)];
    expect(one.equals(two)).toBe(false);
    expect(one.includes(text)).toBe(false);
  });

  it('decrypts nothing that was changed, moved, cut off, or never encrypted', async () => {
    const sealed = await sealer.seal('place', text);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(sealer.open('place', changed), `byte ${at}`).rejects.toThrow(/sealed|authenticate/);
    }
    await expect(sealer.open('elsewhere', sealed)).rejects.toThrow('authenticate');
    await expect(sealer.open('place', sealed.subarray(0, -1))).rejects.toThrow('authenticate');
    await expect(sealer.open('place', text)).rejects.toThrow('is not sealed');
    await expect(new Sealer(async () => 'other').open('place', sealed)).rejects.toThrow('authenticate');
  });

  it('asks for its secret once, and again after that has failed', async () => {
    let asked = 0;
    const failing = new Sealer(async () => {
      asked += 1;
      if (asked === 1) throw new Error('not now');
      return 'secret';
    });
    await expect(failing.seal('place', text)).rejects.toThrow('not now');
    const sealed = await failing.seal('place', text);
    await failing.fingerprint('x');
    expect(asked).toBe(2);
    expect((await sealer.open('place', sealed)).equals(text)).toBe(true);
  });
});
