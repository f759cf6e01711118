import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PlatenError } from '@platen/core/errors';
import { beginEarly, type Confirm } from '../../functions/render/begin-early.ts';
import type { Produce, Reply } from '../../functions/shared/http/index.ts';
import { assumingReader } from '../../functions/render/assumed-items.ts';
import type { ReadItem } from '../../functions/shared/store/item-reader.ts';
import type { Item } from '../../functions/shared/store/storage/items.ts';

/** Renderings that begin with the items of the last reading (decision record 0090). */

const KEY = { pk: { S: 'tenant' }, sk: { S: 'template' } };
const item = (text: string): Item => ({ ...KEY, text: { S: text } });

/** A table with one item, whose readings are counted. */
class Table {
  now: Item | undefined;
  reads = 0;
  fails = false;
  readonly read: ReadItem = assumingReader(async () => {
    this.reads += 1;
    await wait(5);
    if (this.fails) throw new PlatenError('storage_unavailable', 'no');
    return this.now;
  });

  constructor(first: Item | undefined) {
    this.now = first;
  }
}

/** A rendering of the item's text; `done` has what each attempt did. */
function rendering(
  read: ReadItem,
  done: string[],
  { milliseconds = 20, warnings = [] as string[] } = {},
): Promise<Produce> {
  return beginEarly(warnings, async (confirm?: Confirm) => {
    const found = await read(KEY);
    const text = found?.['text']?.S;
    done.push(`begin ${text}`);
    warnings.push(`warning ${text}`);
    if (text === undefined) throw new PlatenError('not_found', 'There is no such template.');
    if (text === 'refused') throw new PlatenError('invalid_option', 'Refused at once.');
    return async (): Promise<Reply> => {
      await wait(milliseconds);
      if (text === 'faulty') throw new PlatenError('print_failed', 'It cannot be printed.');
      await confirm?.();
      done.push(`effect ${text}`);
      return { status: 200, headers: {}, body: text };
    };
  });
}

const render = async (read: ReadItem, done: string[], how = {}): Promise<unknown> =>
  (await (await rendering(read, done, how))()).body;

describe('a rendering that begins early', () => {
  it('waits for the item the first time, and later begins with it before it is read again', async () => {
    const { read } = new Table(item('a'));
    await render(read, []);
    const done: string[] = [];
    const begun = await rendering(read, done);
    expect(done).toEqual(['begin a']);
    expect((await begun()).body).toBe('a');
  });

  it('reads the item again while it works, once', async () => {
    const stored = new Table(item('a'));
    await render(stored.read, []);
    const begun = await rendering(stored.read, []);
    expect(stored.reads).toBe(1);
    await begun();
    expect(stored.reads).toBe(2);
  });

  it('is repeated if the item has changed, without effects or warnings of the first attempt', async () => {
    for (const milliseconds of [0, 20]) {
      const stored = new Table(item('a'));
      await render(stored.read, []);
      stored.now = item('b');
      const [done, warnings]: [string[], string[]] = [[], ['from before']];
      expect(await render(stored.read, done, { milliseconds, warnings })).toBe('b');
      expect(done).toEqual(['begin a', 'begin b', 'effect b']);
      expect(warnings).toEqual(['from before', 'warning b']);
    }
  });

  it('has the errors of the current item, not those of an outdated one', async () => {
    for (const [before, now, outcome] of [
      ['faulty', 'b', 'b'],
      ['refused', 'b', 'b'],
      [undefined, 'b', 'b'],
      ['a', 'faulty', 'print_failed'],
      ['a', 'refused', 'invalid_option'],
      ['a', undefined, 'not_found'],
      ['faulty', 'faulty', 'print_failed'],
      ['refused', 'refused', 'invalid_option'],
      [undefined, undefined, 'not_found'],
    ] as const) {
      const stored = new Table(before === undefined ? undefined : item(before));
      await render(stored.read, []).catch(() => undefined);
      stored.now = now === undefined ? undefined : item(now);
      const result = await render(stored.read, []).catch((error: unknown) => (error as PlatenError).code);
      expect(result, `${before} → ${now}`).toBe(outcome);
    }
  });

  it('fails if the item cannot be read, even if it was known before', async () => {
    const stored = new Table(item('a'));
    await render(stored.read, []);
    stored.fails = true;
    const done: string[] = [];
    await expect(render(stored.read, done)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(done).toEqual(['begin a']);
  });

  it('remembers the newest state, whoever has read it', async () => {
    const stored = new Table(item('a'));
    await render(stored.read, []);
    stored.now = item('b');
    expect(await stored.read(KEY)).toEqual(item('b'));
    const done: string[] = [];
    expect(await render(stored.read, done)).toBe('b');
    expect(done).toEqual(['begin b', 'effect b']);
  });

  it('does not remember without end', async () => {
    let reads = 0;
    const read = assumingReader(async (key) => {
      reads += 1;
      return { ...key, text: { S: 'x' } };
    });
    const keyOf = (n: number): Item => ({ pk: { S: 'tenant' }, sk: { S: String(n) } });
    for (let n = 0; n < 100; n += 1) await read(keyOf(n));
    const begun: number[] = [];
    for (const n of [0, 99]) {
      reads = 0;
      const produce = await beginEarly([], async () => {
        await read(keyOf(n));
        begun.push(reads);
        return () => Promise.resolve({ status: 200, headers: {}, body: '' });
      });
      await produce();
    }
    expect(begun, 'the oldest is read first, the newest is known').toEqual([1, 0]);
  });
});
